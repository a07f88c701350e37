"""The phone's Settings, ``com.android.settings``.

May import `virtual.kit`, `virtual.ui` and `virtual.android`. Start with `home`, which lists the pages.
"""
