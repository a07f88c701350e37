"""What people read: the HTML report of runs, its redaction and publishing, and generated pages of the docs.

May import everything below the command line except `testing`, `export` and `known_causes`, and touches no
device. Start with `html_report`; each ``*_section`` module returns one section as values, and
`section_sources` lists the other packages' sections.
"""
