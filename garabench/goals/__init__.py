"""goals of GaraBench."""
