"""The phone's Settings, ``com.android.settings``.

May import `virtual.kit` and `virtual.ui`. Start with `home`, which lists the pages.
"""
