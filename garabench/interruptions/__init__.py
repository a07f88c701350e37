"""interruptions of GaraBench."""
