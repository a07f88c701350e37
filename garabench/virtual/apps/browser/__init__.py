"""The browser: simple pages from this machine's loopback.

May import `virtual.kit`, `virtual.ui` and the rows of `virtual.apps.settings`.
Start with `app`; `fetch` gets pages, `html_page` reads them.
"""
