"""The reliability diagram of an experiment: the share of failures that the environment caused, by p."""

from __future__ import annotations

from collections.abc import Sequence

from garabench.core.sections import CellFormat, Chart, ChartKind, ChartPoint, ChartSeries
from garabench.diagnosis.evaluation import calibration
from garabench.stats.rates import Rate
from garabench.web.chart_svg import chart_svg

_WIDTH = 520
_STYLE = (
    "<style>svg{--series-1:#0067a5;--series-2:#c14a00;--quiet:#5b636d;--text:#1d2126;--line:#dfe3e8;"
    "background:#fff}</style>"
)
"""The colours of the chart on a white ground; a picture of a Markdown page has no style sheet of its page."""


def calibration_plot(scores: Sequence[tuple[float, bool]]) -> str:
    """Return the reliability diagram as an SVG document; empty without a score.

    Each point is a fifth of the scale of p: its mean p, and the share of its failures that the environment
    caused, with Wilson's 95% interval. On the diagonal p would be a probability.

    Args:
        scores: p of each failure, and whether the environment caused it.
    """
    points = []
    for mean, share, count in calibration(scores):
        interval = Rate(round(share * count), count).interval()
        low, high = (None, None) if interval is None else (interval.low, interval.high)
        points.append(ChartPoint(round(mean, 4), share, low, high))
    diagonal = ChartSeries("a calibrated probability", (ChartPoint(0.0, 0.0), ChartPoint(1.0, 1.0)))
    chart = Chart(
        "Calibration of p on the held-out half",
        ChartKind.LINES,
        "mean p",
        "share caused by the environment",
        (ChartSeries("held-out failures", tuple(points)), diagonal),
        CellFormat.PERCENT,
    )
    svg = chart_svg(chart, _WIDTH) if points else None
    return "" if svg is None else str(svg).replace(">", f">{_STYLE}", 1) + "\n"
