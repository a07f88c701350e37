"""The framework's own package ``android``: the activity that asks which app to open.

It may import what apps share. Start in ``app.py``.
"""
