"""device of GaraBench."""
