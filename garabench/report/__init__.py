"""Pages that are generated for people to read, such as ``docs/suite.md``.

May import everything below the command line except `testing`. Start with `suite_page`.
"""
