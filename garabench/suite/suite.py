"""The suite: load all tasks, goals, rules and interruptions, resolve their references, and select tasks.

All mistakes in all files are reported together, each with its location.
"""

from __future__ import annotations

import contextlib
import dataclasses
import fnmatch
import hashlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from garabench.core.expected_effects import NO_EXPECTATION, EffectExpectation, IncidentalKind
from garabench.core.goal import Goal, GoalSchema, GoalUse, asks_for_an_answer, with_earlier
from garabench.core.interruption import Interruption, SystemInterruption
from garabench.core.rule import BoundRule
from garabench.core.suggestions import did_you_mean, nearest
from garabench.core.task import INFEASIBLE, Task, TaskFile
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc
from garabench.errors import CombinedInputError, InputError
from garabench.suite.apps import AppNames
from garabench.suite.borrowing import NOTHING, Borrowed, borrow, undefined_names
from garabench.suite.files import (
    APPS_FOLDER,
    ParsedFile,
    SuiteFiles,
    default_root,
    suite_words,
    valid_entries,
)
from garabench.suite.goals import GoalTable, bind_goal, read_goals
from garabench.suite.interruption_reader import interruption_files, read_interruptions
from garabench.suite.rule_reader import read_rules, resolve_rules_of_task, rule_files
from garabench.suite.symbols import DEFINED_BY, SymbolTable
from garabench.suite.used_names import KIND_OF_LIST, Name

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class SuiteTask:
    """A task with its app and its bound goal.

    Attributes:
        task: The task as written.
        app: Its package.
        group: The name of its file, the app's short name: ``bilibili``.
        goal: The bound goal, including what it asks of earlier screens.
        harm: The bound goal that must never hold, for an infeasible task; otherwise None.
        effects: What it may change.
        earlier: The bound goals that must have held on earlier screens; they are part of the goal.
    """

    task: Task
    app: str
    group: str
    goal: Goal
    harm: Goal | None = None
    effects: EffectExpectation = NO_EXPECTATION
    earlier: tuple[Goal, ...] = ()

    @property
    def uses(self) -> tuple[str, ...]:
        """The ids of the goals that it uses."""
        goals = (self.goal, *self.earlier, *([] if self.harm is None else [self.harm]))
        return tuple(dict.fromkeys(goal.id for goal in goals))


@dataclass(frozen=True)
class Suite:
    """A checked suite.

    Attributes:
        tasks, goals, rules, interruptions: By id; only the feasible tasks.
        digest: Hash of all files; two runs are comparable if it is the same.
        root: Its folder.
        infeasible: The infeasible tasks, by id.
        anomalies: The system interruptions, by id.
        borrowed: The kinds and ids of the entries that belong to the built-in suite and that this one uses.
    """

    tasks: dict[str, SuiteTask]
    goals: dict[str, GoalSchema]
    rules: dict[str, BoundRule]
    interruptions: dict[str, Interruption]
    digest: str
    root: Path
    infeasible: dict[str, SuiteTask] = field(default_factory=dict)
    anomalies: dict[str, SystemInterruption] = field(default_factory=dict)
    borrowed: frozenset[Name] = frozenset()

    @classmethod
    def load(cls, root: Path | str | None = None) -> Suite:
        """Read and check a suite.

        A suite may use goals, rules and interruptions of the built-in suite by id, unless its ``suite.yaml``
        says ``builtin: false``. Its own definition of an id takes precedence.

        Args:
            root: The folder with ``tasks/``, ``goal_schemas/`` or ``rules/``; default: the built-in suite.

        Raises:
            CombinedInputError: All mistakes in its files.
            InputError: The folder is not a suite.
        """
        sources = read_sources(None if root is None else Path(root))
        if sources.errors:
            raise CombinedInputError(sources.errors)
        return sources.suite

    @property
    def command_option(self) -> str:
        """The option that selects it in a command, after a space; empty for the built-in suite."""
        return "" if _is_builtin(self.root) else f" {suite_words(self.root)}"

    def select(self, selector: str) -> tuple[SuiteTask, ...]:
        """Select tasks.

        An app or a tag of feasible tasks never selects infeasible ones: these are selected by the tag
        ``infeasible``, the name of their file, their id, or a glob that begins with ``infeasible``.

        Args:
            selector: ``all``, an id, an app's package or short name, a tag, a glob over ids, or several of
                these separated by commas. A part with a leading ``-`` leaves tasks out, as in
                ``bilibili,-bili-like-*``; if all parts do, they are left out of ``all``.

        Returns:
            The tasks in the suite's order, without duplicates.

        Raises:
            CombinedInputError: Parts of the selector match nothing, or it leaves out all that it selects.
        """
        pieces = [piece.strip() for piece in selector.split(",")]
        wrong: list[InputError] = []
        chosen, without = set[str](), set[str]()
        if all(piece.startswith("-") for piece in pieces):
            pieces.insert(0, "all")
        for piece in pieces:
            part = piece.removeprefix("-")
            found = {name for name, item in self.every_task.items() if _selects(part, name, item)}
            if not found:
                known = {*self.every_task, *(item.group for item in self.every_task.values())}
                known |= {tag for item in self.every_task.values() for tag in item.task.tags}
                near = did_you_mean(part, known) if nearest(part, known) else ""
                hint = near or "`garabench tasks list` lists the tasks."
                wrong.append(InputError(f"unknown task, app or tag {part!r}", hint=hint))
            (without if piece.startswith("-") else chosen).update(found)
        if wrong:
            raise CombinedInputError(tuple(wrong))
        if not chosen - without:
            error = InputError(
                f"{selector!r} selects no task: it leaves out all tasks that it selects",
                hint="Write a part with a leading - for the tasks to leave out, as in bilibili,-bili-like-*.",
            )
            raise CombinedInputError((error,))
        return tuple(item for name, item in self.every_task.items() if name in chosen - without)

    @property
    def app_files(self) -> tuple[Path, ...]:
        """The app files in its folder ``apps/``, which virtual phones install."""
        return tuple(sorted((self.root / APPS_FOLDER).glob("*.yaml")))

    @property
    def every_task(self) -> dict[str, SuiteTask]:
        """All tasks by id: the feasible ones, then the infeasible ones."""
        return {**self.tasks, **self.infeasible}

    def rules_of(self, item: SuiteTask) -> tuple[BoundRule, ...]:
        """Return the rules that may fire in a task's interrupted episodes."""
        return tuple(self.rules[name] for name in item.task.rules)

    @property
    def own(self) -> Suite:
        """The suite without the entries of the built-in suite."""
        if not self.borrowed:
            return self
        return dataclasses.replace(
            self,
            borrowed=frozenset(),
            tasks=self._without_borrowed("task", self.tasks),
            infeasible=self._without_borrowed("task", self.infeasible),
            goals=self._without_borrowed("goal", self.goals),
            rules=self._without_borrowed("rule", self.rules),
            interruptions=self._without_borrowed("interruption", self.interruptions),
            anomalies=self._without_borrowed("interruption", self.anomalies),
        )

    def _without_borrowed(self, kind: str, table: Mapping[str, _T]) -> dict[str, _T]:
        return {name: each for name, each in table.items() if (kind, name) not in self.borrowed}

    def additional_rules(self, item: SuiteTask) -> tuple[BoundRule, ...]:
        """Return the rules that may also fire if a number of interruptions is requested: all of the app."""
        return tuple(bound for bound in self.rules.values() if bound.app in (item.app, "any"))


def _entries(listed: object) -> Iterator[dict[str, Any]]:
    """Iterate over the entries of a list as written that have an id."""
    for entry in listed if isinstance(listed, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("id"), str):
            yield entry


def _selects(part: str, name: str, item: SuiteTask) -> bool:
    if item.task.infeasible is not None and not part.startswith(INFEASIBLE):
        return part in (name, item.group)
    if part in ("all", name, item.app, item.group) or part in item.task.tags:
        return True
    return any(char in part for char in "*?[") and fnmatch.fnmatchcase(name, part)


@dataclass(frozen=True)
class SuiteSources:
    """A suite with the sources of its entries, valid or not.

    Attributes:
        suite: The usable part.
        errors: The mistakes in the files and between them.
        places: The document and path of each task, goal, rule and interruption, by kind and id.
        goal_apps: The app of each goal, by id.
        files: The files as written.
    """

    suite: Suite
    errors: tuple[InputError, ...]
    places: Mapping[tuple[str, str], tuple[YamlDoc, DocPath]]
    goal_apps: Mapping[str, str]
    files: SuiteFiles

    @cached_property
    def own(self) -> Suite:
        """The usable part without the entries of the built-in suite, which have no place in its files."""
        return self.suite.own


def read_sources(
    root: Path | None = None, *, loose: tuple[Path, type[BaseModel]] | None = None
) -> SuiteSources:
    """Read a suite with the locations of its entries.

    Args:
        root: As for `Suite.load`.
        loose: Read instead this single file, and its model, as a separate suite.

    Raises:
        InputError: There is no suite.
    """
    folder = root or default_root()
    names = SymbolTable(SuiteFiles(folder, loose=loose))
    reader = _Reader(names, None if loose is None and _is_builtin(folder) else _builtin_sources)
    suite = reader.read()
    return SuiteSources(suite, tuple(names.errors), names.places, reader.goal_apps, names.files)


def load_rules(names: Collection[str], root: Path | None = None) -> Mapping[str, BoundRule]:
    """Read only the files with some rules, which takes a fraction of the time; other files are not checked.

    Args:
        names: The ids of the rules; those that no file has, or writes with escapes, are left out.
        root: As for `Suite.load`.

    Returns:
        All rules of these files.

    Raises:
        CombinedInputError: The mistakes in the rules.
        InputError: There is no suite.
    """
    table = SymbolTable(SuiteFiles(root or default_root()))
    files = table.files
    files.read(("rules",))
    wanted = [name.encode() for name in names]
    files.texts = {path: data for path, data in files.texts.items() if any(each in data for each in wanted)}
    rules = read_rules(table, NOTHING)
    if table.errors:
        raise CombinedInputError(tuple(table.errors))
    return rules


def _is_builtin(folder: Path) -> bool:
    try:
        return folder.resolve() == default_root().resolve()
    except InputError:
        return False


@lru_cache
def _builtin_sources() -> SuiteSources:
    """Read the built-in suite, once."""
    sources = read_sources()
    if sources.errors:
        raise CombinedInputError(sources.errors)
    return sources


def _entries_of(builtin: SuiteSources) -> Borrowed:
    """Return all entries of the built-in suite, from which others borrow."""
    suite = builtin.suite
    return Borrowed(
        suite.goals,
        builtin.goal_apps,
        suite.rules,
        suite.interruptions,
        suite.anomalies,
        frozenset(suite.every_task),
        suite.digest,
    )


@dataclass
class _Reader:
    """Reads a suite and collects its mistakes.

    An invalid entry still defines its id, and the rest of its file is read: a mistake in one rule is one
    error, not another one for each task that names the rule, and the mistakes of all entries are reported at
    once.

    Attributes:
        names: The names that the files define, and the mistakes.
        builtin: Reads the built-in suite; None if that is the one being read.
        borrowed: What is used of the built-in suite.
        included: The built-in tasks that ``suite.yaml`` includes, by the number of its entry.
        goal_apps: The app of each goal, once the goals are read.
    """

    names: SymbolTable
    builtin: Callable[[], SuiteSources] | None = None
    borrowed: Borrowed = NOTHING
    included: Sequence[tuple[int, tuple[SuiteTask, ...]]] = ()
    goal_apps: Mapping[str, str] = field(default_factory=dict)

    @property
    def files(self) -> SuiteFiles:
        """The suite's files."""
        return self.names.files

    def read(self) -> Suite:
        digest = self.files.read()
        self._apps()
        self._borrow()
        interruptions, anomalies = read_interruptions(self.names, self.borrowed)
        goals = read_goals(self.names, GoalTable(self.borrowed.goals, self.borrowed.goal_apps))
        rules = read_rules(self.names, self.borrowed, {*interruptions, *anomalies})
        tasks = {**self._tasks(goals, rules), **self._included(rules)}
        if self.borrowed.digest:
            digest = hashlib.sha256(f"{digest} {self.borrowed.digest}".encode()).hexdigest()
        feasible, infeasible = (
            {name: item for name, item in tasks.items() if (item.task.infeasible is not None) is excluded}
            for excluded in (False, True)
        )
        self.goal_apps = goals.apps
        return Suite(
            feasible,
            dict(goals.goals),
            rules,
            interruptions,
            digest,
            self.files.root,
            infeasible,
            anomalies,
            self.borrowed.names,
        )

    def _borrow(self) -> None:
        """Find the entries of the built-in suite that this one uses and does not define."""
        settings = self.files.settings
        if self.builtin is None or not settings.builtin:
            if settings.tasks and self.files.settings_doc is not None:
                message = "tasks of the built-in suite are included, but builtin is false"
                self.names.errors.append(self.files.settings_doc.error(("tasks",), message))
            return
        for _ in (interruption_files(self.files), self.names.goal_files()):
            pass  # all files are parsed now
        # What an unreadable file defines is unknown, so that its names may be the suite's own.
        unreadable = {kind for kind, model in DEFINED_BY.items() if model in self.files.unreadable}
        names = {name for name in undefined_names(self.files) if name[0] not in unreadable}
        names |= {("rule", rule) for each in settings.tasks for rule in each.rules or ()}
        if not names and not settings.tasks:
            return
        builtin = self.builtin()
        self.included = tuple(self._selected(builtin.suite))
        for number, chosen in self.included:
            for item in chosen:
                names |= {("task", item.task.id), *(("goal", goal) for goal in item.uses)}
                if settings.tasks[number].rules is None:
                    names |= {("rule", rule) for rule in item.task.rules}
        defined = self._defined_names()
        self.borrowed = borrow(_entries_of(builtin), names - defined)
        self.names.builtin = {
            "goal": builtin.suite.goals,
            "rule": builtin.suite.rules,
            "interruption": {**builtin.suite.interruptions, **builtin.suite.anomalies},
        }
        for kind, name in sorted(self.borrowed.names & defined):
            message = f"the {kind} {name!r} has the id of a built-in one that this suite also uses indirectly"
            hint = "Give it another id, or define what uses it in this suite as well."
            self.names.errors.append(InputError(message, hint=hint))

    def _selected(self, builtin: Suite) -> Iterator[tuple[int, tuple[SuiteTask, ...]]]:
        """Iterate over the built-in tasks that ``suite.yaml`` includes, by entry."""
        doc = self.files.settings_doc
        for number, each in enumerate(self.files.settings.tasks):
            try:
                yield number, builtin.select(each.select)
            except CombinedInputError as error:
                if doc is not None:
                    wrong = [doc.error(("tasks", number), one.message, hint=one.hint) for one in error.errors]
                    self.names.errors.extend(wrong)

    def _included(self, rules: Mapping[str, BoundRule]) -> dict[str, SuiteTask]:
        """Return the built-in tasks that ``suite.yaml`` includes, with its rules if it names any."""
        doc = self.files.settings_doc
        found: dict[str, SuiteTask] = {}
        for number, chosen in self.included if doc is not None else ():
            own = self.files.settings.tasks[number].rules
            for item in chosen:
                if own is not None and doc is not None:
                    resolve_rules_of_task(self.names, own, item.app, rules, doc, ("tasks", number))
                    item = dataclasses.replace(item, task=item.task.model_copy(update={"rules": own}))
                found[item.task.id] = item
        return found

    def _defined_names(self) -> set[Name]:
        """Return the names that the files define, as written."""
        return {
            (KIND_OF_LIST[key], str(entry["id"]))
            for contents in self.files.loaded.values()
            for file in contents
            for key in KIND_OF_LIST
            for entry in _entries(file.doc.value((key,)))
        }

    def _task_files(self) -> Sequence[ParsedFile[Task]]:
        return self.files.each("tasks", TaskFile, "tasks", Task)

    def _apps(self) -> None:
        """Report misspelled apps, and treat their entries as those of the intended app."""
        apps = AppNames()
        for kind, files in (
            ("tasks", self._task_files()),
            ("goals", self.names.goal_files()),
            ("rules", rule_files(self.files)),
        ):
            for file in files:
                apps.add(kind, file.doc)
        self.names.intended = apps.intended()
        for doc, path, message, right in apps.misspellings():
            self.names.errors.append(doc.error(path, message, hint=f"Did you mean {right!r}?"))

    def _tasks(self, goals: GoalTable, rules: dict[str, BoundRule]) -> dict[str, SuiteTask]:
        tasks: dict[str, SuiteTask] = {}
        incidental = self._incidental()
        for file in self._task_files():
            doc, app = file.doc, self.names.app(file.app)
            expected = self.files.expected_effects(file.path.stem)
            for place, task in file.entries:
                at: DocPath = ("tasks", place)
                if not self.names.register("task", task.id, doc, at):
                    continue
                resolve_rules_of_task(self.names, task.rules, app, rules, doc, at)
                goal = bind_goal(self.names, task.goal, app, goals, doc, (*at, "goal"))
                earlier = self._earlier(task.earlier, app, goals, doc, at)
                harm = None
                if task.infeasible is not None:
                    where = (*at, "infeasible", "harm")
                    harm = bind_goal(self.names, task.infeasible.harm, app, goals, doc, where)
                known = goal is not None and len(earlier) == len(task.earlier)
                if goal is not None and known and (harm is None) is (task.infeasible is None):
                    condition = with_earlier(goal.condition, earlier)
                    goal = goal.model_copy(update={"condition": condition})
                    effects = EffectExpectation(expected.get(task.id), incidental)
                    tasks[task.id] = SuiteTask(task, app, file.path.stem, goal, harm, effects, earlier)
            self.names.register_faulty("task", "tasks", file)
            for place, entry in file.faulty:
                at = ("tasks", place)
                resolve_rules_of_task(self.names, entry.get("rules"), app, rules, doc, at)
                with contextlib.suppress(ValidationError):  # reported with its file
                    use = GoalUse.model_validate(entry.get("goal"))
                    bind_goal(self.names, use, app, goals, doc, (*at, "goal"))
        return tasks

    def _earlier(
        self, uses: Sequence[GoalUse], app: str, goals: GoalTable, doc: YamlDoc, at: DocPath
    ) -> tuple[Goal, ...]:
        """Bind the goals that must have held on earlier screens; leave out the invalid ones."""
        found: list[Goal] = []
        for place, use in enumerate(uses):
            here = (*at, "earlier", place)
            goal = bind_goal(self.names, use, app, goals, doc, here)
            if goal is not None and asks_for_an_answer(goal):
                message = f"the goal {goal.id!r} asks for an answer, which no earlier screen has"
                self.names.errors.append(doc.error((*here, "use"), message))
            elif goal is not None:
                found.append(goal)
        return tuple(found)

    def _incidental(self) -> dict[str, tuple[IncidentalKind, ...]]:
        """Return the incidental kinds by package."""
        found: dict[str, tuple[IncidentalKind, ...]] = {}
        for file in self._task_files():
            kinds = tuple(kind for _, kind in valid_entries(file.doc.data, "incidental", IncidentalKind))
            app = self.names.app(file.app)
            found[app] = (*found.get(app, ()), *kinds)
        return found
