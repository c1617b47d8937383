"""Demand placed on a configuration: rates on its nodes."""
