"""Propose a goal from the screens before and after a task: what changed, and the object's name."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from garabench.authoring.new_names import check_new_id
from garabench.core.evaluate import evaluate
from garabench.core.goal import PLACEHOLDER, Goal, GoalSchema, bind
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.selector import Selector, find, normalize
from garabench.core.tree import UiNode, UiTree
from garabench.core.yaml_text import flow
from garabench.errors import InputError
from garabench.rules.engine import foreground

_MAX_CONDITIONS = 4
_MAX_TEXT = 60
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NO_NAME = re.compile(r"[^a-z0-9]+")
_STATES = ("checked", "selected")


@dataclass(frozen=True, slots=True)
class GoalProposal:
    """A proposed goal.

    Attributes:
        schema: The goal.
        values: The values of its parameters for the screen after the task.
        text: Its entry in a goals file, with comments.
        app: Its app.
    """

    schema: GoalSchema
    values: Mapping[str, str]
    text: str
    app: str


@dataclass(frozen=True, slots=True)
class _Change:
    """A condition that holds on the screen after a task and not before.

    Attributes:
        condition: The condition.
        comment: What changed.
        rank: Lower is better.
    """

    condition: dict[str, Any]
    comment: str
    rank: int


def propose_goal(
    before: RecordedFacts, after: RecordedFacts, *, goal: str, named: Sequence[str] = ()
) -> GoalProposal:
    """Propose a goal that holds after a task and not before.

    The names of the objects, and texts that contain a number or braces, become parameters.

    Args:
        before: The screen before the decisive action.
        after: The screen after it.
        goal: The goal's id.
        named: The texts that name objects; default: the most prominent text of the screen afterwards.

    Raises:
        InputError: Nothing has changed, the screen does not show an object's name, or the id is wrong.
    """
    check_new_id(goal)
    app = foreground(after)
    changes = sorted(_changes(before.tree, after.tree, app), key=lambda each: each.rank)
    holding = [each for each in _distinct(changes) if _differs(each.condition, before, after)]
    if not holding:
        raise InputError(
            "no element of the second screen differs from the first one",
            hint="Give the screen before the decisive action, and the settled screen after it.",
        )
    objects = _objects(after.tree, app, named)
    values = _Values(is_single=len(objects) == 1)
    naming = [values.named(node) for node in objects]
    ids = {node.entry for node in objects if node.entry}
    others = [each for each in holding if next(iter(each.condition.values())).get("id") not in ids]
    chosen = [values.parametrized(each) for each in (others or holding)[:_MAX_CONDITIONS]]
    schema = GoalSchema.model_validate(
        {
            "id": goal,
            "description": f"{chosen[0].comment}"[:120],
            "params": {name: {"type": "text"} for name in values.texts},
            "holds": {"all": [*naming, *(each.condition for each in chosen)]},
            **({} if values.texts else {"object": "the page shows no name"}),
        }
    )
    bound = bind(schema, dict(values.texts))
    if evaluate(bound.condition, after).holds is not True or evaluate(bound.condition, before).holds:
        raise InputError("the proposed goal does not tell the two screens apart")
    return GoalProposal(schema, values.texts, _text(schema, values.texts, chosen, naming), app)


class _Values:
    """The parameters of a proposed goal.

    Attributes:
        texts: The value of each parameter on the second screen.
    """

    def __init__(self, *, is_single: bool) -> None:
        """Begin without parameters.

        Args:
            is_single: Whether there is one object, whose parameter is ``name``.
        """
        self.texts: dict[str, str] = {}
        self._is_single = is_single

    def named(self, node: UiNode) -> dict[str, Any]:
        """Return the condition that an element names an object, whose name becomes a parameter."""
        field = "text" if node.text else "desc"
        name = self._added("" if self._is_single else node.entry, normalize(node.text or node.desc))
        return {"exists": {**({"id": node.entry} if node.entry else {}), field: f"{{{name}}}"}}

    def parametrized(self, change: _Change) -> _Change:
        """Return a change whose texts that are a parameter's value, or contain a number, are parameters."""
        kind, selector = next(iter(change.condition.items()))
        filled = {
            field: self._parameter(selector.get("id", ""), value) if field in ("text", "desc") else value
            for field, value in selector.items()
        }
        return replace(change, condition={kind: filled})

    def _parameter(self, entry: str, text: str) -> str:
        known = next((name for name, value in self.texts.items() if value == text), None)
        if known is not None:
            return f"{{{known}}}"
        # A text of the app in braces would be read as a parameter.
        if (entry and _NUMBER.search(text)) or PLACEHOLDER.search(text):
            return f"{{{self._added(entry, text)}}}"
        return text

    def _added(self, entry: str, text: str) -> str:
        base = _NO_NAME.sub("_", entry.lower()).strip("_")
        base = base if base[:1].isalpha() else "name"
        taken = {base, *(f"{base}_{number}" for number in range(2, len(self.texts) + 2))}
        name = min(taken - self.texts.keys(), key=lambda each: (len(each), each))
        self.texts[name] = text
        return name


def _changes(before: UiTree, after: UiTree, app: str) -> Iterator[_Change]:
    """Iterate over what differs on the second screen: states, texts, new and missing elements."""
    old = _by_name(before, app)
    new = _by_name(after, app)
    for name, nodes in new.items():
        earlier = old.get(name, [])
        for node in nodes:
            for state in _STATES:
                was = [each for each in earlier if _label(each) == _label(node)] or earlier
                if was and all(getattr(each, state) != getattr(node, state) for each in was):
                    yield _state_change(node, state, is_set=getattr(node, state))
        if earlier and len(nodes) == len(earlier) == 1:
            yield from _text_changes(earlier[0], nodes[0])
        elif not earlier:
            yield from _new_element(nodes[0])
        else:  # a list has another row
            labels = {_label(each) for each in earlier}
            added = (node for node in nodes if name[0] and _label(node) and _label(node) not in labels)
            for node in itertools.islice(added, 1):
                yield from (replace(each, rank=each.rank + 1) for each in _new_element(node))
    for name, nodes in old.items():
        if name not in new and name[0]:
            entry = nodes[0].entry
            yield _Change({"absent": {"id": entry}}, f"the element {entry} is gone", 4)


def _state_change(node: UiNode, state: str, *, is_set: bool) -> _Change:
    selector = _selector(node)
    what = node.entry or _label(node)
    if is_set:
        return _Change({state: selector}, f"{what} is {state}", 0)
    return _Change({"exists": {**selector, state: False}}, f"{what} is no longer {state}", 0)


def _text_changes(earlier: UiNode, node: UiNode) -> Iterator[_Change]:
    for name in ("desc", "text"):
        was, now = normalize(getattr(earlier, name)), normalize(getattr(node, name))
        if was == now or not now or len(now) > _MAX_TEXT or not node.entry:
            continue
        only_number = _NUMBER.sub("0", was) == _NUMBER.sub("0", now)
        label = "description" if name == "desc" else "text"
        comment = f"the {label} of {node.entry} changed from {was[:30]!r} to {now[:30]!r}"
        condition = {"exists": {"id": node.entry, name: now}}
        yield _Change(condition, comment, 3 if only_number or _NUMBER.search(now) else 1)


def _new_element(node: UiNode) -> Iterator[_Change]:
    text = normalize(node.text or node.desc)
    field = "text" if node.text else "desc"
    is_short = bool(text) and len(text) <= _MAX_TEXT and text.isprintable()
    if node.entry and is_short:  # a button says less about the task than a value
        rank = 4 if node.clickable else 2
        yield _Change({"exists": {"id": node.entry, field: text}}, f"the element {node.entry} is new", rank)
    elif node.entry:  # a container says less about the task than what it contains
        rank = 2 if text else 4 if node.clickable else 5
        yield _Change({"exists": {"id": node.entry}}, f"the element {node.entry} is new", rank)
    elif is_short and not _NUMBER.search(text):
        yield _Change({"exists": {field: text}}, f"the text {text[:30]!r} is new", 3)


def _by_name(tree: UiTree, app: str) -> dict[tuple[str, str], list[UiNode]]:
    """Return the visible elements of an app by id, or by class and text if they have none."""
    found: dict[tuple[str, str], list[UiNode]] = {}
    for node in tree.app_nodes:
        if node.package == app and node.visible:
            key = (node.entry, "") if node.entry else ("", f"{node.cls} {_label(node)}")
            found.setdefault(key, []).append(node)
    return found


def _label(node: UiNode) -> str:
    return normalize(node.text) or normalize(node.desc)


def _selector(node: UiNode) -> dict[str, Any]:
    if node.entry:
        label = normalize(node.text)
        return {"id": node.entry, **({"text": label} if label and not _NUMBER.search(label) else {})}
    return {"text" if node.text else "desc": _label(node)} if _label(node) else {"class": node.cls}


def _distinct(changes: Sequence[_Change]) -> list[_Change]:
    """Return the changes without a second one about the same element."""
    seen: Counter[str] = Counter()
    found = []
    for each in changes:
        selector = next(iter(each.condition.values()))
        key = str(selector.get("id", selector))
        seen[key] += 1
        if seen[key] == 1:
            found.append(each)
    return found


def _differs(condition: dict[str, Any], before: RecordedFacts, after: RecordedFacts) -> bool:
    goal = Goal.model_validate({"id": "proposed", "condition": condition})
    return evaluate(goal.condition, after).holds is True and not evaluate(goal.condition, before).holds


def _objects(tree: UiTree, app: str, named: Sequence[str]) -> list[UiNode]:
    """Return the elements that name the objects: those with the texts, or the largest text with an id."""
    nodes = [node for node in tree.app_nodes if node.package == app and node.visible]
    if named:
        return [_showing(nodes, text) for text in named]
    titles = [
        node
        for node in nodes
        if node.entry
        and 2 <= len(normalize(node.text)) <= _MAX_TEXT
        and not node.clickable
        and not _NUMBER.fullmatch(normalize(node.text))
        and len(find(tree, Selector(id=node.entry))) == 1
    ]
    return [max(titles, key=_prominence)] if titles else []


def _showing(nodes: Sequence[UiNode], text: str) -> UiNode:
    wanted = normalize(text)
    for node in nodes:
        if wanted in (normalize(node.text), normalize(node.desc)):
            return node
    raise InputError(f"the second screen does not show the text {text!r}")


def _prominence(node: UiNode) -> tuple[int, int]:
    """Return how likely an element is the page's title: an id that says so, then its height."""
    says = any(part in node.entry for part in ("title", "name", "subject", "heading"))
    return int(says), node.bounds.bottom - node.bounds.top


def _text(
    schema: GoalSchema,
    values: Mapping[str, str],
    changes: Sequence[_Change],
    naming: Sequence[dict[str, Any]],
) -> str:
    lines = [f"  - id: {schema.id}", f"    description: {flow(schema.description)}"]
    if values:
        lines += ["    params:", "      # Which object it must be, and with which values."]
        lines += [
            f"      {name}: {{type: text}}  # {' '.join(text.split())}" for name, text in values.items()
        ]
    else:
        lines.append(f"    object: {flow(schema.object)}")
    lines += ["    holds:", "      all:", *(f"        - {flow(each)[1:-1]}" for each in naming)]
    for each in changes:
        lines.append(f"        - {flow(each.condition)[1:-1]}  # {' '.join(each.comment.split())}")
    return "\n".join([*lines, ""])
