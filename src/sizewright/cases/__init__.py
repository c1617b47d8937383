"""Case studies: every figure that a guide prints, held against what the program computes."""
