"""For tests of agents: a model server that costs nothing and fails on demand."""
