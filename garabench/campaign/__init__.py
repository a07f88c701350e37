"""campaign of GaraBench."""
