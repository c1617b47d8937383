"""What a workload asks for, before any hardware: operations, bytes stored, memory, wishes."""
