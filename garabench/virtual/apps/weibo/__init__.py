"""A stand-in for Weibo: fictional feeds, posts, topics, people and messages.

May import `virtual.kit` and `virtual.ui`. Start with `app`; `content` holds its posts, `store` its persistent
state.
"""
