"""Defects: broken features of the simulated apps, a ground truth for whether the app or the agent failed.

A defect is a row of ``defects.yaml``, injected where the toolkit builds views, dispatches clicks, opens
screens and stores data: the apps contain no code for it, and nothing on the wire names it. May import
`garabench.core`, `garabench.virtual.kit` and `garabench.virtual.ui`. Start with `switchboard`, then
`view_rewriter` (changes the views) and `defect_table` (reads the rows).
"""
