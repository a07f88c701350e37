"""A stand-in for Bilibili: fictional videos, working screens and state.

May import `virtual.kit` and `virtual.ui`. Start with `app`; `content` holds its videos, `store` its
persistent state.
"""
