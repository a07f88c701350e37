"""What is changed on a device and has to be as it was afterwards."""
