"""A vendor's planning guide: tables and rules, read whole, checked, handed down read-only."""
