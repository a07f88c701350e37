"""Check that what rules, goals and tasks' ways look for is on some screen of their apps."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from garabench.campaign.app_texts import ShownTexts
from garabench.campaign.check_packages import opened
from garabench.campaign.check_shown import rules_as_written, typed_texts, where_to_tell
from garabench.campaign.sought import Kind, Sought, sought
from garabench.campaign.suite import Sources, SuiteTask
from garabench.core.condition import fold
from garabench.core.goal import PLACEHOLDER, GoalSchema, GoalUse, fill
from garabench.core.names import did_you_mean
from garabench.core.patterns import check_pattern
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import InputError

_ANY = "any"
_WAYS = ("solution", "other_ways", "near_misses")
_SAID = {
    Kind.ID: "no element of {app} has the id {text!r}",
    Kind.WHOLE: "no screen of {app} shows the text {text!r}",
    Kind.PART: "no screen of {app} shows a text with {text!r}",
    Kind.PATTERN: "no screen of {app} shows a text in which {text!r} is found",
}


def never_found(sources: Sources, shown: ShownTexts) -> Iterator[InputError]:
    """Ids and texts that no screen of their app shows, in rules, goals, and ways of tasks.

    What the suite's own tasks type is shown, too. Numbers change, and are not compared. Of an app whose
    screens are not known nothing is said, nor of a part that a goal declares a guard: it is there for what
    cannot be seen. They are asked as they are written, so that their other mistakes hide none of these.

    Args:
        sources: The suite.
        shown: What the apps' screens show.
    """
    asked = _Asked(sources, shown)
    for app, doc, at in rules_as_written(sources):
        yield from asked.all_of(doc, at, (app,))
    for (kind, name), (doc, at) in sources.places.items():
        if kind == "goal":
            yield from asked.all_of(doc, (*at, "holds"), asked.apps_of_goal(name), _guards(doc, at))
        elif kind == "task":
            item = sources.suite.every_task.get(name)
            app = str(doc.value(("app",))) if item is None else item.app
            apps = (app,) if item is None else _first(app, opened(sources, name))
            for key in _WAYS:
                yield from asked.all_of(doc, (*at, key), apps)
            if item is not None:
                yield from asked.filled(item, doc, at, apps)


def _first(app: str, others: Collection[str]) -> tuple[str, ...]:
    """Some apps, with a certain one before them."""
    return (app, *sorted({*others} - {app}))


def _guards(doc: YamlDoc, goal: DocPath) -> tuple[str, ...]:
    """The parts that a goal, as it is written, declares guards."""
    guards = doc.value((*goal, "guards"))
    listed = guards if isinstance(guards, list) else []
    return tuple(str(each.get("part")) for each in listed if isinstance(each, dict) and "field" not in each)


def _is_guarded(path: DocPath, guards: Collection[str]) -> bool:
    """Whether a place in a goal is within one of some parts; they are told by their numbers, from 1."""
    numbers = [
        number + 1 for key, number in pairwise(path) if key in ("all", "any") and isinstance(number, int)
    ]
    return any(".".join(map(str, numbers[:length])) in guards for length in range(1, len(numbers) + 1))


class _Asked:
    """What is asked about the apps' screens."""

    def __init__(self, sources: Sources, shown: ShownTexts) -> None:
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
        """The apps that may be in front where a goal is asked, its own first; none where none is known."""
        doc, _ = self._sources.places["goal", name]
        app = self._sources.goal_apps.get(name) or str(doc.value(("app",)))
        users = self._users.get(name, set())
        return sorted(users) if app == _ANY else _first(app, users)

    def all_of(
        self, doc: YamlDoc, at: DocPath, apps: Sequence[str], guards: Collection[str] = ()
    ) -> Iterator[InputError]:
        """Errors for what is never found of what stands at a place.

        Args:
            doc: The document.
            at: The place.
            apps: Those that may be in front, the one that is meant first.
            guards: The parts about which nothing is asked.
        """
        for each in sought(doc.value(at), at):
            shown = self.is_shown(each.kind, each.text, self._about(each, apps))
            if not shown and not _is_guarded(each.path[len(at) :], guards):
                yield self._error(each, each.text, apps, doc, each.path)

    def filled(self, item: SuiteTask, doc: YamlDoc, at: DocPath, apps: Sequence[str]) -> Iterator[InputError]:
        """Errors for what a task fills into its goals and is never found."""
        task = item.task
        yield from self._of_use(task.goal, doc, (*at, "goal"), apps)
        if task.infeasible is not None:
            yield from self._of_use(task.infeasible.harm, doc, (*at, "infeasible", "harm"), apps)

    def _of_use(self, use: GoalUse, doc: YamlDoc, at: DocPath, apps: Sequence[str]) -> Iterator[InputError]:
        schema = self._sources.suite.goals[use.use]
        guards = [guard.part for guard in schema.guards if guard.part and guard.field is None]
        told: set[DocPath] = set()
        for each, names in _with_placeholders(schema):
            text = fill(each.text, _values(schema, use), key=str(each.path[-1]))
            given = [name for name in names if name in use.with_]
            path = (*at, "with", given[0]) if given else (*at, "use")
            if path in told or self.is_shown(each.kind, str(text), self._about(each, apps)):
                continue
            if not _is_guarded(each.path, guards):
                told.add(path)
                yield self._error(each, str(text), apps, doc, path)

    def _about(self, each: Sought, apps: Sequence[str]) -> frozenset[str]:
        """The apps that have to show it; another app than may be in front is told as such."""
        if not each.owner:
            return frozenset(apps)
        return frozenset({each.owner} if {each.owner, _ANY} & {*apps} or each.owner in self._system else ())

    def _is_shown(self, kind: Kind, text: str, apps: frozenset[str]) -> bool:
        """Whether one of some apps shows it; nothing is said where one of them is not known."""
        known = bool(apps) and apps <= self._shown.apps.keys()
        if not known or not text.strip() or PLACEHOLDER.search(text):
            return True
        if kind is Kind.ID:
            return any(self._shown.has(app, text) for app in apps)
        if kind is Kind.PATTERN:
            try:
                check_pattern(text)
            except ValueError:
                return True  # it is none, which is told with its file
            return any(self._shown.found(app, text) for app in apps)
        asked = self._shown.whole if kind is Kind.WHOLE else self._shown.part
        return any(asked(app, text) or fold(text) in self._typed.get(app, "") for app in apps)

    def _error(self, each: Sought, text: str, apps: Sequence[str], doc: YamlDoc, path: DocPath) -> InputError:
        about = self._about(each, apps)
        app = next(app for app in (*apps, *sorted(about)) if app in about)
        if each.kind is Kind.ID:
            near = did_you_mean(text, self._shown.ids(app))
        else:
            found = None if each.kind is Kind.PATTERN else self._shown.nearest(app, text)
            near = f"Did you mean {found!r}?" if found else ""
        hint = f"{near} {where_to_tell(self._sources, app)}".strip()
        return doc.error(path, _SAID[each.kind].format(app=app, text=text), hint=hint)


def _with_placeholders(schema: GoalSchema) -> Iterator[tuple[Sought, list[str]]]:
    """What a goal looks for that depends on its parameters, with the names of these."""
    for each in sought(schema.holds, ()):
        if names := PLACEHOLDER.findall(each.text):
            yield each, names


def _values(schema: GoalSchema, use: GoalUse) -> dict[str, str | int | float]:
    defaults: Mapping[str, str | int | float] = {
        name: param.default for name, param in schema.params.items() if param.default is not None
    }
    return {**defaults, **use.with_}
