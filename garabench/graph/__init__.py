"""Trajectory graphs: many agents' trajectories of one task, merged into one graph of canonical actions.

Start with `analysis` (`build_graphs`), which reads runs through `run_trajectories` and returns a graph and an
interruption view per task. `canonical_action` and `action_trajectory` hold the values, `android_actions` and
`web_actions` make canonical actions, `merge` and `consensus` build a graph, `suite_tables` summarizes all of
them, `graph_page` and `graph_formats` write them.

May import `records`, `stats`, `agents.models`, `web` and `core`. Everything is pure but `analysis`,
`run_trajectories`, `stored_trajectories`, `web_trajectories`, `step_thumbnails`, `model_canonicalizer`,
`report_section` and `graph_page`.
"""
