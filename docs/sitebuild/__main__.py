"""`python -m sitebuild FOLDER`: write the site into FOLDER/html, or say what is broken."""

from __future__ import annotations

import sys
from pathlib import Path

from sitebuild.build import build

if len(sys.argv) != len(("sitebuild", "FOLDER")):
    sys.exit("usage: python -m sitebuild FOLDER")
sys.exit(build(Path(sys.argv[1])))
