"""A working stand-in of the Facebook app: made-up people, real screens and state."""
