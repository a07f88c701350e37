"""Import trajectories of other tools: OSWorld, AndroidWorld, AndroidLab, and JSON in WebArena's style.

Each module finds the trajectories in a folder and reads them; start at `catalog`. The tool's own result
is returned apart from the trajectory, so that no judge sees it. Pickles are refused: reading one runs its
code. May import what `garabench.verifier` may.
"""
