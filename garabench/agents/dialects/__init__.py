"""How models write their actions: each dialect's syntax, coordinates and verbs, as pure functions."""
