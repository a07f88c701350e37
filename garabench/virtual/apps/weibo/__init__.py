"""A stand-in of Weibo: feeds, posts, topics, people and messages."""
