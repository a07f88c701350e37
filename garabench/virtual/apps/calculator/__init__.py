"""The calculator.

May import `virtual.kit`, `virtual.ui` and the rows of `virtual.apps.settings`.
Start with `app`; `arithmetic` computes.
"""
