"""agents of GaraBench."""
