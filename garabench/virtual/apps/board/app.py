"""The board's activity: ``.Board`` shows numbered buttons, text fields, a list or a page of text.

Events are logged to logcat under the tag ``GaraBoard``, one JSON object per line, numbered from 1::

    {"token": "…", "seq": 2, "event": "touched", "x": 540, "y": 1200, "button": 17}

with the events ``shown``, ``touched`` (in screen pixels; ``button`` is 0 outside the buttons),
``typed`` (``field``, and the current ``text``), ``left`` and ``error`` (``reason``).
"""

from __future__ import annotations

import json
from functools import partial
from typing import ClassVar

from PIL import Image

from garabench.core.geometry import Point
from garabench.virtual.apps.board.spec import BoardMode, BoardSpec, BoardSpecError, parse
from garabench.virtual.kit.framework import Activity, App, Intent
from garabench.virtual.ui.widgets import (
    MATCH,
    Align,
    Box,
    Canvas,
    Column,
    Row,
    ScrollView,
    Text,
    TextField,
    Widget,
    insets,
)

PACKAGE = "org.garabench.board"
BOARD = f"{PACKAGE}.Board"
TAG = "GaraBoard"
MAX_TOKEN = 200
LINE_DP = 56

_INK, _PAPER, _TILE, _EDGE = "#1F1F1F", "#FFFFFF", "#E8F0FE", "#AECBFA"


class BoardActivity(Activity):
    """A page of the board; a new intent replaces it."""

    launch_mode: ClassVar[str] = "singleTask"
    excluded_from_recents: ClassVar[bool] = True

    def on_create(self) -> None:
        self.spec: BoardSpec | None = None
        self._begin(self.intent)

    def on_new_intent(self, intent: Intent) -> None:
        self._begin(intent)

    def _begin(self, intent: Intent) -> None:
        token = intent.extras.get("token", "")
        self._token = token[:MAX_TOKEN] if isinstance(token, str) else ""
        self._seq = 0
        self._texts: dict[str, str] = {}
        self._placed = False
        try:
            self.spec = parse(intent.extras.get("spec"))
        except BoardSpecError as error:
            self.spec = None
            self._log_event("error", reason=str(error))
            self.ctx.finish()
            return
        self._log_event("shown")
        self.ctx.after(1, self._place)

    def _place(self) -> None:
        """Scroll the list to its first line, since lists open at the top."""
        if self.spec is not None and self.spec.mode is BoardMode.SCROLL:
            self.ctx.scroll_to("lines", (self.spec.first - 1) * LINE_DP)

    def on_destroy(self) -> None:
        if self.spec is not None:
            self._log_event("left")

    def _log_event(self, event: str, **values: str | int) -> None:
        self._seq += 1
        line = {"token": self._token, "seq": self._seq, "event": event, **values}
        self.ctx.log(TAG, json.dumps(line, separators=(",", ":")))

    def build(self) -> Widget:
        spec = self.spec
        if spec is None:
            return Column(width=MATCH, height=MATCH)
        header = Column(
            children=[
                Text(id="title", text=spec.title, size=22, bold=True, color=_INK),
                Text(id="note", text=spec.note, size=15, color=_INK, visible=bool(spec.note)),
            ],
            padding=insets(20, 16),
            width=MATCH,
        )
        body = {
            BoardMode.TAPS: self._buttons,
            BoardMode.TEXT: self._fields,
            BoardMode.SCROLL: self._lines,
        }.get(spec.mode)
        page = Column(children=[header, *([body(spec)] if body else [])], width=MATCH, height=MATCH)
        background = Canvas(
            id="ground",
            paint=_plain,
            width=MATCH,
            height=MATCH,
            important=False,
            on_tap_at=partial(self._at, "ground", 0),
        )
        return Box(children=[background, page], width=MATCH, height=MATCH, background=_PAPER)

    def _buttons(self, spec: BoardSpec) -> Widget:
        rows = [
            Row(
                children=[self._button(row * spec.columns + column + 1) for column in range(spec.columns)],
                gap=6,
                width=MATCH,
                weight=1,
                align=Align.STRETCH,
            )
            for row in range(spec.rows)
        ]
        return Column(id="board", children=rows, gap=6, padding=insets(6, 6), width=MATCH, weight=1)

    def _button(self, number: int) -> Widget:
        tile = Canvas(
            id=f"button_{number}",
            cls="android.widget.Button",
            desc=str(number),
            paint=_tile,
            clickable=True,
            width=MATCH,
            height=MATCH,
            on_tap_at=partial(self._at, f"button_{number}", number),
        )
        label = Text(
            text=str(number),
            size=20,
            bold=True,
            color=_INK,
            align_self=Align.CENTER,
            align_vertical=Align.CENTER,
            important=False,
        )
        return Box(children=[tile, label], weight=1, height=MATCH)

    def _at(self, name: str, number: int, x: float, y: float) -> None:
        """Log the screen position of a touch given relative to a view, in dp."""
        corner, density = self._corner(name)
        scale = density / 160
        self._log_event(
            "touched", x=round(corner.x + x * scale), y=round(corner.y + y * scale), button=number
        )

    def _corner(self, name: str) -> tuple[Point, int]:
        scene = self.ctx.system.scene()
        for window in scene.windows:
            if window.package != PACKAGE:
                continue
            for node in window.root.walk():
                if node.widget.id == name:
                    return Point(node.bounds.left, node.bounds.top), node.density
        return Point(0, 0), 160

    def _fields(self, spec: BoardSpec) -> Widget:
        rows: list[Widget] = []
        for name in spec.fields:
            rows.append(Text(text=name, size=15, bold=True, color=_INK, margin=insets(0, 12, 0, 0)))
            rows.append(
                TextField(
                    id=f"field_{name.lower()}",
                    text=self._texts.get(name, ""),
                    hint=name,
                    on_change=partial(self._typed, name),
                    input_type="multiline",
                    width=MATCH,
                    padding=insets(12, 10),
                    border=_EDGE,
                    radius=8,
                )
            )
        return Column(children=rows, padding=insets(20, 4), width=MATCH)

    def _typed(self, name: str, text: str) -> None:
        self._texts[name] = text
        self._log_event("typed", field=name, text=text)

    def _lines(self, spec: BoardSpec) -> Widget:
        lines = [
            Text(
                id="line",
                text=f"{self.ctx.t('第', 'Line ')}{number}{self.ctx.t('行', '')}",
                size=18,
                color=_INK,
                width=MATCH,
                height=LINE_DP,
                padding=insets(20, 14),
            )
            for number in range(1, spec.lines + 1)
        ]
        return ScrollView(id="lines", key="lines", children=lines, width=MATCH, weight=1)


def _plain(width: int, height: int) -> Image.Image:
    return Image.new("RGB", (max(1, width), max(1, height)), _PAPER)


def _tile(width: int, height: int) -> Image.Image:
    image = Image.new("RGB", (max(1, width), max(1, height)), _TILE)
    image.paste(_EDGE, (0, 0, width, 3))
    image.paste(_EDGE, (0, height - 3, width, height))
    image.paste(_EDGE, (0, 0, 3, height))
    image.paste(_EDGE, (width - 3, 0, width, height))
    return image


APP = App(
    package=PACKAGE,
    label={"zh": "GaraBench 靶板", "en": "GaraBench Board"},
    activities={BOARD: BoardActivity},
    icon_seed="garabench-board",
    icon_color="#1A73E8",
    icon_glyph="B",
)
"""Without a launcher entry, like the companion: agents must not meet it on the home screen."""
