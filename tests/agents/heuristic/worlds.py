"""Small apps in memory, on which an agent can run without a device."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from garabench.agents.interface import Agent, Brief, Decision, Turn
from garabench.core import action as act
from garabench.core.geometry import Point, Rect, Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiNode, UiTree

APP = "org.example.app"
SCREEN = Size(1080, 2400)
NO_PICTURE = Screenshot(b"", SCREEN)


@dataclass(frozen=True)
class Line:
    """A row of a page.

    Attributes:
        text: What it says.
        to: The page that it leads to.
        state: Of a switch in it.
        field: Whether it takes text.
        details: Further texts in the row.
    """

    text: str
    to: str = ""
    state: bool | None = None
    field: bool = False
    details: tuple[str, ...] = ()


@dataclass(frozen=True)
class Page:
    """A page: rows, or a dialog with a message and buttons."""

    lines: tuple[Line, ...]
    title: str = ""
    message: str = ""
    package: str = APP
    submits_to: str = ""

    @property
    def is_dialog(self) -> bool:
        return bool(self.message)


@dataclass
class World:
    """An app, and the page on which the agent is."""

    pages: Mapping[str, Page]
    at: str = "home"
    way: list[str] = field(default_factory=list)
    typed: list[str] = field(default_factory=list)
    switches: dict[str, bool] = field(default_factory=dict)
    seen: list[str] = field(default_factory=list)

    def tree(self) -> UiTree:
        page = self.pages[self.at]
        top, height = (900, 150) if page.is_dialog else (250, 170)
        nodes = [text_node(page.title or page.message, Rect(60, top - 120, 1000, top - 60), page.package)]
        for number, line in enumerate(page.lines):
            box = Rect(100, top + number * height, 980, top + (number + 1) * height - 10)
            nodes.append(self._row(line, box, page))
        bounds = Rect(80, 700, 1000, 1500) if page.is_dialog else Rect(0, 60, 1080, 2400)
        return UiTree(
            (
                UiNode(
                    cls="android.widget.FrameLayout",
                    package=page.package,
                    bounds=bounds,
                    children=tuple(nodes),
                ),
            )
        )

    def _row(self, line: Line, box: Rect, page: Page) -> UiNode:
        if line.field:
            return UiNode(
                cls="android.widget.EditText",
                package=page.package,
                hint=line.text,
                clickable=True,
                bounds=box,
            )
        children = [
            text_node(
                text, Rect(box.left, box.top + 60 * at, box.right - 200, box.top + 60 * at + 50), page.package
            )
            for at, text in enumerate((line.text, *line.details))
        ]
        if line.state is not None:
            on = self.switches.get(line.text, line.state)
            knob = Rect(box.right - 150, box.top, box.right, box.bottom)
            children.append(
                UiNode(
                    cls="android.widget.Switch", package=page.package, checkable=True, checked=on, bounds=knob
                )
            )
        return UiNode(
            cls="android.widget.LinearLayout",
            package=page.package,
            clickable=True,
            bounds=box,
            children=tuple(children),
        )

    def do(self, action: act.Action) -> None:
        page = self.pages[self.at]
        match action:
            case act.Tap():
                self._tap(Point(action.x, action.y), page)
            case act.Type():
                self.typed.append(action.text)
                if action.submit and page.submits_to:
                    self._go(page.submits_to)
            case act.Back():
                if self.way:
                    self.at = self.way.pop()
            case act.OpenApp():
                self.at, self.way = ("home", []) if action.package == APP else ("settings", [self.at])
            case _:
                pass

    def _tap(self, at: Point, page: Page) -> None:
        tree = self.tree()
        for line, node in zip(page.lines, tree.roots[0].children[1:], strict=True):
            if node.bounds.contains(at):
                self.seen.append(line.text)
                if line.state is not None:
                    self.switches[line.text] = not self.switches.get(line.text, line.state)
                if line.to == "back":
                    self.at = self.way.pop()
                elif line.to:
                    self._go(line.to)

    def _go(self, page: str) -> None:
        self.way.append(self.at)
        self.at = page


def text_node(text: str, bounds: Rect, package: str = APP) -> UiNode:
    return UiNode(cls="android.widget.TextView", text=text, bounds=bounds, package=package)


def look(world: World, step: int) -> Observation:
    focus = Focus(world.pages[world.at].package, f"{APP}.{world.at}")
    return Observation(step, world.tree(), NO_PICTURE, focus, TreeSource.U2, "", 0.0, SCREEN)


def brief(instruction: str, language: str = "zh", *, steps: int = 20, seed: int = 0) -> Brief:
    return Brief(instruction, language, APP, steps, SCREEN, seed)


def play(agent: Agent, world: World, expected: Brief) -> Sequence[Decision]:
    """Run an agent until it ends or has no steps left."""
    agent.start(expected)
    turns: list[Turn] = []
    for step in range(expected.max_steps):
        decision = agent.decide(look(world, step), tuple(turns))
        turns.append(Turn(decision, ok=True))
        if isinstance(decision.action, act.Done | act.GiveUp):
            break
        world.do(decision.action)
    agent.close()
    return [turn.decision for turn in turns]
