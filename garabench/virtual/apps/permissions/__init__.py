"""Android's permission controller: the pages that grant and deny an app's permissions.

May import `virtual.kit`, `virtual.ui` and `virtual.apps.settings`. Start with `app`.
"""
