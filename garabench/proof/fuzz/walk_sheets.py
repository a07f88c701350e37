"""Contact sheets of walks: pictures by which a person assesses a walk without the goal's verdict.

A sheet shows the instruction and every screen with the step that was performed on it. Neither the inserted
actions nor the verdict are marked; the verdicts are in a table next to the sheets.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from PIL import Image, ImageDraw

from garabench.core.seeds import generator
from garabench.proof.findings import VARIANTS
from garabench.proof.fuzz.fuzz_task import TaskFuzzer
from garabench.proof.fuzz.phone_performer import PhonePerformer
from garabench.proof.fuzz.walk import FuzzedTask, WalkResult, WalkVerdict
from garabench.suite.suite import Suite, SuiteTask
from garabench.virtual.ui import fonts

VERDICTS = "verdicts.md"
"""Name of the table of verdicts, in the folder of the sheets."""
_ACCEPTED = (WalkVerdict.ACCEPTED, WalkVerdict.ACCEPTED_UNSEEN, WalkVerdict.ACCEPTED_SEEN)
_REFUSED = (WalkVerdict.REFUSED, WalkVerdict.REFUSED_ELSEWHERE, WalkVerdict.REFUSED_RIGHT)
_COLUMNS, _WIDTH, _GAP = 8, 240, 10
_LETTERS, _LINE = 15, 19
_LABEL_LINES = 4
_INK, _PAPER = "#1f2328", "#ffffff"


@dataclass(frozen=True, slots=True)
class DrawnWalk:
    """A walk that was drawn for a person.

    Attributes:
        number: Its number, from 1; accepted and refused walks are mixed.
        result: The walk, and what became of it.
    """

    number: int
    result: WalkResult

    @property
    def accepted(self) -> bool:
        """Whether the goal accepted it."""
        return self.result.verdict in _ACCEPTED

    @property
    def file(self) -> str:
        """Name of its sheet."""
        return f"{self.number:02}-{self.result.walk.task}.png"


@dataclass(frozen=True, slots=True)
class WalkScreen:
    """A settled screen of a walk.

    Attributes:
        picture: The picture, in its size on the sheet.
        step: The step that led to it, as YAML; empty for the first screen.
    """

    picture: Image.Image
    step: str


def draw_walks(fuzzed: Sequence[FuzzedTask], seed: int, each: int) -> tuple[DrawnWalk, ...]:
    """Draw accepted and refused walks at random.

    Args:
        fuzzed: The walks.
        seed: Seed of the draw.
        each: Number of accepted and of refused walks; fewer if there are not as many.
    """
    rng = generator(seed, "sheets")
    drawn: list[WalkResult] = []
    for verdicts in (_ACCEPTED, _REFUSED):
        walks = [walk for task in fuzzed for walk in task.walks if walk.verdict in verdicts]
        drawn += rng.sample(walks, min(each, len(walks)))
    rng.shuffle(drawn)
    return tuple(DrawnWalk(number, result) for number, result in enumerate(drawn, start=1))


def walk_sheets(walks: Sequence[DrawnWalk], suite: Suite) -> Iterator[tuple[DrawnWalk, Image.Image]]:
    """Perform drawn walks again, and yield their sheets.

    Raises:
        UnfuzzableTaskError: A task has changed since it was fuzzed.
    """
    performer = PhonePerformer.start(VARIANTS[0], suite.app_files)
    for each in walks:
        item, screens = suite.every_task[each.result.walk.task], list[WalkScreen]()

        def look(performer: PhonePerformer, step: str, screens: list[WalkScreen] = screens) -> None:
            screens.append(WalkScreen(_small(performer.picture()), step))

        TaskFuzzer(item, performer).replay(each.result.walk, each.result.number, look)
        yield each, walk_sheet(f"{each.number}. {item.task.id}", item, screens)


def walk_sheet(title: str, item: SuiteTask, screens: Sequence[WalkScreen]) -> Image.Image:
    """Return the contact sheet of a walk.

    Args:
        title: Its title.
        item: The task.
        screens: The screens, in order.
    """
    small = [(each.picture, each.step.replace("'", "")) for each in screens]
    columns = min(_COLUMNS, max(3, len(small)))
    height = max((picture.height for picture, _ in small), default=0) + (_LABEL_LINES + 1) * _LINE + _GAP
    width = columns * (_WIDTH + _GAP) + _GAP
    texts = (title, *item.task.instruction.values())
    head = [line for text in texts for line in _wrapped(text, width - 2 * _GAP)]
    top = len(head) * _LINE + 2 * _GAP
    sheet = Image.new("RGB", (width, top + -(-len(small) // columns) * height), _PAPER)
    pen = ImageDraw.Draw(sheet)
    _write(pen, _GAP, _GAP, head)
    for place, (picture, _) in enumerate(small):
        row, column = divmod(place, columns)
        left, line = _GAP + column * (_WIDTH + _GAP), top + row * height
        after = small[place + 1][1] if place + 1 < len(small) else "(end)"
        label = f"{place + 1}. {after}"
        _write(pen, left, line, _wrapped(label, _WIDTH)[:_LABEL_LINES])
        sheet.paste(picture, (left, line + _LABEL_LINES * _LINE + _GAP))
    return sheet


def verdict_table(walks: Sequence[DrawnWalk]) -> str:
    """Return the table of the drawn walks with their verdicts, as Markdown."""
    lines = ["| walk | task | verdict | unasked changes | reason |", "|---:|---|---|---|---|"]
    for each in walks:
        result = each.result
        unasked = ", ".join(change.name for change in result.unasked)
        cells = (str(each.number), result.walk.task, result.verdict.value, unasked, result.reason[:160])
        lines.append(f"| {' | '.join(cell.replace('|', '/').replace(chr(10), ' ') for cell in cells)} |")
    return "\n".join(lines) + "\n"


def _small(picture: Image.Image) -> Image.Image:
    height = round(picture.height * _WIDTH / picture.width)
    return picture.resize((_WIDTH, height), Image.Resampling.BOX)


def _wrapped(text: str, width: int) -> list[str]:
    """Return the lines of a text; Chinese may break anywhere, so every text may."""
    lines = [""]
    used = 0.0
    for char, advance in _advances(text):
        if used + advance > width:
            lines.append("")
            used = 0.0
        lines[-1] += char
        used += advance
    return lines


def _advances(text: str) -> Iterator[tuple[str, float]]:
    font = fonts.chinese(_LETTERS)
    for char in text.replace("\n", " "):
        yield char, font.getlength(char)


def _write(pen: ImageDraw.ImageDraw, left: int, top: int, lines: Sequence[str]) -> None:
    font = fonts.chinese(_LETTERS)
    for number, line in enumerate(lines):
        pen.text((left, top + number * _LINE), line, font=font, fill=_INK)
