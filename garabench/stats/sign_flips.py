"""The sign-flip test: paired outcomes over tasks with several seeds."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def sign_flip_p_value(differences: Sequence[int]) -> float:
    """Return the p-value of the exact two-sided sign-flip test over clusters; 1 if no cluster differs.

    Seeds of one task are not independent of each other, so McNemar's test over all pairs would find too much.
    This test treats each task as one observation: if both conditions were equal, the sign of each task's
    difference would be a coin toss. With one seed per task it is McNemar's exact test.

    Args:
        differences: For each task, its successes under the first condition minus those under the second.

    Source: Fisher (1935), The Design of Experiments, section 21. The distribution is computed exactly by
    convolution, as in Pagano and Tritchler (1983), On obtaining permutation distributions in polynomial time,
    JASA 78:435-440.
    """
    sizes = [abs(value) for value in differences if value]
    total = sum(sizes)
    if not total:
        return 1.0
    # chances[i] is the probability that the sum of the positive differences is i.
    chances = np.ones(1)
    for size in sizes:
        longer = np.zeros(len(chances) + size)
        longer[: len(chances)] = chances / 2
        longer[size:] += chances / 2
        chances = longer
    observed = abs(sum(differences))
    sums = np.abs(2 * np.arange(total + 1) - total)
    return float(min(1.0, chances[sums >= observed].sum()))
