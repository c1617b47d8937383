"""Proposes the smallest configuration that holds, and says why nothing smaller does."""
