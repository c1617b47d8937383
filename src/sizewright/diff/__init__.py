"""What moved between two plans, and which row, parameter or input line moved it."""
