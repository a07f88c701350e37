"""The emulator console, which ``adb emu`` talks to: one module per group of its commands.

It may import `garabench.virtual` and `garabench.core`. Start reading at `server`, then `command_tree` (all
commands) and `command_language` (how a line finds its command).
"""
