"""Hardware and software, no rates: a proposed server and a box read from a file are one type."""
