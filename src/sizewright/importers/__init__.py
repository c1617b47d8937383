"""The output of a machine's own tools, converted into keys of a box file."""
