"""A stand-in for Ctrip (携程旅行): hotels, flights, trains, tickets and tours, with orders and account pages.

May import `virtual.kit` and `virtual.ui`. Start with `app`; `content` holds its offers, `store` its
persistent state.
"""
