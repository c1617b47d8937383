"""How much is tested: a part by `make test`, everything by `make test-deep`."""

from __future__ import annotations

import os

DEEP = os.environ.get("SIZEWRIGHT_TESTS") == "deep"
