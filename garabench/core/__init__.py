"""core of GaraBench."""
