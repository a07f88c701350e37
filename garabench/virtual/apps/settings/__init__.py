"""The phone's Settings, `com.android.settings`."""
