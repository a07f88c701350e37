"""Report sections as HTML, with all texts escaped; the style sheet is ``static/sections.css``."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

from jinja2 import Environment
from markupsafe import Markup, escape

from garabench.core.sections import (
    Block,
    CellFormat,
    Chart,
    ChartKind,
    Details,
    Paragraph,
    Picture,
    Section,
    Table,
    TableColumn,
)
from garabench.web.chart_svg import MAX_POINTS, NARROW, WIDE, chart_svg, points_table
from garabench.web.templating import template_environment

PictureAddress = Callable[[Picture], str | None]
"""Returns the address of a picture for ``src``; None if it is missing."""


def no_pictures(_picture: Picture) -> None:
    """Return None: the pictures of a page without access to a run's content store."""
    return None


def section_html(section: Section, picture_address: PictureAddress = no_pictures) -> Markup:
    """Return a section as an HTML element.

    Args:
        section: The section.
        picture_address: Returns the address of a picture: a ``data:`` URL, or a path on the page's server.
    """
    template = _environment().get_template("sections.html")
    return Markup(  # noqa: S704  # the template escapes
        template.render(section=section, draw=_Drawing(picture_address))
    )


@functools.cache
def _environment() -> Environment:
    return template_environment("garabench.web")


@dataclass(frozen=True, slots=True)
class _Drawing:
    """What the template asks for."""

    address: PictureAddress

    def kind(self, block: Block) -> str:
        match block:
            case Paragraph():
                return "paragraph"
            case Table():
                return "table"
            case Chart():
                return "chart"
            case Picture():
                return "picture"
            case Details():
                return "details"

    def chart(self, chart: Chart, *, narrow: bool = False) -> Markup | None:
        return chart_svg(chart, NARROW if narrow else WIDE)

    def points(self, chart: Chart) -> Table:
        return points_table(chart)

    def cut(self, chart: Chart) -> int | None:
        """Return the number of points that the chart shows if it does not show all."""
        count = sum(len(series.points) for series in chart.series)
        categories = chart.kind in (ChartKind.INTERVALS, ChartKind.BARS)
        return MAX_POINTS if categories and count > MAX_POINTS else None

    def picture(self, picture: Picture) -> Markup | None:
        """Return the escaped address; a ``data:`` URL is longer than any text that is shown."""
        address = self.address(picture)
        return None if address is None else escape(address)

    def pictured(self, table: Table) -> bool:
        """Return whether a table has a column of pictures; without a store there would be none in it."""
        return bool(table.pictures) and self.address is not no_pictures

    def numeric(self, column: TableColumn) -> bool:
        return column.format is not CellFormat.TEXT

    def explained(self, table: Table) -> tuple[TableColumn, ...]:
        return tuple(column for column in table.columns if column.help)
