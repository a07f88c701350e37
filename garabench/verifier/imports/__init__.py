"""Import trajectories of other tools: OSWorld, AndroidWorld, AndroidLab, AITK, and JSON in WebArena's style.

Each module finds the trajectories in a folder and reads them; start at `catalog`. `imported_run` records them
as a run. The tool's own result is returned apart from the trajectory, so that no judge sees it. Pickles are
read as plain data by `inert_pickle`, since unpickling runs their code. May import what `garabench.verifier`
may, and the dialects of actions.
"""
