from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest


@dataclass
class TwoNodes:
    """A cluster of two nodes on loopback, each with one virtual phone; the second one can be killed."""

    cluster: Any
    second: Any

    @property
    def address(self) -> str:
        return str(self.cluster.address)

    def kill_second(self) -> None:
        self.cluster.remove_node(self.second, allow_graceful=False)


@pytest.fixture(scope="session")
def nodes() -> Iterator[TwoNodes]:
    os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
    import ray
    from ray.cluster_utils import Cluster

    options = {"num_cpus": 1, "object_store_memory": 100 * 2**20, "resources": {"device:virtual": 1}}
    cluster = Cluster(initialize_head=True, head_node_args={**options, "include_dashboard": False})
    try:
        yield TwoNodes(cluster, cluster.add_node(**options))
    finally:
        ray.shutdown()
        cluster.shutdown()
