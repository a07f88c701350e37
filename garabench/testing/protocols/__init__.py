"""The vendors' protocols of the fake model server: how requests are validated and replies written.

Pure functions of JSON. May import `agents.models.messages` and the values of `testing`. Start with
`catalog`, which maps addresses to protocols; OpenAI's chat completions are in `testing.validation` and
`testing.replies`.
"""
