"""What rules may see: per subject a flat, typed, documented record."""
