"""The workload: what is demanded of the systems, validated; nothing is calculated."""
