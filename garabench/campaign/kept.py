"""The facts of a moment, kept so that other goals can be asked of them later, without a device."""

from __future__ import annotations

import base64
import binascii
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from garabench.core.condition import (
    AllOf,
    AnyOf,
    Condition,
    ContentHas,
    Not,
    PackageStateIs,
    SettingIs,
)
from garabench.core.observation import Focus
from garabench.core.tree import TreeError, UiTree, parse_tree
from garabench.core.verdict import Facts

Question = tuple[str, ...]
"""What a goal asks beside the screen: ``("setting", namespace, key)``, ``("content", uri)`` and the like."""


def questions(conditions: Iterable[Condition]) -> frozenset[Question]:
    """What conditions ask beside the screen, the focus and the answer."""
    return frozenset(asked for condition in conditions for asked in _asked(condition))


def _asked(condition: Condition) -> Iterator[Question]:
    match condition:
        case AllOf():
            yield from questions(condition.all)
        case AnyOf():
            yield from questions(condition.any)
        case Not():
            yield from _asked(condition.not_)
        case SettingIs():
            yield ("setting", condition.setting.namespace, condition.setting.key)
        case PackageStateIs():
            yield ("package", condition.package_state.package, condition.package_state.is_)
        case ContentHas():
            yield ("content", condition.content.uri)


@dataclass(frozen=True, slots=True)
class KeptFacts:
    """Facts that were read at one moment; see `garabench.core.verdict.Facts`.

    Attributes:
        tree: The settled screen.
        answer: The answer that was given, or None.
        focus: The window in focus, or None.
        told: What was read beside them; what was not asked then is unknown.
    """

    tree: UiTree
    answer: str | None
    focus: Focus | None
    told: tuple[tuple[Question, str | bool | None], ...] = ()

    def setting(self, namespace: str, key: str) -> str | None:
        """A system setting."""
        return self._text(("setting", namespace, key))

    def package_state(self, package: str, state: str) -> bool | None:
        """Whether a package is ``installed`` or ``running``."""
        value = dict(self.told).get(("package", package, state))
        return value if isinstance(value, bool) else None

    def content(self, uri: str) -> str | None:
        """The rows of a content query."""
        return self._text(("content", uri))

    def _text(self, question: Question) -> str | None:
        value = dict(self.told).get(question)
        return value if isinstance(value, str) else None

    def to_json(self) -> dict[str, Any]:
        """As JSON-like data."""
        return {
            "tree": base64.b64encode(zlib.compress(self.tree.to_xml())).decode("ascii"),
            "answer": self.answer,
            "focus": [self.focus.package, self.focus.activity] if self.focus else None,
            "told": [[list(question), value] for question, value in self.told],
        }


def keep(facts: Facts, asked: Iterable[Question]) -> KeptFacts:
    """Read facts and keep them.

    Raises:
        DeviceError: The device is gone.
    """
    told = tuple((question, _ask(facts, question)) for question in sorted(asked))
    return KeptFacts(facts.tree, facts.answer, facts.focus, told)


def _ask(facts: Facts, question: Question) -> str | bool | None:
    kind, *values = question
    match kind:
        case "setting":
            return facts.setting(values[0], values[1])
        case "package":
            return facts.package_state(values[0], values[1])
        case _:
            return facts.content(values[0])


def read_kept(data: dict[str, Any]) -> KeptFacts:
    """Read back what `KeptFacts.to_json` gave.

    Raises:
        ValueError, TypeError, KeyError: It is not that.
    """
    try:
        tree = parse_tree(zlib.decompress(base64.b64decode(data["tree"], validate=True)))
    except (binascii.Error, zlib.error, TreeError) as error:
        raise ValueError(f"the kept tree cannot be read: {error}") from error
    focus = data["focus"]
    return KeptFacts(
        tree,
        data["answer"],
        Focus(*focus) if focus is not None else None,
        tuple((tuple(question), value) for question, value in data["told"]),
    )
