"""garabench of GaraBench."""
