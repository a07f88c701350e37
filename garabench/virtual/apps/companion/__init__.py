"""The twin of the companion app that shows interruptions, ``org.garabench.interruptions``.

May import `virtual.kit` and `virtual.ui`. Start with `app`; `spec` holds what a window shows.
"""
