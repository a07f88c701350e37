"""A stand-in for the Facebook app: fictional people, working screens and state.

May import `virtual.kit` and `virtual.ui`. Start with `app`; `content` holds its people and posts, `store` its
persistent state.
"""
