"""Trajectory graphs: many agents' trajectories of one task, merged into one graph of canonical actions.

It may import `agents`, `records`, `stats`, `web` and `core`; everything is pure but `analysis`,
`run_trajectories`, `stored_trajectories`, `web_trajectories`, `step_thumbnails`, `model_canonicalizer`,
`report_section` and `graph_page`. Start with `analysis` (`build_graphs`), which reads runs through
`run_trajectories` and returns a graph and an interruption view per task, then `canonical_action` and
`action_trajectory` (the values), and `merge` and `consensus` (how a graph is built).
"""
