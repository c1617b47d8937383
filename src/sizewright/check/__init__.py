"""Existing servers, checked against the budgets and rules of plans."""
