"""Tables as text of at most 100 columns, Markdown and LaTeX."""

from __future__ import annotations

import enum
import io
import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich import box
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table

from garabench.core.sections import Table as SectionTable
from garabench.web.cell_text import cell_text

WIDTH = 100
_WIDE_LETTERS = 10  # cells left free for letters that are two cells wide
_LEFT = ("agent", "condition", "other agent", "group", "why", "kind")
_WRAPPED = ("agent", "other agent", "group", "kind")


class TableFormat(enum.StrEnum):
    """The formats of `garabench compare`."""

    TEXT = "text"
    JSON = "json"
    CSV = "csv"
    MARKDOWN = "markdown"
    LATEX = "latex"


@dataclass(frozen=True, slots=True)
class Grid:
    """A table of texts; `str` renders it for a terminal.

    Attributes:
        title: Its title.
        columns: The headings.
        rows: The cells of each row.
        notes: The lines below it.
    """

    title: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def __str__(self) -> str:
        console = Console(file=io.StringIO(), width=WIDTH, color_system=None)
        texts = zip(self.columns, *self.rows, strict=True)
        widest = sum(max(map(cell_len, cells)) for cells in texts) + len(self.columns) + 1
        padding = 1 if widest + 2 * len(self.columns) <= WIDTH else 0
        table = Table(box=box.SQUARE_DOUBLE_HEAD, padding=(0, padding), pad_edge=padding > 0)
        for name in self.columns:
            # Only long names wrap, numbers never do.
            table.add_column(
                name,
                justify="left" if name in _LEFT else "right",
                no_wrap=name not in _WRAPPED,
                overflow="fold",
            )
        for row in self.rows:
            table.add_row(*row)
        console.print(table)
        text = console.file.getvalue() if isinstance(console.file, io.StringIO) else ""
        lines = [self.title, *(line.rstrip() for line in text.splitlines()), *(f"  {x}" for x in self.notes)]
        return "\n".join(lines)

    def markdown(self) -> str:
        """Return it as a Markdown table."""
        align = ("---" if name in _LEFT else "---:" for name in self.columns)
        rows = (self.columns, tuple(align), *(tuple(map(_in_markdown, row)) for row in self.rows))
        lines = [f"### {self.title}", "", *(f"| {' | '.join(row)} |" for row in rows)]
        return "\n".join(
            [*lines, *(["", *(f"- {_in_markdown(note)}" for note in self.notes)] if self.notes else [])]
        )

    def latex(self) -> str:
        """Return it as a LaTeX table, or as a long one that breaks over pages."""
        align = "".join("l" if name in _LEFT else "r" for name in self.columns)
        header = [r"\toprule", _latex_row(self.columns), r"\midrule"]
        body = [*map(_latex_row, self.rows), r"\bottomrule"]
        notes = [rf"\par\footnotesize {_in_latex(note)}" for note in self.notes]
        caption = rf"\caption{{{_in_latex(self.title)}}}"
        if len(self.rows) > _LATEX_PAGE_ROWS:
            begin = [_LATEX_SIZE, rf"\begin{{longtable}}{{{align}}}", rf"{caption} \\"]
            lines = [*begin, *header, r"\endhead", *body, r"\end{longtable}", *notes, r"\endgroup"]
        else:
            begin = [r"\begin{table}", caption, _LATEX_SIZE, rf"\begin{{tabular}}{{{align}}}"]
            lines = [*begin, *header, *body, r"\end{tabular}", *notes, r"\endgroup", r"\end{table}"]
        return "\n".join(lines)


@dataclass(frozen=True, slots=True)
class TextList:
    """A title with lines below it; `str` renders it for a terminal.

    Attributes:
        title: The title.
        lines: The lines.
        wrapped: Whether long lines are wrapped on a terminal.
    """

    title: str
    lines: tuple[str, ...]
    wrapped: bool = False

    def __str__(self) -> str:
        width = WIDTH - _WIDE_LETTERS
        lines = [f"  {line}" for line in self.lines]
        if self.wrapped:
            glued = (line.replace(" = ", "\xa0=\xa0").replace("95% CI ", "95%\xa0CI\xa0") for line in lines)
            filled = (
                textwrap.fill(line, width, subsequent_indent="    ", break_long_words=False) for line in glued
            )
            lines = [line.replace("\xa0", " ") for line in filled]
        return "\n".join([f"{self.title}:", *lines])

    def markdown(self) -> str:
        """Return it as a Markdown list."""
        return "\n".join([f"{_in_markdown(self.title)}:", "", *(f"- {_in_markdown(x)}" for x in self.lines)])

    def latex(self) -> str:
        """Return it as a LaTeX list."""
        items = (rf"\item {_in_latex(line)}" for line in self.lines)
        return "\n".join([f"{_in_latex(self.title)}:", r"\begin{itemize}", *items, r"\end{itemize}"])


Block = Grid | TextList | str
"""A part of a comparison; a string is a paragraph."""


def make_grid(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], notes: Sequence[str] = ()
) -> Grid:
    """Return a table of texts.

    Args:
        title: Its title.
        columns: The headings.
        rows: The cells of each row.
        notes: The lines below it.
    """
    return Grid(title, tuple(columns), tuple(tuple(row) for row in rows), tuple(notes))


def grid_of(table: SectionTable) -> Grid:
    """Return the table of a report section as a table of texts.

    Args:
        table: The table.
    """
    rows = (
        [cell_text(cell, column.format) for cell, column in zip(row, table.columns, strict=True)]
        for row in table.rows
    )
    notes = [f"{column.title}: {column.help}" for column in table.columns if column.help]
    return make_grid(table.caption, [column.title for column in table.columns], rows, notes)


def render_blocks(blocks: Sequence[Block], format_: TableFormat) -> str:
    """Return tables and paragraphs as one document, as text, Markdown or LaTeX."""
    match format_:
        case TableFormat.MARKDOWN:
            return "\n\n".join(
                _in_markdown(block) if isinstance(block, str) else block.markdown() for block in blocks
            )
        case TableFormat.LATEX:
            parts = (_in_latex(block) if isinstance(block, str) else block.latex() for block in blocks)
            return "\n\n".join([_LATEX_PREAMBLE, *parts])
        case _:
            return "\n\n".join(map(str, blocks))


def _in_markdown(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>|])", r"\\\1", " ".join(text.split()))


_LATEX_PREAMBLE = (
    "% \\usepackage{booktabs,longtable}\n"
    "% Names in Chinese or other scripts need lualatex or xelatex and a font that has them."
)
_LATEX_SIZE = r"\begingroup\footnotesize\setlength{\tabcolsep}{3pt}"
_LATEX_PAGE_ROWS = 40
"""Number of rows that fit on a page."""
_LATEX_CHARACTERS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "–": "--",
    "−": "$-$",
    "…": r"\ldots{}",
    "×": r"$\times$",
    "≤": r"$\leq$",
    "≥": r"$\geq$",
    "→": r"$\rightarrow$",
    "±": r"$\pm$",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
}


def _in_latex(text: str) -> str:
    return "".join(_LATEX_CHARACTERS.get(letter, letter) for letter in " ".join(text.split()))


def _latex_row(row: Sequence[str]) -> str:
    return " & ".join(map(_in_latex, row)) + r" \\"
