"""os of GaraBench."""
