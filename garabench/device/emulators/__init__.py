"""Android's emulator through the tools of the SDK: images, virtual devices (AVDs), starting, snapshots.

The package runs ``sdkmanager``, ``avdmanager`` and ``emulator`` as their documentation describes them. It
imports `garabench.core`, `garabench.errors` and its own parent package. Start with `emulator.start_emulator`;
`sdk` finds and runs the tools, `tool_output` and `launch_options` are pure.
"""
