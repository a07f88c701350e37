"""A working stand-in of the JD (京东) shopping app: made-up offers, real screens and state."""
