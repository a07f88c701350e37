"""The phone's app market, `com.android.vending`."""
