"""Ctrip (携程旅行): hotels, flights, trains, tickets and tours, with orders and the user's own pages."""
