"""cli of GaraBench."""
