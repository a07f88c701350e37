"""report of GaraBench."""
