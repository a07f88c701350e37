"""Android's permission controller: the pages that grant and deny an app's permissions.

May import `virtual.kit` and `virtual.ui`. Start with `app`.
"""
