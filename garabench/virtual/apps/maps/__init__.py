"""Maps for the virtual phone's apps: an atlas, its picture, search, and routes."""
