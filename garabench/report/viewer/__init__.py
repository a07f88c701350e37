"""The viewer of runs: a list of episodes, a page per episode, two episodes side by side, on loopback.

It reads runs only through `records`, writes nothing, and may import what `garabench.report` may. Start
with `viewer_app`, then `library` and `episode_data`.
"""
