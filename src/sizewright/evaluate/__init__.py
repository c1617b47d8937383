"""A system evaluated: its budgets, the findings of every rule, and what counts against it."""
