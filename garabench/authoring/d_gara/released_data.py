"""The four files of the released D-GARA data, as typed values with their locations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from garabench.caret import SourcePlace
from garabench.core.yamldoc import Path as DocPath
from garabench.core.yamldoc import YamlDoc, decode_text, parse_yaml
from garabench.core.yamlmodel import input_errors
from garabench.errors import CombinedInputError, InputError
from garabench.suite.files import display_path, read_bytes

TASKS, RULES = "tasks.json", "rules.yaml"
LIBRARY, GOALS = "interference_library.yaml", "success_conditions.yaml"
FILES = (TASKS, RULES, LIBRARY, GOALS)
_Model = TypeVar("_Model", bound=BaseModel)


class _Released(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore", populate_by_name=True)


class ReleasedTask(_Released):
    """A task of ``tasks.json``.

    Attributes:
        id: Its number.
        instruction: The instruction, in the app's language.
        app: The app's package.
        goal: Id of the entry of ``success_conditions.yaml`` that validates it.
        rules: Ids of its rules.
    """

    id: int
    instruction: str = Field(alias="description", min_length=1)
    app: str = Field(min_length=1)
    goal: str = Field(alias="rule_key", min_length=1)
    rules: tuple[str, ...] = Field(alias="target_rule_ids")


class ReleasedCondition(_Released):
    """A condition of an entry of ``success_conditions.yaml``.

    Attributes:
        type: ``any_of`` or ``all_of``, or the test: ``element_exists``, ``element_text_equals``,
            ``element_property`` (equality) or ``element_property_contains``.
        selector: ``attribute='value'`` pairs; empty for a combination.
        attribute: The attribute that is tested.
        value: The attribute's value.
        text: The text, for ``element_text_equals``.
        parts: The combined conditions.
    """

    type: str
    selector: str = ""
    attribute: str = ""
    value: str = ""
    text: str = ""
    parts: tuple[ReleasedCondition, ...] = Field(default=(), alias="sub_conditions")


class ReleasedGoal(_Released):
    """An entry of ``success_conditions.yaml``; all its conditions must hold."""

    description: str = ""
    conditions: tuple[ReleasedCondition, ...] = ()

    def tests(self) -> Iterator[tuple[DocPath, ReleasedCondition]]:
        """Iterate over the conditions that test an element, with their paths within the entry."""
        yield from _tests(self.conditions, ("conditions",))


def _tests(
    conditions: tuple[ReleasedCondition, ...], at: DocPath
) -> Iterator[tuple[DocPath, ReleasedCondition]]:
    for number, condition in enumerate(conditions):
        if condition.parts:
            yield from _tests(condition.parts, (*at, number, "sub_conditions"))
        else:
            yield (*at, number), condition


class KeywordCondition(_Released):
    """A condition of a rule: a share of keywords that must be on the screen."""

    keywords: tuple[str, ...] = Field(min_length=1)
    threshold: float = Field(alias="match_threshold", ge=0, le=1)


class ReleasedWhen(_Released):
    """The conditions of a rule; all must hold."""

    all: tuple[KeywordCondition, ...] = Field(min_length=1)


class Injection(_Released):
    """An action of a rule: the interference that it injects."""

    interference_id: str
    trigger_probability: float = Field(default=1.0, ge=0, le=1)


class ReleasedRule(_Released):
    """A rule of ``rules.yaml``."""

    id: str
    description: str = ""
    priority: int = 0
    when: ReleasedWhen = Field(alias="conditions")
    actions: tuple[Injection, ...] = Field(min_length=1)

    @property
    def keywords(self) -> tuple[str, ...]:
        """All keywords of all conditions."""
        return tuple(word for condition in self.when.all for word in condition.keywords)


class PostAction(_Released):
    """A step of a follow-up: a shell command on the device, or a line in the log."""

    type: str
    command: str = ""


class Interference(_Released):
    """An entry of ``interference_library.yaml``.

    Attributes:
        id: Its id.
        description: Its purpose.
        params: Texts and event names of the window.
        post_actions: The follow-up of each event.
    """

    id: str
    description: str = ""
    params: Mapping[str, str] = Field(default_factory=dict)
    post_actions: Mapping[str, tuple[PostAction, ...]] = Field(default_factory=dict)


class _Rules(_Released):
    rules: tuple[ReleasedRule, ...]


class _Library(_Released):
    entries: tuple[Interference, ...] = Field(alias="interference_library")


class _Tasks(_Released):
    tasks: tuple[ReleasedTask, ...]


class _Goals(_Released):
    goals: Mapping[str, ReleasedGoal]


@dataclass(frozen=True)
class ReleasedData:
    """The released data.

    Attributes:
        tasks: The tasks, in file order.
        rules: The rules, by id.
        library: The interruptions, by id.
        goals: The goals, by id.
        documents: The parsed files, by name, for the location of each entry.
    """

    tasks: tuple[ReleasedTask, ...]
    rules: Mapping[str, ReleasedRule]
    library: Mapping[str, Interference]
    goals: Mapping[str, ReleasedGoal]
    documents: Mapping[str, YamlDoc]

    def task_place(self, number: int, field: str = "") -> SourcePlace:
        """Return the location of a task, by its position in the file, or of one of its fields."""
        return self.documents[TASKS].place((number, field) if field else (number,))

    def rule_place(self, rule: str) -> SourcePlace:
        """Return the location of a rule."""
        return self.documents[RULES].place(("rules", list(self.rules).index(rule)))

    def interference_place(self, entry: str) -> SourcePlace:
        """Return the location of an entry of the interference library."""
        return self.documents[LIBRARY].place(("interference_library", list(self.library).index(entry)))

    def goal_place(self, goal: str, at: DocPath = ()) -> SourcePlace:
        """Return the location of a goal, or of a value in it."""
        return self.documents[GOALS].place((goal, *at), key=not at)


def read_released_data(folder: Path) -> ReleasedData:
    """Read the released data.

    Args:
        folder: The folder with the four files.

    Raises:
        InputError: A file is missing or cannot be read.
        CombinedInputError: All entries of a form that the files never had, each with its location.
    """
    missing = [name for name in FILES if not (folder / name).is_file()]
    if missing:
        raise InputError(
            f"{display_path(folder)} has no {', '.join(missing)}",
            hint=f"Give the folder of the released data, which holds {', '.join(FILES)}.",
        )
    documents = {name: _document(folder / name) for name in FILES}
    tasks = _model(documents[TASKS], {"tasks": documents[TASKS].data}, _Tasks)
    rules = _model(documents[RULES], documents[RULES].data, _Rules)
    library = _model(documents[LIBRARY], documents[LIBRARY].data, _Library)
    goals = _model(documents[GOALS], {"goals": documents[GOALS].data}, _Goals)
    return ReleasedData(
        tasks.tasks,
        _by_id(rules.rules, documents[RULES], "rules"),
        _by_id(library.entries, documents[LIBRARY], "interference_library"),
        goals.goals,
        documents,
    )


_Entry = TypeVar("_Entry", ReleasedRule, Interference)


def _by_id(entries: tuple[_Entry, ...], document: YamlDoc, key: str) -> dict[str, _Entry]:
    found: dict[str, _Entry] = {}
    for number, entry in enumerate(entries):
        if entry.id in found:
            raise document.error((key, number), f"duplicate id {entry.id!r}")
        found[entry.id] = entry
    return found


def _document(path: Path) -> YamlDoc:
    """Parse a file; JSON is read as YAML, of which it is a part."""
    shown = display_path(path)
    document = parse_yaml(decode_text(read_bytes(path), shown), shown)
    if document.mistakes:
        raise CombinedInputError(tuple(document.mistakes))
    return document


def _model(document: YamlDoc, data: Any, model: type[_Model]) -> _Model:
    try:
        return model.model_validate(data)
    except ValidationError as error:
        wrapped = isinstance(data, dict) and data is not document.data
        raise CombinedInputError(
            tuple(input_errors(error, document, model, data=data if wrapped else None))
        ) from error
