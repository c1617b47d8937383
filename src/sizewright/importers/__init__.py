"""What a machine's own tools print, read into the words of a box file; text in, plain data out."""
