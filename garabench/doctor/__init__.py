"""What a run needs, checked before it begins: this computer, its adb servers, each device, model endpoints.

Each finding has a status and the command that fixes it. The package imports everything from
`garabench.campaign` downward and shares its checks of a device: `garabench.campaign.preflight` and
`garabench.device.health`. Start with `run_checks` in `checks`; `finding` has the values, and the decisions in
`host_checks` and `device_checks` are pure functions of what `host_reading` and `device_reading` have read.
"""
