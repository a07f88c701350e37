"""episode of GaraBench."""
