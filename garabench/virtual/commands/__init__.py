"""commands of GaraBench."""
