"""The twin of the companion app that shows interruptions, ``org.garabench.interruptions``.

May import `virtual.kit`, `virtual.ui` and `virtual.android`. Start with `app`; `spec` holds what a window
shows.
"""
