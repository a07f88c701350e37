"""The target board, ``org.garabench.board``, which checks an agent's wiring.

May import `virtual.kit` and `virtual.ui`. Start with `app`; `spec` specifies a page.
"""
