"""ui of GaraBench."""
