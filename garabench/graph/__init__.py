"""Trajectory graphs: many agents' trajectories of one task, merged into one graph of canonical actions.

Start with `analysis` (`build_graphs`), which reads runs through `recorded` and returns a graph and an
interruption view per task; `canonical` and `action_trajectory` hold the values, `android` and `web` make
canonical actions, `merge` and `consensus` build a graph, `suite_tables` summarizes all of them, `graph_page`
and `graph_formats` write them. May import `records`, `stats`, `agents.models`, `web` and `core`. Everything
but `analysis`, `recorded`, `stored_trajectories`, `web_files`, `step_thumbnails`, `model_canonicalizer`,
`report_section` and `graph_page` is pure.
"""
