"""Packages of Android without screens.

May import `virtual.kit`. Start with `app`.
"""
