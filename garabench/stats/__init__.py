"""stats of GaraBench."""
