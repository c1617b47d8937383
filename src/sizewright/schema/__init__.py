"""What input files are made of: fields, quantities, what their sources say, and their faults."""
