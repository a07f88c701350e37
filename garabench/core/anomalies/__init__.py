"""The catalog of system anomalies as values: what each does on a device, and how it is verified and undone.

It imports `garabench.core` only; `garabench.interruptions.system` performs the anomalies. Start with
`catalog`, then `recipes`.
"""
