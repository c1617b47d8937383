"""Builds the documentation site: pages written by hand, and a reference made from code and data."""
