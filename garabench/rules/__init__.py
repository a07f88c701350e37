"""rules of GaraBench."""
