"""Defects: broken features of the simulated apps, a ground truth for whether the app or the agent failed.

A defect is a row of ``defects.yaml``: a kind, a place and parameters. It is injected where the toolkit builds
views, dispatches clicks, opens screens and stores data, so the apps contain no code for it. Nothing on the
wire names a defect: what an agent or an observer gets is what a tester sees on a phone with that bug.
May import `garabench.core`, `garabench.virtual.kit` and `garabench.virtual.ui`.
Start with `switchboard`; `view_rewriter` changes the views, `defect_table` reads the rows.
"""
