"""A vendor's planning guide: device tables and rules, read whole, checked, handed down read-only."""
