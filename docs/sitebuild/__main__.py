"""`python -m sitebuild FOLDER [GUIDE…]`: write the site into FOLDER/html, or say what is broken.

With guides named, the reference holds those alone.
"""

from __future__ import annotations

import sys
from pathlib import Path

from sitebuild.build import build

_, *words = sys.argv
if not words:
    sys.exit("usage: python -m sitebuild FOLDER [GUIDE…]")
folder, *guides = words
sys.exit(build(Path(folder), tuple(guides)))
