"""adb of GaraBench."""
