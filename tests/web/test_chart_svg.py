from __future__ import annotations

import math
import re
from dataclasses import replace

import pytest
from lxml import etree

from garabench.core.sections import CellFormat, Chart, ChartKind, ChartPoint, ChartSeries
from garabench.web.chart_svg import NARROW, WIDE, chart_svg, points_table

HOSTILE = "<script>alert('x')</script>\u202e" + "y" * 1_000_000


def chart(kind: ChartKind = ChartKind.INTERVALS, *, name: str = "dismiss") -> Chart:
    points = (ChartPoint("clean", 0.9, 0.8, 0.95), ChartPoint("dual", 0.5, 0.4, 0.6))
    return Chart(
        f"Success rate of {name}",
        kind,
        "Condition",
        "Success rate",
        (ChartSeries(name, points), ChartSeries("heuristic", points[:1])),
        CellFormat.PERCENT,
    )


@pytest.mark.parametrize("kind", list(ChartKind))
@pytest.mark.parametrize("width", [WIDE, NARROW])
def test_texts_are_texts_and_colours_are_variables(kind: ChartKind, width: int) -> None:
    svg = chart_svg(chart(kind), width)
    assert svg is not None
    root = etree.fromstring(svg)
    texts = "".join(root.itertext())
    assert "dismiss" in texts
    assert "dual" in texts
    assert int(root.get("width", "")) == width
    assert root.get("aria-label") == "Success rate of dismiss"
    assert set(re.findall(r'(?:fill|stroke)="([^"]*)"', svg)) <= {
        "none",
        "transparent",
        *(f"var(--{name})" for name in ("text", "quiet", "line", "series-1", "series-2")),
    }
    assert "style=" not in svg  # a page's policy may forbid inline styles
    assert svg == chart_svg(chart(kind), width)


def test_hostile_names_stay_short_texts() -> None:
    svg = chart_svg(chart(name=HOSTILE))
    assert svg is not None
    assert len(svg) < 20_000
    assert "\u202e" not in svg
    assert not [each for each in etree.fromstring(svg).iter() if "script" in str(each.tag)]


def test_values_that_are_not_numbers_are_not_drawn() -> None:
    points = (ChartPoint("a", math.nan), ChartPoint("b", 1.0, -math.inf, 2.0))
    empty = Chart("t", ChartKind.BARS, "x", "y", (ChartSeries("", points),))
    assert chart_svg(empty) is None
    assert len(points_table(empty).rows) == 2


def test_similar_long_names_stay_apart() -> None:
    points = tuple(ChartPoint("x" * 50 + str(number) + "x" * 50, 1.0) for number in range(3))
    svg = chart_svg(Chart("t", ChartKind.BARS, "x", "y", (ChartSeries("", points),)))
    assert svg is not None
    assert len({text for text in etree.fromstring(svg).itertext() if text.startswith("xx")}) == 3


def test_the_table_has_every_point() -> None:
    table = points_table(chart())
    assert [column.title for column in table.columns] == ["Condition", "Series", "Success rate", "From", "To"]
    assert table.rows[0] == ("clean", "dismiss", 0.9, 0.8, 0.95)
    assert len(table.rows) == 3


def test_differences_have_a_line_at_zero_and_no_full_axis() -> None:
    points = (ChartPoint("a", 0.1, 0.05, 0.2),)
    plain = Chart("t", ChartKind.INTERVALS, "", "", (ChartSeries("", points),), CellFormat.PERCENT)
    axes = [
        "".join(etree.fromstring(str(chart_svg(each))).itertext())
        for each in (plain, replace(plain, difference=True))
    ]
    assert ["100%" in texts for texts in axes] == [True, False]


def test_parts_of_a_whole_share_a_bar() -> None:
    series = tuple(
        ChartSeries(name, (ChartPoint("agent", share),)) for name, share in (("a", 0.6), ("b", 0.4))
    )
    svg = chart_svg(Chart("t", ChartKind.BARS, "", "", series, CellFormat.PERCENT, stacked=True))
    bars = re.findall(r'd="M([\d.]+),([\d.]+)h[\d.]+v[\d.]+h[^"]*" fill="var\(--series-[12]\)"', str(svg))
    assert len({left for left, _ in bars}) == 2
    assert len({top for _, top in bars}) == 1


def stacked(*names: str) -> Chart:
    series = tuple(ChartSeries(name, (ChartPoint("agent", 1 / len(names)),)) for name in names)
    return Chart("t", ChartKind.BARS, "", "", series, CellFormat.PERCENT, stacked=True)


def legend_entries(chart: Chart, width: int = WIDE) -> list[tuple[str, float, float]]:
    """Return the names in a chart's legend with the place of each."""
    found = []
    for text in etree.fromstring(str(chart_svg(chart, width))).xpath(
        "//*[contains(@class, 'role-legend-label')]/*[local-name() = 'text']"
    ):
        place = text.xpath("ancestor::*[@transform][1]/@transform")[0]
        left, top = re.findall(r"[\d.]+", place)
        found.append((text.text, float(left), float(top)))
    return found


def test_names_of_a_legend_do_not_touch_in_a_wide_font() -> None:
    names = ("reported success wrongly", "gave up", "agent missed its deadline", "step limit", "fault")
    wide = legend_entries(stacked(*names))
    assert [name for name, _, _ in wide] == list(names)
    (_, left, top), (_, right, beside), *_ = wide
    assert (left, top) == (0, beside)
    assert right > max(map(len, names)) * 7.2 + 16
    narrow = legend_entries(stacked(*names), NARROW)
    assert [left for _, left, _ in narrow] == [0] * len(names)


def test_the_only_part_of_a_whole_is_named() -> None:
    assert [name for name, _, _ in legend_entries(stacked("dismiss"))] == ["dismiss"]


def test_short_categories_are_written_upright() -> None:
    def turned(names: tuple[str, ...]) -> int:
        points = tuple(ChartPoint(name, 0.5) for name in names)
        chart = Chart("curve", ChartKind.LINES, "x", "y", (ChartSeries("a", points),), CellFormat.PERCENT)
        return str(chart_svg(chart, WIDE)).count("rotate(")

    title_of_y = 1
    assert turned(("1", "2", "3")) == title_of_y
    assert turned(("first", "second", "third")) == title_of_y + 3
