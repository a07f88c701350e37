"""shell of GaraBench."""
