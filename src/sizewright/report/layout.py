"""Widths and places of characters on a page; the only numbers that reports may hold."""

WIDTH = 80
INDENT = 2
BAR = 10
ACRONYM_AT_MOST = 3
SIGNIFICANT_DIGITS = 3
WHOLE_FROM = 100
CELL_AT_MOST = 24
GRID_GAP = 2
NAMES_LISTED = 3
FINDINGS_TOLD = 5
HEADROOM_TOLD = 5
FLIPS_TOLD = 12
