"""Propose a goal from the screens before and after a task: what changed, and the object's name."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from garabench.core.evaluate import evaluate
from garabench.core.goal import GoalSchema, bind
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.selector import Selector, find, normalize
from garabench.core.tree import UiNode, UiTree
from garabench.core.yaml_text import flow
from garabench.errors import InputError
from garabench.rules.engine import foreground

_MAX_CONDITIONS = 4
_MAX_TEXT = 60
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
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
    before: RecordedFacts, after: RecordedFacts, *, goal: str, named: str | None = None
) -> GoalProposal:
    """Propose a goal that holds after a task and not before.

    Args:
        before: The screen before the decisive action.
        after: The screen after it.
        goal: The goal's id.
        named: The text that names the object; default: the most prominent text of the screen afterwards.

    Raises:
        InputError: Nothing has changed, or the screen does not show the object's name.
    """
    app = foreground(after)
    changes = sorted(_changes(before.tree, after.tree, app), key=lambda each: each.rank)
    holding = [each for each in _distinct(changes) if _differs(each.condition, before, after)]
    if not holding:
        raise InputError(
            "no element of the second screen differs from the first one",
            hint="Give the screen before the decisive action, and the settled screen after it.",
        )
    node = _object(after.tree, app, named)
    values = {} if node is None else {"name": normalize(node.text or node.desc)}
    condition = [] if node is None else [_naming(node)]
    named_id = "" if node is None else node.entry
    others = [each for each in holding if next(iter(each.condition.values())).get("id") != named_id]
    chosen = [_parametrized(each, values) for each in (others or holding)[:_MAX_CONDITIONS]]
    schema = GoalSchema.model_validate(
        {
            "id": goal,
            "description": f"{chosen[0].comment}"[:120],
            "params": {} if node is None else {"name": {"type": "text"}},
            "holds": {"all": [*condition, *(each.condition for each in chosen)]},
            **({} if node is not None else {"object": "the page shows no name"}),
        }
    )
    bound = bind(schema, dict(values))
    if evaluate(bound.condition, after).holds is not True or evaluate(bound.condition, before).holds:
        raise InputError("the proposed goal does not tell the two screens apart")
    return GoalProposal(schema, values, _text(schema, values, chosen, condition), app)


def _parametrized(change: _Change, values: Mapping[str, str]) -> _Change:
    """Return a change whose texts that name the object are the parameter."""
    kind, selector = next(iter(change.condition.items()))
    filled = {
        field: "{name}" if field in ("text", "desc") and text == values.get("name") else text
        for field, text in selector.items()
    }
    return replace(change, condition={kind: filled})


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
    is_label = bool(text) and len(text) <= _MAX_TEXT and not _NUMBER.search(text)
    if node.entry and is_label:
        yield _Change({"exists": {"id": node.entry, field: text}}, f"the element {node.entry} is new", 2)
    elif node.entry:  # a container says less about the task than what it contains
        rank = 2 if text or node.clickable else 5
        yield _Change({"exists": {"id": node.entry}}, f"the element {node.entry} is new", rank)
    elif is_label:
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
    goal = bind(
        GoalSchema.model_validate(
            {"id": "proposed", "description": "proposed", "holds": condition, "object": "proposed"}
        ),
        {},
    )
    return evaluate(goal.condition, after).holds is True and not evaluate(goal.condition, before).holds


def _object(tree: UiTree, app: str, named: str | None) -> UiNode | None:
    """Return the element that names the object: the one with a text, or the largest text with an id."""
    nodes = [node for node in tree.app_nodes if node.package == app and node.visible]
    if named is not None:
        wanted = normalize(named)
        for node in nodes:
            if wanted in (normalize(node.text), normalize(node.desc)):
                return node
        raise InputError(f"the second screen does not show the text {named!r}")
    titles = [
        node
        for node in nodes
        if node.entry
        and 2 <= len(normalize(node.text)) <= _MAX_TEXT
        and not node.clickable
        and not _NUMBER.fullmatch(normalize(node.text))
        and len(find(tree, Selector(id=node.entry))) == 1
    ]
    return max(titles, key=_prominence, default=None)


def _prominence(node: UiNode) -> tuple[int, int]:
    """Return how likely an element is the page's title: an id that says so, then its height."""
    says = any(part in node.entry for part in ("title", "name", "subject", "heading"))
    return int(says), node.bounds.bottom - node.bounds.top


def _naming(node: UiNode) -> dict[str, Any]:
    field = "text" if node.text else "desc"
    return {"exists": {**({"id": node.entry} if node.entry else {}), field: "{name}"}}


def _text(
    schema: GoalSchema,
    values: Mapping[str, str],
    changes: Sequence[_Change],
    naming: Sequence[dict[str, Any]],
) -> str:
    lines = [f"  - id: {schema.id}", f"    description: {flow(schema.description)}"]
    if values:
        lines += ["    params:", "      # The object: which one it must be."]
        lines.append(f"      name: {{type: text}}  # {' '.join(values['name'].split())}")
    else:
        lines.append(f"    object: {flow(schema.object)}")
    lines += ["    holds:", "      all:", *(f"        - {flow(each)[1:-1]}" for each in naming)]
    for each in changes:
        lines.append(f"        - {flow(each.condition)[1:-1]}  # {' '.join(each.comment.split())}")
    return "\n".join([*lines, ""])
