"""A stand-in for the JD (京东) shopping app: fictional offers, working screens and state.

May import `virtual.kit` and `virtual.ui`. Start with `app`; `content` holds its products, `store` its
persistent state.
"""
