"""A working stand-in of the Amazon Shopping app: made-up offers, real screens and state."""
