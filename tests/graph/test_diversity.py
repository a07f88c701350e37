from __future__ import annotations

import math

import numpy as np
import pytest

from garabench.graph.diversity import cluster_paths, diversity, mean_silhouette, path_distance


def test_entropy() -> None:
    found = diversity([(1,), (1,), (2,), (2,)])
    assert (found.paths, found.distinct, found.entropy) == (4, 2, 1.0)
    assert found.corrected == pytest.approx(1 + 1 / (8 * math.log(2)))
    assert found.normalized == pytest.approx(found.corrected / 2)


@pytest.mark.parametrize(("paths", "normalized"), [([], 0), ([(1,)], 0), ([(1,)] * 5, 0), ([(1,), (2,)], 1)])
def test_entropy_is_defined_for_few_paths(paths: list[tuple[int, ...]], normalized: float) -> None:
    assert diversity(paths).normalized == normalized


def test_distance() -> None:
    assert path_distance((), ()) == 0
    assert path_distance((1, 2, 3), (1, 3)) == pytest.approx(1 / 3)
    assert path_distance((1,), ()) == 1


def test_clusters_are_those_of_similar_paths() -> None:
    near, far = [(1, 2, 3, 4, 5), (1, 2, 3, 4, 6), (1, 2, 3, 4)], [(9, 8, 7), (9, 8, 7, 6)]
    found = cluster_paths([*near, *far])
    assert found.clusters == ((0, 1, 2), (3, 4))
    assert found.silhouette > 0.6
    backwards = cluster_paths([*far, *near])
    assert backwards.clusters == ((2, 3, 4), (0, 1))


@pytest.mark.parametrize(
    "paths", [[], [(1,)], [(1,), (2,)], [(1, 2)] * 4, [(1,), (2,), (3,), (4,)], [()] * 3]
)
def test_without_structure_there_is_one_cluster(paths: list[tuple[int, ...]]) -> None:
    found = cluster_paths(paths)
    assert [index for cluster in found.clusters for index in cluster] == list(range(len(paths)))
    assert len(found.clusters) == min(len(paths), 1)
    assert math.isfinite(found.silhouette)


def test_of_many_paths_the_frequent_ones_are_clustered() -> None:
    paths = [(number, number) for number in range(310)] + [(0, 0)] * 5
    found = cluster_paths(paths)
    assert found.left_out == 10
    assert 0 in found.clusters[0]


def test_silhouette() -> None:
    distances = np.array([[0, 1, 4], [1, 0, 4], [4, 4, 0.0]])
    assert mean_silhouette(distances, np.array([1, 1, 2], dtype=np.int32)) == pytest.approx(
        (0.75 + 0.75 + 0) / 3
    )
