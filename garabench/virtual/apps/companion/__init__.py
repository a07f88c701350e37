"""The twin of the companion app that shows interruptions, `org.garabench.interruptions`."""
