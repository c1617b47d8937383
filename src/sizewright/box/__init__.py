"""A box that exists: its file read and checked, and what it says of configuration and use."""
