"""Faults within one entry: selectors that test the wrong element, follow-ups, keywords."""

from __future__ import annotations

import difflib
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from garabench.authoring.d_gara.data_fault import DataFault, DataFaultKind
from garabench.authoring.d_gara.reference_faults import tasks_by_interruption
from garabench.authoring.d_gara.released_data import (
    RULES,
    Interference,
    ReleasedData,
    ReleasedRule,
    ReleasedTask,
)
from garabench.core.condition import fold
from garabench.lint.screen_texts import ScreenTexts

PAIR = re.compile(r"^([a-z-]+)='([^']*)'$")
"""A selector that the released runner can evaluate: one attribute, equal to a value."""
_FORCE_STOP = re.compile(r"\bam force-stop (\S+)")
_IDEOGRAPH = "\u3400-\u9fff"
_SPACE = re.compile(rf"(?<=[{_IDEOGRAPH}])\s|\s(?=[{_IDEOGRAPH}])")
_SEARCHED = re.compile(r"(?:搜索|浏览|导航到|search for|named)\s*[“‘「\"'](.+?)[”’」\"']")
_NUMBERED = re.compile(r"Rule for task \d+: \d+\.\s*(.+)")
_SHORTEST_WORD = 4
_SIMILAR = 0.85
_SAME_INSTRUCTION = 0.5
_CHARACTERISTIC = 2
"""How many keywords the other rules of a goal must share to tell that a rule is not one of them."""


def selector_faults(data: ReleasedData) -> Iterator[DataFault]:
    """Find conditions that select by class alone, and selectors with an unknown operator."""
    users: defaultdict[str, list[int]] = defaultdict(list)
    for task in data.tasks:
        users[task.goal].append(task.id)
    for name, goal in data.goals.items():
        for at, condition in goal.tests():
            place = data.goal_place(name, (*at, "selector"))
            found = PAIR.match(condition.selector)
            affected = tuple(users.get(name, ()))
            if found is None:
                message = f"the goal {name} selects {condition.selector!r}: only attribute='value' is known"
                yield DataFault(DataFaultKind.NEVER_MATCHES, name, message, place, affected)
            elif found[1] == "class":
                message = f"the goal {name} tests the first {found[2]} of the screen, whichever it is"
                yield DataFault(DataFaultKind.BARE_CLASS, name, message, place, affected)


def follow_up_faults(data: ReleasedData) -> Iterator[DataFault]:
    """Find follow-ups that stop another app than the task's, and restarts that only stop it."""
    apps = {task.id: task.app for task in data.tasks}
    users = tasks_by_interruption(data)
    for name, entry in data.library.items():
        tasks = users.get(name, ())
        own = {apps[task] for task in tasks}
        for event, steps in entry.post_actions.items():
            stopped = [package for step in steps for package in _FORCE_STOP.findall(step.command)]
            place = data.documents["interference_library.yaml"].place(
                ("interference_library", list(data.library).index(name), "post_actions", event), key=True
            )
            for package in stopped:
                if own and package not in own:
                    message = f"{name} stops {package}, but interrupts {', '.join(sorted(own))}"
                    yield DataFault(DataFaultKind.WRONG_PACKAGE, name, message, place, tasks)
            if stopped and _restarts(entry, event) and len(steps) == len(stopped):
                message = f"{name} promises a restart, but its follow-up only stops the app"
                yield DataFault(DataFaultKind.ONLY_STOPPED, name, message, place, tasks)


def _restarts(entry: Interference, event: str) -> bool:
    """Return whether the button behind an event promises a restart."""
    logged = [key for key, value in entry.params.items() if f"EVENT:{value}" == event]
    labels = [entry.params.get(key.replace("log_event", "btn_text"), "") for key in logged]
    labels += [entry.params.get(key.replace("log_event", "button_text"), "") for key in logged]
    return any("重启" in label or "restart" in label.casefold() for label in labels)


def keyword_faults(data: ReleasedData, screens: ScreenTexts) -> Iterator[DataFault]:
    """Find rules that were written for another task, and keywords that no screen shows as they are written.

    Args:
        data: The released data.
        screens: The texts on the apps' screens, which tell a misspelt keyword.
    """
    users: defaultdict[str, list[ReleasedTask]] = defaultdict(list)
    for task in data.tasks:
        for name in task.rules:
            users[name].append(task)
    objects = {task.id: frozenset(_SEARCHED.findall(task.instruction)) for task in data.tasks}
    for name, rule in data.rules.items():
        tasks = users.get(name, [])
        numbers = tuple(task.id for task in tasks)
        if reason := _written_for_another(rule, tasks, users, data.rules):
            message = f"{name}: {reason}"
            yield DataFault(DataFaultKind.RULE_OF_ANOTHER_TASK, name, message, data.rule_place(name), numbers)
        for word in rule.keywords:
            foreign = [
                other.id
                for other in data.tasks
                if tasks and other.app == tasks[0].app and word in objects[other.id]
            ]
            if foreign and not any(word in task.instruction for task in tasks):
                message = f"{name}: the keyword {word!r} is the object of task {foreign[0]}"
                yield DataFault(
                    DataFaultKind.KEYWORD_OF_ANOTHER_TASK, name, message, data.rule_place(name), numbers
                )
        yield from _spelling(data, name, rule, numbers, screens)


def _written_for_another(
    rule: ReleasedRule,
    tasks: list[ReleasedTask],
    users: Mapping[str, list[ReleasedTask]],
    rules: Mapping[str, ReleasedRule],
) -> str:
    """Return the evidence that a rule was written for another task; empty if there is none."""
    described = _NUMBERED.match(rule.description)
    if described and tasks and not any(_similar(described[1], task.instruction) for task in tasks):
        return f"its description quotes an instruction that its task does not have: {described[1]}"
    if len({task.goal for task in tasks}) != 1:
        return ""
    goal = tasks[0].goal
    own = frozenset(rule.keywords)
    same_goal: list[frozenset[str]] = []
    others: list[frozenset[str]] = []
    for name, found in users.items():
        if name in rules and rules[name] is not rule and found:
            words = frozenset(rules[name].keywords)
            (same_goal if any(task.goal == goal for task in found) else others).append(words)
    shared = frozenset.intersection(*same_goal) if len(same_goal) > 1 else frozenset()
    if len(shared) >= _CHARACTERISTIC and not shared & own and own in others:
        return (
            f"it has none of the keywords {', '.join(sorted(shared))} of the other rules of its goal, "
            "but those of another goal's rules"
        )
    return ""


def _similar(one: str, other: str) -> bool:
    """Return whether two instructions differ at most in details."""
    return difflib.SequenceMatcher(None, one, other).ratio() > _SAME_INSTRUCTION


def _spelling(
    data: ReleasedData, name: str, rule: ReleasedRule, tasks: tuple[int, ...], screens: ScreenTexts
) -> Iterator[DataFault]:
    """Find keywords with stray spaces or misspelt words."""
    app = _app_of(data, name, tasks)
    for word in rule.keywords:
        if _SPACE.search(word):
            if app in screens.apps and screens.shows(app, word):
                continue  # the app writes it with the space
            plain = re.sub(r"\s", "", word)
            is_written = _is_written(data, name, plain)
            source = f"other entries write {plain!r}" if is_written else _known_as(app, plain, screens)
            message = f"{name}: the keyword {word!r} has spaces; {source}"
            place = data.rule_place(name)
            yield DataFault(DataFaultKind.STRAY_SPACE, name, message, place, tasks, suspected=not is_written)
        elif right := _misspelt(app, word, screens):
            message = f"{name}: the keyword {word!r} is misspelt; the screen shows {right!r}"
            yield DataFault(DataFaultKind.MISSPELT, name, message, data.rule_place(name), tasks)


def _is_written(data: ReleasedData, name: str, plain: str) -> bool:
    """Return whether an entry other than this rule has a keyword without its spaces."""
    others = (each for rule, each in data.rules.items() if rule != name)
    return any(plain in text for each in others for text in (*each.keywords, each.description)) or any(
        plain in text for file, each in data.documents.items() if file != RULES for text in _texts(each.data)
    )


def _known_as(app: str, plain: str, screens: ScreenTexts) -> str:
    """Say why a keyword may have no spaces although no other entry has it without."""
    if app in screens.apps and screens.shows(app, plain):
        return f"no other entry has it, but the screen texts of {app} have {plain!r}"
    return f"no other entry or known screen has {plain!r}, but Chinese text is usually written without spaces"


def _texts(value: object) -> Iterator[str]:
    """Iterate over all texts in a file's data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list):
        for each in value:
            yield from _texts(each)


def _app_of(data: ReleasedData, rule: str, tasks: tuple[int, ...]) -> str:
    """Return the app of a rule: that of its tasks, or else the one whose package has the name in its id."""
    for task in data.tasks:
        if task.id in tasks:
            return task.app
    named = rule.split("_")[1] if rule.count("_") else ""
    return next((app for app in sorted(_APPS) if named and named in app.casefold().split(".")), "")


_APPS = frozenset({"com.amazon.mShop.android.shopping"})
"""Apps with rules but no task."""


def _misspelt(app: str, word: str, screens: ScreenTexts) -> str:
    """Return the screen text whose words are the keyword's but for a misspelt one; empty if none is."""
    if app not in screens.apps or not word.isascii() or screens.shows(app, word):
        return ""
    mine = fold(word).split()
    for text in sorted(screens.apps[app].texts):
        other = fold(text).split()
        if len(other) != len(mine):
            continue
        differing = [(a, b) for a, b in zip(mine, other, strict=True) if a != b]
        if len(differing) == 1 and _nearly_equal(*differing[0]):
            return text
    return ""


def _nearly_equal(one: str, other: str) -> bool:
    long = min(len(one), len(other)) >= _SHORTEST_WORD
    return long and difflib.SequenceMatcher(None, one, other).ratio() > _SIMILAR
