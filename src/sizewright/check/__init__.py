"""Judges a box that exists by the budgets and rules that a plan is judged by."""
