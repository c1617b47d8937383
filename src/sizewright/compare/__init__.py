"""Platforms, workloads and plans side by side."""
