"""u2 of GaraBench."""
