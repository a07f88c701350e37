"""What an episode changed: the state of the apps and of the system before and after it, and the difference.

What could not be read is unknown with a reason, never a guess, and never changes the episode's outcome. It
may import `garabench.device` and `garabench.core`. Start reading at `episode_states`, which reads at the
right moments of an episode, then `parse` and `diff` (functions of values), `system` (the compared settings)
and `app_state_reader` (queries a device); ``docs/app-state.md`` has the format.
"""
