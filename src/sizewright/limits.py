"""How much is read, and how long is searched, before it is enough; never numbers of a method.

They keep a hostile or mistaken file from costing unbounded time and memory. A real file stays far
below each of them.
"""

BYTES_AT_MOST = 1024 * 1024
NODES_AT_MOST = 50_000
NESTING_AT_MOST = 40
DIGITS_AT_MOST = 30
FAULTS_LISTED = 100
# A plan that was written: some hundred kilobytes for the largest machine.
PLAN_BYTES_AT_MOST = 8 * BYTES_AT_MOST
PLAN_NODES_AT_MOST = 500_000
PLAN_TEXT_CHARACTERS = 20_000

# A logo on a page.
LOGO_BYTES_AT_MOST = 256 * 1024
LOGO_PIXELS_AT_MOST = 4000

# A line that is written for people.
LINE_COLUMNS = 80
# Digits of a number that is read and not calculated with.
SIGNIFICANT_DIGITS = 3
WHOLE_FROM = 100
# The least number above zero that is printed in digits.
LEAST_SHOWN = 1e-6
# Parts of a year in which a time is written by which something must be done.
YEAR_PARTS = 10
# Megabytes from which a size is written in gigabytes.
GIGABYTES_FROM_MB = 10_000

OBJECTS_BETWEEN_COLLECTIONS = 500_000
# Files of the cache of guides, each some hundred kilobytes.
ENTRIES_KEPT = 32

SHOWN_CHARACTERS = 60
NAMES_SHOWN = 20
# Names of networks and devices that a wish lists.
WISH_NAMES = 4
FULLEST_SHOWN = 4
NAMES_COMPARED = 500
NAME_CHARACTERS = 200
TEXT_CHARACTERS = 4000

COUNT_AT_MOST = 10_000
MOMENTS_AT_MOST = 256
SYSTEMS_AT_MOST = 16
# Existing devices of a plan: each is placed, and each placement looks at those before it.
DEVICES_AT_MOST = 500
QUANTITY_AT_MOST = 1e12
YEARS_AT_MOST = 100
# How exactly the time is found in which parts follow rules, in years.
YEARS_ACCURACY = 0.01
# How far two figures for the same may differ before they contradict each other.
CONTRADICTION_SHARE = 0.1
# How far numbers of a written box are rounded, as a part of them.
WRITTEN_ROUNDING = 1e-3

CONDITION_CHARACTERS = 600
CONDITION_DEPTH = 20
CONDITION_NODES = 200

# Patterns of channels that are looked at for one placement, and steps to even one out.
PLACEMENT_STEPS = 5000
# Those that take as long to look at as a step of a search.
PATTERNS_A_STEP = 25
ARRANGING_STEPS = 500
# Weights that are tried to prove that channels have no room, and how quickly they change: by this
# part at first, and by half of it after SLOWER_AFTER of them.
WEIGHINGS = 60
FIRST_PACE = 0.5
SLOWER_AFTER = 20
# Steps of all searches for one plan together, and of all for a further one that a report offers,
# fewer if it is to meet recommended limits on more networks than are permitted. A later search has
# this part of them, 1 ÷ number, even if none are left.
SEARCH_STEPS = 6000
FURTHER_STEPS = 2750
# Of services without a plan for all of their users, as many are planned for fewer of them.
SERVICES_REDUCED = 3
WIDER_STEPS = 1000
STEPS_KEPT = 10
# Parts of the room that is to be kept free, for which the same parts are placed again.
ROOM_TRIED = (1, 0.5, 0.25)
# Steps of a search for any plan at all, if those for the smallest end without one.
LATE_STEPS = 12_000
# Ways to put lines on boards that are found not to fit.
PACKING_FAILURES = 2000
# Steps that take as long as the evaluation of a small configuration, and how many volumes and
# services take as long as one more.
STEPS_OF_WHOLE = 10
ITEMS_A_STEP = 4
# Steps that take as long as what a search does before its first one.
STEPS_OF_START = 15
# Ways to store a pool that take as long to find as a step.
WAYS_A_STEP = 16
# Pools that share disks and are divided in every way; disks beyond those that a set of pools needs;
# and steps to even out a packing.
DIVIDED_AT_MOST = 3
EXTRA_DISKS_TRIED = 2
PACKING_STEPS = 4000
# Groups of volumes that a bound divides among kinds of channels in every way.
GROUPS_COMBINED = 6
# Unsuitable sets of adapters that take as long to find as a step.
SETS_A_STEP = 16
# One of this number of steps goes straight on to a whole configuration.
STRAIGHT_EVERY = 16
# Steps of a search for why a machine is refused, and of all those for one plan.
MISS_STEPS = 1000
REFUSED_STEPS = 12_000
# Steps of a search for what breaks as many limits, and exceeds them by less.
NEARER_STEPS = 250
# As how many broken limits advice counts that is insisted on: as more than there are.
INSISTED = 10_000
# Parts of a recommended limit in which its excess is counted, each if it is begun: less is not
# worth another part.
EXCESS_PARTS = 20
# Parts of a limit in which it is counted by how much a machine that is refused exceeds it.
SHORTFALL_PARTS = 1000
# Decimals of shares and sums that are compared.
SHARE_DECIMALS = 3
DECIMALS = 6
# Less than that, so that it changes no number but one that ends in exactly a half.
ALMOST_NOTHING = 5e-7
# Parts of a channel that differ by less are taken for the same.
PART_ROUNDING = 1e-9
LOAD_SHARE_BISECTIONS = 8
SPARE_SLOTS_TRIED = 8
# Plans that are made to find which wishes conflict, and the networks that are tried without a wish
# for fewer.
CONFLICT_PLANS = 32
SEGMENTS_TRIED = 4
# Services that are divided over two systems in every way, and the ways that are planned.
SERVICES_DIVIDED = 12
PARTITIONS_TRIED = 6
# Steps in which the load that a service keeps after a failure is found; and the least share that it
# keeps if none is stated.
SHARE_STEPS = 100
LEAST_SHARE = 0.01
# How far a value is changed to find where a verdict changes, and in how many steps if it may change
# more than once on the way.
BREAK_EVEN_FACTOR = 1000
BREAK_EVEN_STEPS = 60
# Changes of a server that are tried to find what to do first.
CHANGES_TRIED = 64
