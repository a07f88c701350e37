"""virtual of GaraBench."""
