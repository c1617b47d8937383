"""Sensitivity: how far each value, or the load, can change before a verdict changes."""
