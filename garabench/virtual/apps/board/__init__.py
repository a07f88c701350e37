"""The target board, ``org.garabench.board``, on which the wiring of an agent is checked.

May import `virtual.kit` and `virtual.ui`. Start with `app`; `spec` holds what a page shows.
"""
