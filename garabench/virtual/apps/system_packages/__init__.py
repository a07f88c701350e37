"""Packages of Android without screens of their own.

May import `virtual.kit`. Start with `app`.
"""
