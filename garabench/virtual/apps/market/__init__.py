"""The phone's app market, ``com.android.vending``.

May import `virtual.kit` and `virtual.ui`. Start with `app`.
"""
