"""docs/suite.md: what the suite is made of, from its files."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from statistics import median

from garabench.campaign.exits import ways_out
from garabench.campaign.suite import Suite, SuiteTask
from garabench.core.interruption import Category, Interruption, Mode
from garabench.core.steps import AnswerStep, OpenAppStep
from garabench.core.task import MissKind
from garabench.report.markdown import table
from garabench.report.suite_words import (
    DIFFERENCES,
    HOW_MADE,
    INFEASIBLE_WORDS,
    INTERRUPTIONS,
    KINDS,
    MODES,
    NAMES,
    OPENING,
)

PICTURES = "images/suite"
_LONG = 9
_LENGTHS = ((1, 3), (4, 5), (6, 8), (9, 11), (12, 15), (16, 99))


def suite_page(suite: Suite) -> str:
    """The page's text.

    Args:
        suite: The suite.
    """
    apps = _by_app(suite)
    parts = [
        "# The suite\n\n<!-- Made by `garabench tasks page`; do not edit. -->\n",
        _filled(OPENING.format(tasks=len(suite.tasks), apps=len(apps))),
        _apps(apps),
        "## Tasks\n",
        _tasks(apps),
        "## Kinds\n\nBy their tags; a task may be of several kinds.\n",
        _counted("kind", KINDS, apps, _is_of_kind),
        "## Length\n\nSteps of the reference solution.\n",
        _counted("steps", {_span(span): span for span in _LENGTHS}, apps, _is_as_long),
        "## Near misses\n\nBy the mistake that they make.\n",
        _near_misses(apps),
        "## Rules\n\nBy the category of what they inject; a rule counts once for each task that names it.\n",
        _rules(suite, apps),
        "## Modes\n",
        _filled(MODES),
        _modes(suite, apps),
        "## Interruptions\n",
        _filled(INTERRUPTIONS),
        _interruptions(suite),
        *_infeasible(suite),
        "## How the tasks were made\n",
        _filled(HOW_MADE),
        "## What differs from D-GARA's release\n",
        "".join(f"- {_filled(text, '  ')}" for text in DIFFERENCES),
    ]
    return "\n".join(part.rstrip("\n") + "\n" for part in parts)


def _filled(text: str, indent: str = "") -> str:
    paragraphs = text.strip().split("\n\n")
    made = [
        textwrap.fill(" ".join(each.split()), 116, subsequent_indent=indent, break_on_hyphens=False)
        for each in paragraphs
    ]
    return "\n\n".join(made) + "\n"


Apps = Mapping[str, Sequence[SuiteTask]]


def _by_app(suite: Suite) -> Apps:
    found: dict[str, list[SuiteTask]] = {}
    for item in suite.tasks.values():
        found.setdefault(item.app, []).append(item)
    return dict(sorted(found.items(), key=lambda pair: (-len(pair[1]), pair[0])))


def _name(app: str) -> str:
    return NAMES.get(app, app)


def _apps(apps: Apps) -> str:
    """A picture of each app."""
    cells = [
        f'<td align="center"><img src="{PICTURES}/{items[0].group}.png" width="150" '
        f'alt="{_name(app)} on the virtual phone"><br>{_name(app)}</td>'
        for app, items in apps.items()
    ]
    rows = [cells[start : start + 4] for start in range(0, len(cells), 4)]
    return "<table>\n" + "".join(f"<tr>\n{chr(10).join(row)}\n</tr>\n" for row in rows) + "</table>\n"


def _tasks(apps: Apps) -> str:
    rows: list[list[str | int]] = []
    for app, items in apps.items():
        lengths = [len(item.task.solution) for item in items]
        first = Counter(next(iter(item.task.instruction)) for item in items)
        rows.append(
            [
                _name(app),
                len(items),
                first["zh"],
                first["en"],
                f"{min(lengths)}–{max(lengths)} ({median(lengths):g})",
                sum(length >= _LONG for length in lengths),
                sum(_answers(item) for item in items),
                sum(_crosses(item) for item in items),
            ]
        )
    head = ["app", "tasks", "zh", "en", "steps (median)", f"{_LONG} steps or more", "answers", "two apps"]
    text = table(head, rows, total="all")
    every = Counter(next(iter(item.task.instruction)) for items in apps.values() for item in items)
    shares = ", ".join(f"{number / every.total():.0%} {language}" for language, number in every.most_common())
    return text + f"\nThe instruction's first language counts ({shares}); each task has both.\n"


def _answers(item: SuiteTask) -> bool:
    return any(isinstance(step, AnswerStep) for step in item.task.solution)


def _crosses(item: SuiteTask) -> bool:
    return any(isinstance(step, OpenAppStep) for step in item.task.solution) or "cross-app" in item.task.tags


def _counted(
    what: str, groups: Mapping[str, object], apps: Apps, belongs: Callable[[SuiteTask, object], bool]
) -> str:
    rows: list[list[str | int]] = [
        [name, *(sum(belongs(item, group) for item in items) for items in apps.values())]
        for name, group in groups.items()
    ]
    return _summed(what, apps, rows)


def _summed(what: str, apps: Apps, rows: Iterable[Sequence[str | int]]) -> str:
    """A table by app whose last column is the sum."""
    whole = [[*row, sum(cell for cell in row if isinstance(cell, int))] for row in rows]
    return table([what, *map(_name, apps), "all"], [row for row in whole if row[-1]])


def _is_of_kind(item: SuiteTask, tags: object) -> bool:
    return isinstance(tags, frozenset) and not tags.isdisjoint(item.task.tags)


def _is_as_long(item: SuiteTask, span: object) -> bool:
    return isinstance(span, tuple) and span[0] <= len(item.task.solution) <= span[1]


def _span(span: tuple[int, int]) -> str:
    return f"{span[0]} to {span[1]}" if span != _LENGTHS[-1] else f"{span[0]} or more"


def _near_misses(apps: Apps) -> str:
    rows: list[list[str | int]] = []
    for kind in MissKind:
        counts = [
            sum(miss.kind is kind for item in items for miss in item.task.near_misses)
            for items in apps.values()
        ]
        rows.append([kind.value, *counts])
    return _summed("kind", apps, rows)


def _rules(suite: Suite, apps: Apps) -> str:
    shown = {app: Counter(each.category for each in _shown(items, suite)) for app, items in apps.items()}
    every = sum((counts.total() for counts in shown.values()), 0)
    rows: list[list[str | int]] = []
    for category in Category:
        counts = [found[category] for found in shown.values()]
        if sum(counts):
            rows.append([category.value, *counts, sum(counts), _share(sum(counts), every)])
    return table(["category", *map(_name, apps), "all", "share"], rows, total="every one")


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.0%}"


def _shown(items: Iterable[SuiteTask], suite: Suite) -> list[Interruption]:
    """The windows that the rules of tasks inject."""
    return [window for item in items for _, window in _injections(item, suite)]


def _injections(item: SuiteTask, suite: Suite) -> list[tuple[str, Interruption]]:
    """The rules of a task with the windows that they inject."""
    names = [(bound.rule.id, name) for bound in suite.rules_of(item) for name in bound.rule.inject]
    return [(rule, suite.interruptions[name]) for rule, name in names if name in suite.interruptions]


def _modes(suite: Suite, apps: Apps) -> str:
    shown = [_shown(items, suite) for items in apps.values()]
    rows: list[list[str | int]] = [["shown, in both modes alike", *map(len, shown)]]
    ways = [[ways_out(each, suite.interruptions) for each in windows] for windows in shown]
    for mode in Mode:
        rows.append(
            [f"ways out in {mode.value} mode", *(sum(len(each[mode]) for each in app) for app in ways)]
        )
    return _summed("interruptions", apps, rows)


def _interruptions(suite: Suite) -> str:
    met: dict[str, list[tuple[str, str]]] = {}
    for item in suite.tasks.values():
        for rule, window in _injections(item, suite):
            met.setdefault(window.id, []).append((item.app, rule))
    sums = Counter[Category]()
    for name, places in met.items():
        sums[suite.interruptions[name].category] += len(places)
    rows: list[list[str | int]] = []
    for name, places in sorted(met.items(), key=lambda pair: (-len(pair[1]), pair[0])):
        window = suite.interruptions[name]
        ways = ways_out(window, suite.interruptions)
        rows.append(
            [
                f"`{name}`",
                window.category.value,
                len(places),
                _share(len(places), sums[window.category]),
                len({rule for _, rule in places}),
                len({app for app, _ in places}),
                len(ways[Mode.DUAL]),
                len(ways[Mode.FORCED]),
            ]
        )
    head = [
        "interruption",
        "category",
        "tasks and rules",
        "of its category",
        "rules",
        "apps",
        "dual",
        "forced",
    ]
    return table(head, rows)


def _infeasible(suite: Suite) -> Sequence[str]:
    """The tasks beside the suite, with the reason for each; nothing where there is none."""
    items = suite.infeasible.values()
    if not items:
        return ()
    lines = ["| task | app | steps | rules | near misses | it cannot be done because |"]
    lines.append("| --- | --- | ---: | ---: | ---: | --- |")
    for item in sorted(items, key=lambda each: (_name(each.app), each.task.id)):
        why = item.task.infeasible.because if item.task.infeasible else {}
        cells = (
            f"`{item.task.id}`",
            _name(item.app),
            len(item.task.solution),
            len(item.task.rules),
            len(item.task.near_misses),
            why.get("en") or next(iter(why.values()), ""),
        )
        lines.append(f"| {' | '.join(map(str, cells))} |")
    told = INFEASIBLE_WORDS.format(tasks=len(items), apps=len({item.app for item in items}))
    return ("## Tasks that cannot be done\n\n" + _filled(told), "\n".join(lines) + "\n")
