"""The workload: what is asked of the systems, validated; nothing is calculated."""
