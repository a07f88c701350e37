"""Agents that are models behind a chat endpoint: what they are sent, the client, and what it cost."""
