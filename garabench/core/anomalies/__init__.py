"""The catalog of system anomalies as values: what each does on a device, and how it is verified and undone.

It imports `garabench.core` only; `garabench.interruptions.system` performs the anomalies. Start with
`catalog`; the commands of an anomaly are in `app_anomalies`, `screen_anomalies`, `device_state_anomalies`,
`network_anomalies` or `notification_anomalies`.
"""
