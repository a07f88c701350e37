"""The run directory: how a run is written, and the one way in which anything reads it.

Start with `reader` (`load_run`, `Run`) and `episode` to read, `run_writer` and `writer` to write; `layout`
names the files. It imports `garabench.core` and `garabench.errors` only, so that every analysis can build
on it.
"""
