"""What an episode changed: the state of the apps and of the system before and after it, and the difference.

`parse` and `diff` are functions of values, `system` lists the settings that are compared, `reader` queries
a device, and `tracker` reads at the right moments of an episode and returns the changes. What could not be
read is unknown with a reason, never a guess, and never changes the episode's outcome.

It may import `garabench.device` and `garabench.core`. Start reading at `tracker`; ``docs/app-state.md`` has
the format.
"""
