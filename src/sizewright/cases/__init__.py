"""Case studies: every figure that a guide prints, compared with what the program computes."""
