"""Sections of a report as values: what an analysis has to say, apart from how it is shown.

An analysis returns `Section` values; `garabench.report` renders them as HTML, and the command line as text.
Texts are plain text: whoever renders them escapes them.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

Cell = str | int | float | None
"""A cell of a table; None is a value that is not known or not defined."""


class CellFormat(StrEnum):
    """How the numbers of a column are shown."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    PERCENT = "percent"
    SECONDS = "seconds"
    MONEY = "money"


@dataclass(frozen=True, slots=True)
class TableColumn:
    """A column of a table.

    Attributes:
        title: Its heading.
        format: How its numbers are shown; a percentage is given as a share from 0 to 1.
        help: What the column holds, shown as a tooltip and in the notes.
    """

    title: str
    format: CellFormat = CellFormat.TEXT
    help: str = ""


@dataclass(frozen=True, slots=True)
class Paragraph:
    """A paragraph of plain text."""

    text: str


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture from a run's content store.

    Attributes:
        sha256: Its name in the store.
        alt: What it shows, in words.
        caption: The text below it.
    """

    sha256: str
    alt: str
    caption: str = ""


@dataclass(frozen=True, slots=True)
class Table:
    """A table.

    Attributes:
        caption: What it shows, with its denominators.
        columns: Its columns.
        rows: Its rows, each with a cell for each column.
        note: What was left out, and why.
        pictures: The pictures of each row, shown small in a second column; empty for no such column.

    Raises:
        ValueError: A row has another number of cells than there are columns, or some rows have no pictures.
    """

    caption: str
    columns: tuple[TableColumn, ...]
    rows: tuple[tuple[Cell, ...], ...]
    note: str = ""
    pictures: tuple[tuple[Picture, ...], ...] = ()

    def __post_init__(self) -> None:
        if any(len(row) != len(self.columns) for row in self.rows):
            raise ValueError(f"table {self.caption!r}: every row needs {len(self.columns)} cells")
        if self.pictures and len(self.pictures) != len(self.rows):
            raise ValueError(f"table {self.caption!r}: {len(self.rows)} rows need as many lists of pictures")


class ChartKind(StrEnum):
    """The kinds of charts."""

    INTERVALS = "intervals"
    BARS = "bars"
    LINES = "lines"
    POINTS = "points"


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """A point of a chart.

    Attributes:
        x: Its place on the horizontal axis; a category if it is text.
        y: Its value.
        low, high: The ends of its interval; None without one.
    """

    x: str | float
    y: float
    low: float | None = None
    high: float | None = None


@dataclass(frozen=True, slots=True)
class ChartSeries:
    """The points of a chart that belong together."""

    name: str
    points: tuple[ChartPoint, ...]


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart; a table of its points is shown with it, for readers who cannot see it.

    Attributes:
        title: What it shows.
        kind: Its kind.
        x_title, y_title: The titles of its axes.
        series: Its series.
        format: How its values are shown.
        stacked: Whether the bars of a category stand on each other: parts of a whole.
        difference: Whether the values are differences, drawn on both sides of a line at 0.
    """

    title: str
    kind: ChartKind
    x_title: str
    y_title: str
    series: tuple[ChartSeries, ...]
    format: CellFormat = CellFormat.NUMBER
    stacked: bool = False
    difference: bool = False


@dataclass(frozen=True, slots=True)
class Details:
    """Blocks that are shown on demand.

    Attributes:
        summary: The line that is always shown.
        blocks: What it opens.
    """

    summary: str
    blocks: tuple[Block, ...]


Block = Paragraph | Table | Chart | Picture | Details
"""A part of a section."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section of a report or of an episode's page.

    Attributes:
        id: Its anchor, in kebab-case; unique within a page.
        title: Its heading.
        blocks: What it holds, in order.
    """

    id: str
    title: str
    blocks: tuple[Block, ...]
