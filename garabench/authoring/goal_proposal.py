"""Propose a goal from the screens before and after a task: what changed, and the object's name."""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from garabench.authoring.new_names import check_new_id
from garabench.authoring.page_frame import is_frame
from garabench.core.evaluate import evaluate
from garabench.core.goal import PLACEHOLDER, Goal, GoalSchema, bind
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.screen_structure import SAME_STRUCTURE, structure_similarity
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
_BUTTON, _NOISE, _CONTAINER = 4, 5, 6
_COUNT = re.compile(
    r"\d[\d.,]*\s*(?:[万亿kKmM]?\+?|%)"  # a number by itself, such as 301.7万
    r"|.*\d[\d.,]*\s*[万亿kKmM]?\+?\s*(?:粉丝|关注|获赞|赞|评论|条评价|次播放|播放|人看过|人付款|followers?|following|"
    r"likes?|comments?|views?|ratings?|reviews?|interested|sold|subscribers?).*"
    r"|(?:已售|销量|播放|粉丝|获赞).*\d.*",
    re.IGNORECASE,
)
"""Counts change while nothing else does, also without the user."""
_MONEY_OR_NUMBER = re.compile(r"[¥$€£]?\s*\d")


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
    chosen = [values.parametrized(each) for each in _telling(others or holding, set(values.texts.values()))]
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


def _telling(changes: Sequence[_Change], named: set[str]) -> Sequence[_Change]:
    """Return the changes that say most, the best first: without repeated texts.

    Buttons and missing elements are used only if there is nothing better, and noise only without those.

    Args:
        changes: The changes by rank.
        named: The objects' names, which other conditions need not repeat.
    """
    texts = set(named)
    fresh: list[_Change] = []
    for each in changes:
        kind, selector = next(iter(each.condition.items()))
        shown = selector.get("text", selector.get("desc"))
        if kind == "exists" and shown is not None and shown in texts and "selected" not in selector:
            continue
        texts |= {shown} if kind == "exists" and shown is not None else set()
        fresh.append(each)
    for limit in (_BUTTON, _NOISE):
        if better := [each for each in fresh if each.rank < limit]:
            return better[:_MAX_CONDITIONS]
    return (fresh or changes)[:_MAX_CONDITIONS]


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
    states = list(_state_changes(old, new))
    yield from states
    for name, nodes in new.items():
        earlier = old.get(name, [])
        if earlier and len(nodes) == len(earlier) == 1:
            yield from _text_changes(earlier[0], nodes[0], has_state=bool(states))
        elif not earlier:
            rank = _NOISE if len(nodes) > 1 else 0  # the first of several rows is any of them
            yield from (replace(each, rank=max(each.rank, rank)) for each in _new_element(nodes[0]))
        else:  # a list has another row
            labels = {_label(each) for each in earlier}
            added = (node for node in nodes if name[0] and _label(node) and _label(node) not in labels)
            for node in itertools.islice(added, 1):
                yield from (replace(each, rank=each.rank + 1) for each in _new_element(node))
    is_same_page = structure_similarity(before, after) >= SAME_STRUCTURE
    for name, nodes in old.items():
        if name not in new and name[0]:
            entry = nodes[0].entry
            rank = _BUTTON if is_same_page and not is_frame(nodes[0]) else _NOISE
            yield _Change({"absent": {"id": entry}}, f"the element {entry} is gone", rank)


def _state_changes(
    old: Mapping[tuple[str, str], Sequence[UiNode]], new: Mapping[tuple[str, str], Sequence[UiNode]]
) -> Iterator[_Change]:
    """Iterate over elements whose state changed; that a choice left its former place is noise."""
    found: list[tuple[UiNode, str]] = []
    for name, nodes in new.items():
        earlier = old.get(name, [])
        for node in nodes:
            for state in _STATES:
                was = [each for each in earlier if _label(each) == _label(node)] or earlier
                if was and all(getattr(each, state) != getattr(node, state) for each in was):
                    found.append((node, state))
    chosen = {(node.cls, state) for node, state in found if getattr(node, state)}
    for node, state in found:
        is_set = getattr(node, state)
        is_choice = state == "selected" or node.cls.endswith("RadioButton")
        rank = 0
        if is_frame(node):
            rank = 3  # another tab is the way to the object rather than the object
        if not is_set and is_choice and (node.cls, state) in chosen:
            rank = _NOISE
        yield replace(_state_change(node, state, is_set=is_set), rank=rank)


def _state_change(node: UiNode, state: str, *, is_set: bool) -> _Change:
    selector = _selector(node)
    what = node.entry or _label(node)
    if is_set:
        return _Change({state: selector}, f"{what} is {state}", 0)
    return _Change({"exists": {**selector, state: False}}, f"{what} is no longer {state}", 0)


def _text_changes(earlier: UiNode, node: UiNode, *, has_state: bool) -> Iterator[_Change]:
    """Iterate over the texts of an element that changed.

    Args:
        earlier: The element before.
        node: The element afterwards.
        has_state: Whether the state of an element changed as well; a number then only counts how often.
    """
    for name in ("desc", "text"):
        was, now = normalize(getattr(earlier, name)), normalize(getattr(node, name))
        if was == now or not now or len(now) > _MAX_TEXT or not node.entry:
            continue
        only_number = _NUMBER.sub("0", was) == _NUMBER.sub("0", now)
        label = "description" if name == "desc" else "text"
        comment = f"the {label} of {node.entry} changed from {was[:30]!r} to {now[:30]!r}"
        condition = {"exists": {"id": node.entry, name: now}}
        rank = 3 if only_number or _NUMBER.search(now) else 1
        if is_frame(node) or (has_state and _COUNT.fullmatch(now)):
            rank = _NOISE
        yield _Change(condition, comment, rank)


def _new_element(node: UiNode) -> Iterator[_Change]:
    text = normalize(node.text or node.desc)
    field = "text" if node.text else "desc"
    is_short = bool(text) and len(text) <= _MAX_TEXT and text.isprintable()
    is_noise = is_frame(node) or bool(_COUNT.fullmatch(text))
    if node.entry and is_short:  # a button says less about the task than a value
        rank = _NOISE if is_noise else _BUTTON if node.clickable else 2
        yield _Change({"exists": {"id": node.entry, field: text}}, f"the element {node.entry} is new", rank)
    elif node.entry:  # a container says less about the task than what it contains
        rank = _NOISE if is_noise else 2 if text else _BUTTON if node.clickable else _CONTAINER
        yield _Change({"exists": {"id": node.entry}}, f"the element {node.entry} is new", rank)
    elif is_short and not _NUMBER.search(text):
        rank = _NOISE if is_noise else _BUTTON if node.clickable else 3
        yield _Change({"exists": {field: text}}, f"the text {text[:30]!r} is new", rank)


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


def _prominence(node: UiNode) -> tuple[bool, bool, bool, int]:
    """Return how likely an element names the object: not in the toolbar, no number, by its id, its height."""
    says = any(part in node.entry for part in ("title", "name", "subject", "heading"))
    text = normalize(node.text)
    is_number = bool(_MONEY_OR_NUMBER.match(text) or _COUNT.fullmatch(text))
    return not is_frame(node), not is_number, says, node.bounds.bottom - node.bounds.top


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
