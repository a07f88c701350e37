"""Import trajectories of other tools: OSWorld, AndroidWorld, AndroidLab, AITK, and JSON in WebArena's style.

Each module finds the trajectories in a folder and reads them; it returns the tool's own result apart from the
trajectory, so that no judge sees it. It may import what `garabench.verifier` may, and the dialects of
actions. Start at `catalog`, then `imported_run` (records them as a run) and `inert_pickle` (reads pickles as
plain data, since unpickling runs their code).
"""
