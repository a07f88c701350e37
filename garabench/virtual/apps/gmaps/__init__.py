"""A stand-in of Google Maps: search, places, directions, saved lists, settings."""
