"""Charts as SVG, drawn by Vega-Lite: text stays text, and colours are the page's own variables.

A chart's data are values of a specification that this module writes; no text of the data becomes a field name
or an expression. The decision 18 has the reasons for the library.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from typing import Any

import vl_convert
from markupsafe import Markup

from garabench.core.sections import CellFormat, Chart, ChartKind, ChartPoint, Table, TableColumn
from garabench.web.cell_text import cell_text
from garabench.web.display_text import short_label

WIDE, NARROW = 660, 300
"""Widths in pixels: for a desk, and for a phone of 360."""
SERIES_COLORS = tuple(f"var(--series-{number})" for number in range(1, 9))
MAX_POINTS = 240
"""More points in a chart of categories cannot be read; the table has all of them."""
_SHAPES = ("circle", "diamond", "square", "triangle-up", "cross", "triangle-down", "triangle-right", "stroke")
_DASHES = ([1, 0], [6, 3], [2, 3], [8, 3, 2, 3], [1, 3], [10, 4], [4, 2], [12, 2])
_D3_FORMATS = {
    CellFormat.PERCENT: ".0%",
    CellFormat.INTEGER: ",.0f",
    CellFormat.SECONDS: ",~r",
    CellFormat.MONEY: "$,.2~f",
    CellFormat.NUMBER: ",~r",
    CellFormat.TEXT: ",~r",
}
_LABEL = 34
"""Longer labels leave no room for the chart."""
_CHARACTER = 7.2
"""Mean width of a character of a label in a wide font, in pixels."""
_SYMBOL = 30
"""Width of a legend's symbol and of the space around it, in pixels."""
_MARGINS = 40
"""Padding around a chart and its labels, in pixels."""
_SHORT = 3
"""Most characters of a category whose label is drawn upright, however many there are."""
_VERSION = "6.4"
_EMPTY_PATH = re.compile(r'<path class="(?:background|foreground)"[^>]*/>')
_ROLE = re.compile(r' (?:role="graphics-[a-z]+"|aria-roledescription="[^"]*"|aria-hidden="true")')
_CLIP = re.compile(r"\bclip\d+\b(?=[\")])")
_SIZE = re.compile(r'<svg [^>]*?width="([\d.]+)" height="([\d.]+)"[^>]*>')


def points_table(chart: Chart) -> Table:
    """Return a chart's points as a table, for readers who cannot see it."""
    several = len(chart.series) > 1 or any(series.name for series in chart.series)
    intervals = any(point.low is not None for series in chart.series for point in series.points)
    category, value = _category_title(chart), _value_title(chart)
    columns = [TableColumn(category)]
    if several:
        columns.append(TableColumn("Series"))
    columns.append(TableColumn(value, chart.format))
    if intervals:
        columns += [TableColumn("From", chart.format), TableColumn("To", chart.format)]
    rows = tuple(
        (
            point.x,
            *([series.name] if several else []),
            point.y,
            *([point.low, point.high] if intervals else []),
        )
        for series in chart.series
        for point in series.points
    )
    return Table(chart.title, tuple(columns), rows)


def _category_title(chart: Chart) -> str:
    return chart.x_title or "Category"


def _value_title(chart: Chart) -> str:
    return chart.y_title or "Value"


def chart_svg(chart: Chart, width: int = WIDE) -> Markup | None:
    """Return a chart as an SVG element to stand in a page; None if it has no point that can be drawn.

    Args:
        chart: The chart.
        width: Width of the whole picture in pixels.
    """
    rows = _rows(chart)
    if not rows:
        return None
    specification = (
        _plane(chart, rows, width)
        if chart.kind in (ChartKind.LINES, ChartKind.POINTS)
        else _categories(chart, rows, width)
    )
    return _element(
        vl_convert.vegalite_to_svg(specification, vl_version=_VERSION, allowed_base_urls=[]), chart
    )


def _element(svg: str, chart: Chart) -> Markup:
    """Return the SVG without empty paths, with a name for assistive technology and room to shrink."""
    body = _ROLE.sub("", _EMPTY_PATH.sub("", svg))
    # Vega numbers these over all charts of a process; a page needs them unique, and equal in equal pages.
    digest = hashlib.sha256(_CLIP.sub("", body).encode()).hexdigest()[:12]
    numbers: dict[str, int] = {}
    body = _CLIP.sub(lambda match: f"clip-{digest}-{numbers.setdefault(match[0], len(numbers))}", body)
    found = _SIZE.match(body)
    if found is None:
        raise ValueError("not the expected start of an SVG")
    width, height = (math.ceil(float(size)) for size in found.groups())
    start = Markup(
        '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="{}" width="{}" height="{}"'
    ).format(short_label(chart.title, 200), width, height)
    return start + Markup(f' viewBox="0 0 {width} {height}">{body[found.end() :]}')  # noqa: S704  # Vega escapes


def _rows(chart: Chart) -> list[dict[str, Any]]:
    """Return the points that can be drawn as rows of data."""
    labels = _labels([str(point.x) for series in chart.series for point in series.points])
    names = _labels([series.name for series in chart.series])
    rows = [
        {
            "x": labels[str(point.x)] if isinstance(point.x, str) else point.x,
            "y": point.y,
            "low": point.low,
            "high": point.high,
            "series": names[series.name],
            "text": cell_text(point.y, chart.format),
        }
        for series in chart.series
        for point in series.points
        if _drawable(point)
    ]
    return rows[:MAX_POINTS] if chart.kind in (ChartKind.INTERVALS, ChartKind.BARS) else rows


def _drawable(point: ChartPoint) -> bool:
    numbers = [point.y, *(each for each in (point.x, point.low, point.high) if isinstance(each, float))]
    return all(math.isfinite(number) for number in numbers)


def _labels(texts: Sequence[str]) -> dict[str, str]:
    """Return a short label for each text; different texts get different labels."""
    labels: dict[str, str] = {}
    for text in texts:
        if text in labels:
            continue
        label, number = short_label(text, _LABEL), 2
        while label in labels.values():
            label, number = f"{short_label(text, _LABEL - 5)} ({number})", number + 1
        labels[text] = label
    return labels


def _unique(rows: list[dict[str, Any]], name: str) -> list[Any]:
    return list(dict.fromkeys(row[name] for row in rows))


def _categories(chart: Chart, rows: list[dict[str, Any]], width: int) -> dict[str, Any]:
    """Return the specification of a chart with a row per category: intervals or bars."""
    narrow = width < WIDE
    series = _unique(rows, "series")
    several = len(series) > 1
    beside = several and not chart.stacked
    axis = {
        "field": "y",
        "type": "quantitative",
        "title": short_label(_value_title(chart), 80),
        "scale": _scale(chart, rows),
    }
    axis["axis"] = {"format": _D3_FORMATS[chart.format], "tickCount": 3 if narrow else 6}
    limit = 92 if narrow else 230
    # The reader's font may be wider than the one by which Vega measures.
    extent = min(limit, round(_CHARACTER * max(len(row["x"]) for row in rows)))
    place: dict[str, Any] = {
        "y": {
            "field": "x",
            "type": "nominal",
            "sort": None,
            "title": None,
            "scale": {
                "domain": _unique(rows, "x"),
                "paddingInner": 0.35 if beside else 0.2,
                "paddingOuter": 0.2,
            },
            "axis": {
                "labelLimit": limit,
                "minExtent": extent,
                "ticks": False,
                "domain": False,
                "grid": False,
            },
        }
    }
    if beside:
        place["yOffset"] = {"field": "series", "sort": None, "scale": {"domain": series}}
    # A part of a whole needs its name, even if it is the only one.
    named = several or (chart.stacked and bool(series[0]))
    color = _color(series, _legend(series, width, width - extent - _MARGINS) if named else None)
    layers: list[dict[str, Any]] = []
    if chart.kind is ChartKind.BARS:
        bar: dict[str, Any] = {"type": "bar", "height": {"band": 0.82}}
        if chart.stacked:
            bar |= {"stroke": "var(--bg)", "strokeWidth": 1.5}
        layers.append(
            {
                "mark": bar,
                "encoding": {
                    **place,
                    "x": {**axis, "stack": "zero" if chart.stacked else None},
                    "color": color,
                },
            }
        )
    ends = {"x": {**axis, "field": "low"}, "x2": {"field": "high"}}
    if any(row["low"] is not None for row in rows):
        rule = {"type": "rule", "strokeWidth": 2.5, "strokeCap": "round"}
        if chart.kind is ChartKind.BARS:
            rule |= {"color": "var(--text)", "strokeWidth": 1.2}
        shade = {} if chart.kind is ChartKind.BARS else {"color": color}
        filtered = [{"filter": {"field": "low", "valid": True}}]
        layers.append({"transform": filtered, "mark": rule, "encoding": {**place, **ends, **shade}})
    if chart.kind is ChartKind.INTERVALS:
        point = {"type": "point", "filled": True, "size": 75, "opacity": 1}
        shape = {"shape": {**color, "scale": {"domain": series, "range": list(_SHAPES)}}} if several else {}
        layers.append({"mark": point, "encoding": {**place, "x": axis, "color": color, **shape}})
    if chart.difference or any(row["y"] < 0 for row in rows):
        layers.append({"mark": {"type": "rule", "color": "var(--quiet)"}, "encoding": {"x": {"datum": 0}}})
    if chart.stacked:
        return _page(rows, layers, width, {"step": 26})
    text = {"type": "text", "align": "left", "x": "width", "dx": 8, "fontSize": 11}
    layers.append({"mark": text, "encoding": {**place, "text": {"field": "text"}}})
    step = 17 if beside else 24
    height: dict[str, Any] = {"step": step, "for": "offset"} if beside else {"step": step}
    return _page(rows, layers, width, height)


def _plane(chart: Chart, rows: list[dict[str, Any]], width: int) -> dict[str, Any]:
    """Return the specification of a chart with two axes: lines or points."""
    series = _unique(rows, "series")
    several = len(series) > 1
    kind = "quantitative" if all(not isinstance(row["x"], str) for row in rows) else "ordinal"
    x: dict[str, Any] = {
        "field": "x",
        "type": kind,
        "sort": None,
        "title": short_label(_category_title(chart), 80),
    }
    if kind == "quantitative":
        x["scale"] = {"zero": False, "nice": True}
        x["axis"] = {"tickCount": 4 if width < WIDE else 8}
    elif all(len(str(row["x"])) <= _SHORT for row in rows):
        x["axis"] = {"labelAngle": 0}  # numbers of attempts lie on their side otherwise
    y = {
        "field": "y",
        "type": "quantitative",
        "title": short_label(_value_title(chart), 80),
        "scale": _scale(chart, rows),
        "axis": {"format": _D3_FORMATS[chart.format], "tickCount": 5},
    }
    color = _color(series, _legend(series, width, width - 2 * _MARGINS) if several else None)
    layers: list[dict[str, Any]] = []
    if any(row["low"] is not None for row in rows):
        encoding = {"x": x, "y": {**y, "field": "low"}, "y2": {"field": "high"}, "color": color}
        layers.append({"mark": {"type": "rule", "strokeWidth": 1.5}, "encoding": encoding})
    if chart.kind is ChartKind.LINES:
        dash = (
            {"strokeDash": {**color, "scale": {"domain": series, "range": list(_DASHES)}}} if several else {}
        )
        line = {"type": "line", "strokeWidth": 2}
        layers.append({"mark": line, "encoding": {"x": x, "y": y, "color": color, **dash}})
    point = {"type": "point", "filled": True, "size": 45, "opacity": 0.85}
    shape = {"shape": {**color, "scale": {"domain": series, "range": list(_SHAPES)}}} if several else {}
    if chart.kind is ChartKind.LINES and several:
        shape["shape"]["legend"] = None  # the dashes are in the legend already
    layers.append({"mark": point, "encoding": {"x": x, "y": y, "color": color, **shape}})
    return _page(rows, layers, width, 220 if width < WIDE else 260)


def _color(series: list[str], legend: dict[str, Any] | None) -> dict[str, Any]:
    colors = [SERIES_COLORS[number % len(SERIES_COLORS)] for number in range(len(series))]
    return {
        "field": "series",
        "type": "nominal",
        "sort": None,
        "scale": {"domain": series, "range": colors},
        "legend": legend,
    }


def _legend(series: list[str], width: int, room: float) -> dict[str, Any]:
    """Return a legend of as many columns as the names have room for.

    Args:
        series: The names.
        width: Width of the picture in pixels.
        room: The part of it that the legend may fill.
    """
    longest = _CHARACTER * max(map(len, series))
    most = 2 if width < WIDE else 5
    return {
        "title": None,
        "orient": "top",
        "columns": max(1, min(most, int(room // (longest + _SYMBOL)))),
        # The reader's font may be wider than the one by which Vega measures.
        "columnPadding": 10 + round(longest / 4),
        "labelLimit": max(80, round(room) - _SYMBOL),
        "symbolStrokeWidth": 2,
    }


def _scale(chart: Chart, rows: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the scale of the values: shares from 0 to 1 use the whole axis, so that charts compare."""
    values = [each for row in rows for each in (row["y"], row["low"], row["high"]) if each is not None]
    if chart.format is CellFormat.PERCENT and not chart.difference and min(values) >= 0 and max(values) <= 1:
        return {"domain": [0, 1]}
    return {"nice": True, "zero": chart.kind is not ChartKind.POINTS}


def _page(
    rows: list[dict[str, Any]], layers: list[dict[str, Any]], width: int, height: dict[str, Any] | int
) -> dict[str, Any]:
    return {
        "$schema": "https://vega.github.io/schema/vega-lite/v6.json",
        "width": width,
        "height": height,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "padding": {"left": 12, "right": 12, "top": 4, "bottom": 4},
        "background": None,
        "data": {"values": rows},
        "layer": layers,
        "config": {
            "aria": False,  # the table below the chart is for those who do not see it
            "font": "system-ui, sans-serif",
            "view": {"stroke": None},
            "axis": {
                "labelColor": "var(--quiet)",
                "titleColor": "var(--quiet)",
                "titleFontWeight": "normal",
                "titlePadding": 8,
                "labelFontSize": 11.5,
                "labelPadding": 6,
                "titleFontSize": 11.5,
                "gridColor": "var(--line)",
                "domainColor": "var(--quiet)",
                "tickColor": "var(--quiet)",
            },
            "axisY": {"labelColor": "var(--text)"},
            "legend": {"labelColor": "var(--text)", "labelFontSize": 12, "symbolSize": 70},
            "text": {"color": "var(--text)"},
        },
    }
