"""Agents of one's own: a class, a process, a service, or a program that drives the device itself."""
