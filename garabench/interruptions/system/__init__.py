"""What the system itself can do to an app: anomalies that need no APK, each with its undo."""
