"""How many ways of doing a task there are: entropy over distinct paths, and clusters of similar ones."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage
from scipy.spatial.distance import squareform

from garabench.graph.wording_similarity import edit_distance

Path = tuple[int, ...]

LEAST_SILHOUETTE = 0.25
"""A division into clusters with a lower mean silhouette is not a structure: all paths are one cluster."""
MOST_CLUSTERS = 8
MOST_PATHS = 300
"""Of more paths, only the distinct ones are clustered; of more distinct ones, the most frequent."""


@dataclass(frozen=True, slots=True)
class Diversity:
    """The diversity of a set of paths.

    Attributes:
        paths: Number of paths.
        distinct: Number of distinct paths.
        entropy: Entropy over the distinct paths, in bits.
        corrected: The same with the bias correction of Miller and Madow (1955) for few observations.
        normalized: The corrected entropy over the highest possible one, from 0 (all equal) to 1 (all
            different); 0 for fewer than two paths.
    """

    paths: int
    distinct: int
    entropy: float
    corrected: float
    normalized: float


@dataclass(frozen=True, slots=True)
class PathClusters:
    """Clusters of similar paths.

    Attributes:
        clusters: Indexes of the paths in each cluster; the largest cluster first.
        silhouette: Mean silhouette of the division; 0 for a single cluster.
        left_out: Number of paths that were not clustered, see `MOST_PATHS`.
    """

    clusters: tuple[tuple[int, ...], ...]
    silhouette: float
    left_out: int = 0


def diversity(paths: Sequence[Path]) -> Diversity:
    """Return the diversity of paths."""
    n = len(paths)
    counts = Counter(paths)
    if n == 0:
        return Diversity(0, 0, 0.0, 0.0, 0.0)
    entropy = max(0.0, -sum(count / n * math.log2(count / n) for count in counts.values()))
    corrected = entropy + (len(counts) - 1) / (2 * n * math.log(2))
    normalized = min(1.0, corrected / math.log2(n)) if n > 1 else 0.0
    return Diversity(n, len(counts), entropy, corrected, normalized)


def path_distance(a: Path, b: Path) -> float:
    """Return the edit distance of two paths over the length of the longer one; 0 for two empty paths."""
    longest = max(len(a), len(b))
    return edit_distance(a, b) / longest if longest else 0.0


def cluster_paths(paths: Sequence[Path]) -> PathClusters:
    """Cluster paths by average linkage; the number of clusters is the one with the best mean silhouette.

    The result depends on the paths only: ties are decided by the paths themselves, in sorted order.
    """
    if not paths:
        return PathClusters((), 0.0)
    groups: dict[Path, list[int]] = {}
    for index, path in enumerate(paths):
        groups.setdefault(path, []).append(index)
    if len(paths) <= MOST_PATHS:
        order = sorted(range(len(paths)), key=lambda index: (paths[index], index))
        units = [[index] for index in order]
    else:
        frequent = sorted(groups, key=lambda path: (-len(groups[path]), path))[:MOST_PATHS]
        units = [groups[path] for path in sorted(frequent)]
    labels, silhouette = _labels([paths[unit[0]] for unit in units])
    clusters: dict[int, list[int]] = {}
    for label, unit in zip(labels, units, strict=True):
        clusters.setdefault(label, []).extend(unit)
    found = sorted(
        (tuple(sorted(members)) for members in clusters.values()), key=lambda one: (-len(one), one)
    )
    return PathClusters(tuple(found), silhouette, len(paths) - sum(map(len, found)))


def _labels(paths: Sequence[Path]) -> tuple[list[int], float]:
    n = len(paths)
    distances = np.zeros((n, n))
    known: dict[tuple[Path, Path], float] = {}
    for i in range(n):
        for j in range(i + 1, n):
            pair = (paths[i], paths[j])
            if pair not in known:
                known[pair] = path_distance(*pair)
            distances[i, j] = distances[j, i] = known[pair]
    one = [1] * n, 0.0
    if n < 3 or not distances.any():
        return one
    tree = linkage(squareform(distances), method="average")
    best, best_score = one[0], LEAST_SILHOUETTE
    for count in range(2, min(MOST_CLUSTERS, n - 1) + 1):
        labels = fcluster(tree, count, criterion="maxclust")
        if len(set(labels)) != count:  # equal paths are never divided
            continue
        score = mean_silhouette(distances, labels)
        if score > best_score + 1e-9:
            best, best_score = [int(label) for label in labels], score
    return (best, best_score) if len(set(best)) > 1 else one


def mean_silhouette(distances: NDArray[np.float64], labels: NDArray[np.int32]) -> float:
    """Return the mean silhouette (Rousseeuw 1987); a path that is alone in its cluster has 0."""
    groups = sorted(set(labels.tolist()))
    sums = np.stack([distances[:, labels == group].sum(axis=1) for group in groups])
    sizes = np.array([(labels == group).sum() for group in groups])
    own = np.array([groups.index(label) for label in labels.tolist()])
    everyone = np.arange(len(labels))
    inside = sums[own, everyone] / np.maximum(sizes[own] - 1, 1)
    means = sums / sizes[:, None]
    means[own, everyone] = np.inf
    outside = means.min(axis=0)
    largest = np.maximum(inside, outside)
    scores = np.where(
        (sizes[own] > 1) & (largest > 0), (outside - inside) / np.where(largest > 0, largest, 1), 0.0
    )
    return float(scores.mean())
