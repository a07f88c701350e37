"""What the pages on loopback share: security, templates, static files, error pages and the server.

Every page works offline and without a build step. It runs no inline script and no inline style: the policy
that `guard` sends forbids them. Imports `core` and `errors` only. Start with `app`, then `server`.
"""
