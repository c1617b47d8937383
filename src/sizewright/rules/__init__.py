"""Rules: conditions over facts, their evaluation, and the findings that follow."""
