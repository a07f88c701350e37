"""The bootstrap over tasks: intervals of ratios whose parts are sums over tasks.

A success rate, a drop, a robust success rate and a mean are all a sum over tasks divided by another one. A
resample of the tasks is a row of weights, one per task, so all resamples of all measures are two products of
matrices. Measures that share their weights are paired: they are computed on the same resampled tasks.

The seeds of a task stay together. Resampling them a second time within their task would count the variance
between seeds twice: Davison and Hinkley (1997), Bootstrap Methods and their Application, section 3.8.
"""

from __future__ import annotations

import math
from statistics import NormalDist

import numpy as np
import numpy.typing as npt

from garabench.stats.intervals import Interval, t_quantile

DRAWS = 10_000
"""The default number of resamples."""

Floats = npt.NDArray[np.float64]


def resampling_weights(clusters: int, draws: int, generator: np.random.Generator) -> Floats:
    """Return the weights of resampled clusters, a row per draw and a column per cluster.

    As many clusters are drawn with replacement as there are; a weight is how often one was drawn.

    Args:
        clusters: Number of clusters (tasks).
        draws: Number of resamples.
        generator: The random generator.

    Source: Efron (1979), Bootstrap methods: another look at the jackknife, The Annals of Statistics 7:1-26;
    of whole clusters: Davison and Hinkley (1997), section 3.8.
    """
    if not clusters:
        return np.zeros((draws, 0))
    chosen = generator.integers(0, clusters, size=(draws, clusters))
    cells = chosen + np.arange(draws)[:, None] * clusters
    counts = np.bincount(cells.ravel(), minlength=draws * clusters)
    return counts.reshape(draws, clusters).astype(np.float64)


def resampled_ratios(weights: Floats, numerators: Floats, denominators: Floats) -> Floats:
    """Return ratios of weighted sums; NaN in draws in which the denominator is 0.

    Args:
        weights: From `resampling_weights`.
        numerators: A row per cluster, and a column per measure.
        denominators: Likewise.

    Returns:
        A row per draw, and a column per measure.
    """
    above, below = weights @ numerators, weights @ denominators
    return np.divide(above, below, out=np.full_like(above, np.nan), where=below > 0)


def percentile_interval(draws: Floats, clusters: int, confidence: float = 0.95) -> Interval | None:
    """Return the expanded percentile interval of resampled values.

    The plain percentile interval is too narrow with few clusters; the expanded one corrects for that.

    Args:
        draws: The values; NaN stands for a draw in which the value is not defined, which is left out.
        clusters: Number of clusters with data.
        confidence: The confidence level.

    Returns:
        None with fewer than two clusters, or without a defined value: nothing can be said then.

    Source: Hesterberg (2015), What teachers should know about the bootstrap, The American Statistician
    69:371-386.
    """
    values = draws[~np.isnan(draws)]
    if clusters < 2 or not values.size:
        return None
    quantile = t_quantile(clusters - 1, (1 - confidence) / 2)
    share = NormalDist().cdf(math.sqrt(clusters / (clusters - 1)) * quantile)
    low, high = np.quantile(values, (share, 1 - share))
    return Interval(float(low), float(high))
