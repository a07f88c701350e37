"""The baseline agent that needs no model and no solution: it reads the instruction and the screen."""
