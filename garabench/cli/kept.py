"""Read UI trees that were kept: one file, or those of a recorded episode."""

from __future__ import annotations

import dataclasses
import zlib
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from garabench.core.events import ActionObserved, Decided, InterruptionInjected, Observed, PerformedEvent
from garabench.core.observation import Focus
from garabench.core.tree import MAX_BYTES, TreeError, UiTree, parse_tree
from garabench.episode.recorder import EVENTS, read_events
from garabench.errors import InputError


@dataclass(frozen=True, slots=True)
class KeptScreen:
    """A tree that was kept.

    Attributes:
        name: Its file, as the person knows it.
        tree: The tree.
        focus: The window in focus, where that is known.
        step: The step it was seen at, where that is known.
        injected: The rule that this screen made inject, if any.
        before: Ids of the rules that had injected before.
        actions: The actions that had been performed, by kind; None where that is not known.
        marks: Of each rule that had injected: the actions when it did so last.
    """

    name: str
    tree: UiTree
    focus: Focus | None = None
    step: int | None = None
    injected: str = ""
    before: frozenset[str] = frozenset()
    actions: Mapping[str, int] | None = None
    marks: Mapping[str, Mapping[str, int]] = field(default_factory=dict)

    def actions_since(self, rule: str) -> Mapping[str, int] | None:
        """The actions since a rule injected, or since the episode began; None where that is not known."""
        if self.actions is None:
            return None
        marked = self.marks.get(rule, {})
        return {kind: count - marked.get(kind, 0) for kind, count in self.actions.items()}


def read_screens(path: Path) -> tuple[KeptScreen, ...]:
    """Read a tree file (``.xml`` or ``.xml.gz``), or every tree of an episode's folder.

    Raises:
        InputError: It is neither, or it is broken.
    """
    if path.is_file():
        return (KeptScreen(path.name, read_tree(path)),)
    if not path.is_dir():
        raise InputError(f"{path} is not there")
    if not (path / EVENTS).is_file():
        raise InputError(
            f"{path} is no recorded episode: there is no {EVENTS}",
            hint="An episode's folder is runs/NAME/episodes/TASK/AGENT/CONDITION/SEED.",
        )
    screens: list[KeptScreen] = []
    before: frozenset[str] = frozenset()
    done: Counter[str] = Counter()
    marks: dict[str, Mapping[str, int]] = {}
    kind = ""
    for event in read_events(path):
        match event:
            case Observed():
                screen = _screen(path, event)
                screens.append(
                    dataclasses.replace(screen, before=before, actions=dict(done), marks=dict(marks))
                )
            case InterruptionInjected() if screens and event.sequence < 2 and event.rule:
                screens[-1] = dataclasses.replace(screens[-1], injected=event.rule)
                before |= {event.rule}
                marks[event.rule] = dict(done)
            case Decided():
                kind = str(event.action.get("type", ""))
            case PerformedEvent() if event.ok:
                done[kind] += 1
            case ActionObserved():
                done["seen"] += 1
    return tuple(screens)


def _screen(folder: Path, event: Observed) -> KeptScreen:
    file = folder / event.tree
    if not file.resolve().is_relative_to(folder.resolve()):
        raise InputError(f"{folder / EVENTS} names a tree outside of its folder: {event.tree}")
    focus = Focus(event.package, event.activity)
    return KeptScreen(event.tree, read_tree(file), focus, event.step)


def read_tree(path: Path) -> UiTree:
    """Read a UI tree.

    Raises:
        InputError: It cannot be read, or is no UI tree.
    """
    try:
        data = path.read_bytes()
        if path.suffix == ".gz":
            data = _unpack(data)
        tree = parse_tree(data)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror or error}") from error
    except (zlib.error, TreeError) as error:
        raise InputError(f"{path} is no UI tree: {error}") from error
    if not tree.nodes:
        raise InputError(f"{path} is a UI tree without an element")
    return tree


def _unpack(data: bytes) -> bytes:
    """Unpack gzip, but not more than a tree may have: a small file can hold a very large one."""
    unpacker = zlib.decompressobj(wbits=31)
    unpacked = unpacker.decompress(data, MAX_BYTES + 1)
    if not unpacker.eof and len(unpacked) <= MAX_BYTES:
        raise TreeError("the compressed file is cut off")
    return unpacked
