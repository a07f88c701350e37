"""The phone's home screen, `com.android.launcher3`."""
