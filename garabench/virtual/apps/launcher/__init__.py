"""The phone's home screen, ``com.android.launcher3``.

May import `virtual.kit` and `virtual.ui`. Start with `app`.
"""
