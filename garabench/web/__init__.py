"""What the pages on loopback share: security, templates, static files, error pages and the server.

Every page works offline, without a build step, and without inline scripts and styles, which the policy that
`guard` sends forbids. It imports `core` and `errors` only. Start with `app`, then `server`.
"""
