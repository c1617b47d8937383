"""What holds for all tests: properties are not timed, as a busy machine would fail them."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("untimed", deadline=None)
settings.load_profile("untimed")
