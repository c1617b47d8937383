"""How much is read, and how long is searched, before it is enough; never numbers of a method.

They keep a hostile or mistaken file from costing unbounded time and memory. A real file stays far
below each of them.
"""

BYTES_AT_MOST = 1024 * 1024
NODES_AT_MOST = 50_000
NESTING_AT_MOST = 40
DIGITS_AT_MOST = 30
FAULTS_LISTED = 100

SHOWN_CHARACTERS = 60
NAMES_SHOWN = 20
NAMES_COMPARED = 500
NAME_CHARACTERS = 200
TEXT_CHARACTERS = 4000

COUNT_AT_MOST = 10_000
QUANTITY_AT_MOST = 1e12

CONDITION_CHARACTERS = 500
CONDITION_DEPTH = 20
CONDITION_NODES = 200

PLACEMENT_STEPS = 250
SEARCH_STEPS = 4000
MISS_STEPS = 800
LOAD_SHARE_BISECTIONS = 8
SPARE_SLOTS_TRIED = 8
