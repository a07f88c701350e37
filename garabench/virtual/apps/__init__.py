"""apps of GaraBench."""
