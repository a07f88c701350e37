"""Check that the search terms of rules, goals and tasks occur on a screen of their apps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from garabench.core.condition import fold
from garabench.core.goal import PLACEHOLDER, GoalSchema, GoalUse, fill_placeholders
from garabench.core.patterns import check_pattern
from garabench.core.suggestions import did_you_mean
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError
from garabench.lint.keywords import hint_for_missing_text, rules_as_written, typed_texts
from garabench.lint.packages import opened
from garabench.lint.screen_texts import ScreenTexts
from garabench.lint.search_terms import SearchTerm, TermKind, search_terms
from garabench.suite.suite import SuiteSources, SuiteTask

_ANY = "any"
_PATHS = ("solution", "alternatives", "near_misses")
_MESSAGES = {
    TermKind.ID: "no screen of {app} has the id {text!r}",
    TermKind.WHOLE: "no screen of {app} shows the text {text!r}",
    TermKind.PART: "no screen of {app} shows a text containing {text!r}",
    TermKind.PATTERN: "no screen of {app} shows a text matching {text!r}",
}


def unknown_targets(sources: SuiteSources, shown: ScreenTexts) -> Iterator[InputError]:
    """Find ids and texts in rules, goals and tasks that no screen of their app shows.

    Texts that the suite's tasks type count as well. Numbers vary and are not compared. Apps whose screens are
    unknown are skipped, as are parts that a goal declares as guards: these cannot be seen. Entries are read
    as written, so that their other mistakes do not hide these.

    Args:
        sources: The suite.
        shown: The screen texts of the apps.
    """
    check = _TargetCheck(sources, shown)
    for app, doc, at in rules_as_written(sources):
        yield from check.all_of(doc, at, (app,))
    for (kind, name), (doc, at) in sources.places.items():
        if kind == "goal":
            yield from check.all_of(doc, (*at, "holds"), check.apps_of_goal(name), _guards(doc, at))
        elif kind == "task":
            item = sources.suite.every_task.get(name)
            app = str(doc.value(("app",))) if item is None else item.app
            apps = (app,) if item is None else _first(app, opened(sources, name))
            for key in _PATHS:
                yield from check.all_of(doc, (*at, key), apps)
            if item is not None:
                yield from check.filled(item, doc, at, apps)


def _first(app: str, others: Collection[str]) -> tuple[str, ...]:
    """Return apps with one of them first."""
    return (app, *sorted({*others} - {app}))


def _guards(doc: YamlDoc, goal: DocPath) -> tuple[str, ...]:
    """Return the parts that a goal, as written, declares as guards."""
    guards = doc.value((*goal, "guards"))
    listed = guards if isinstance(guards, list) else []
    return tuple(str(each.get("part")) for each in listed if isinstance(each, dict) and "field" not in each)


def _is_guarded(path: DocPath, guards: Collection[str]) -> bool:
    """Return whether a location in a goal is within a guarded part; parts are numbered from 1."""
    numbers = [
        number + 1 for key, number in pairwise(path) if key in ("all", "any") and isinstance(number, int)
    ]
    return any(".".join(map(str, numbers[:length])) in guards for length in range(1, len(numbers) + 1))


class _TargetCheck:
    """Checks search terms against the screens of the apps."""

    def __init__(self, sources: SuiteSources, shown: ScreenTexts) -> None:
        self._sources = sources
        self._shown = shown
        self._system = {name for name, app in self._shown.apps.items() if app.system}
        self._typed = typed_texts(sources)
        self._users: dict[str, set[str]] = {}
        for name, item in sources.suite.every_task.items():
            for goal in item.uses:
                self._users.setdefault(goal, set()).update({item.app}, opened(sources, name))
        self.is_shown = lru_cache(maxsize=None)(self._is_shown)

    def apps_of_goal(self, name: str) -> Sequence[str]:
        """Return the possible foreground apps when a goal is checked, its own first; empty if unknown."""
        doc, _ = self._sources.places["goal", name]
        app = self._sources.goal_apps.get(name) or str(doc.value(("app",)))
        users = self._users.get(name, set())
        return sorted(users) if app == _ANY else _first(app, users)

    def all_of(
        self, doc: YamlDoc, at: DocPath, apps: Sequence[str], guards: Collection[str] = ()
    ) -> Iterator[InputError]:
        """Report the search terms at a location that are on no screen.

        Args:
            doc: The document.
            at: The location.
            apps: The possible foreground apps, the most likely first.
            guards: Parts to skip.
        """
        for each in search_terms(doc.value(at), at):
            shown = self.is_shown(each.kind, each.text, self._about(each, apps))
            if not shown and not _is_guarded(each.path[len(at) :], guards):
                yield self._error(each, each.text, apps, doc, each.path)

    def filled(self, item: SuiteTask, doc: YamlDoc, at: DocPath, apps: Sequence[str]) -> Iterator[InputError]:
        """Report the values that a task gives to its goals and that are on no screen."""
        task = item.task
        yield from self._of_use(task.goal, doc, (*at, "goal"), apps)
        for place, use in enumerate(task.earlier):
            yield from self._of_use(use, doc, (*at, "earlier", place), apps)
        if task.infeasible is not None:
            yield from self._of_use(task.infeasible.harm, doc, (*at, "infeasible", "harm"), apps)

    def _of_use(self, use: GoalUse, doc: YamlDoc, at: DocPath, apps: Sequence[str]) -> Iterator[InputError]:
        schema = self._sources.suite.goals[use.use]
        guards = [guard.part for guard in schema.guards if guard.part and guard.field is None]
        reported: set[DocPath] = set()
        for each, names in _with_placeholders(schema):
            text = fill_placeholders(each.text, _values(schema, use), key=str(each.path[-1]))
            given = [name for name in names if name in use.with_]
            path = (*at, "with", given[0]) if given else (*at, "use")
            if path in reported or self.is_shown(each.kind, str(text), self._about(each, apps)):
                continue
            if not _is_guarded(each.path, guards):
                reported.add(path)
                yield self._error(each, str(text), apps, doc, path)

    def _about(self, each: SearchTerm, apps: Sequence[str]) -> frozenset[str]:
        """Return the apps of which one must show a term; empty for a foreign app."""
        if not each.owner:
            return frozenset(apps)
        return frozenset({each.owner} if {each.owner, _ANY} & {*apps} or each.owner in self._system else ())

    def _is_shown(self, kind: TermKind, text: str, apps: frozenset[str]) -> bool:
        """Return whether any of the apps shows a text; True if one of them is unknown."""
        known = bool(apps) and apps <= self._shown.apps.keys()
        if not known or not text.strip() or PLACEHOLDER.search(text):
            return True
        if kind is TermKind.ID:
            return any(self._shown.has(app, text) for app in apps)
        if kind is TermKind.PATTERN:
            try:
                check_pattern(text)
            except ValueError:
                return True  # invalid, which is reported with its file
            return any(self._shown.found(app, text) for app in apps)
        shows = self._shown.whole if kind is TermKind.WHOLE else self._shown.part
        return any(shows(app, text) or fold(text) in self._typed.get(app, "") for app in apps)

    def _error(
        self, each: SearchTerm, text: str, apps: Sequence[str], doc: YamlDoc, path: DocPath
    ) -> InputError:
        about = self._about(each, apps)
        app = next(app for app in (*apps, *sorted(about)) if app in about)
        if each.kind is TermKind.ID:
            near = did_you_mean(text, self._shown.ids(app))
        else:
            found = None if each.kind is TermKind.PATTERN else self._shown.nearest(app, text)
            near = f"Did you mean {found!r}?" if found else ""
        hint = f"{near} {hint_for_missing_text(self._sources, app)}".strip()
        return doc.error(path, _MESSAGES[each.kind].format(app=app, text=text), hint=hint)


def _with_placeholders(schema: GoalSchema) -> Iterator[tuple[SearchTerm, list[str]]]:
    """Iterate over the search terms of a goal that use parameters, with the parameters' names."""
    for each in search_terms(schema.holds, ()):
        if names := PLACEHOLDER.findall(each.text):
            yield each, names


def _values(schema: GoalSchema, use: GoalUse) -> dict[str, str | int | float]:
    defaults: Mapping[str, str | int | float] = {
        name: param.default for name, param in schema.params.items() if param.default is not None
    }
    return {**defaults, **use.with_}
