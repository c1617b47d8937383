"""Capacity planning from the vendors' own guides, with every number explained."""

__version__ = "0.1.0"
