"""The run folder: the only code that writes and reads the episodes and results of a run.

Start with `reader` (`load_run`, `Run`) and `episode` to read, with `run_writer` and `episode_writer` to
write; `run_layout` names the files. It imports `garabench.core` and `garabench.errors` only, so that every
analysis can build on it.
"""
