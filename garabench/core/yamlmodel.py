"""Read a YAML text into a typed model, and say exactly where a mistake is.

A mistake is reported with file, line, column, a caret and the nearest valid name.
"""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from garabench.core.names import PATTERNS_IN_WORDS, did_you_mean
from garabench.core.yamldoc import Path, YamlDoc, parse
from garabench.errors import InputError, InputErrors

Model = TypeVar("Model", bound=BaseModel)


def load_model(text: str, file: str, model: type[Model]) -> tuple[Model, YamlDoc]:
    """Read a file's text into a model.

    Args:
        text: The file's text.
        file: Its path as the user knows it.
        model: The pydantic model of the whole file.

    Returns:
        The model and the document, which knows the place of every value.

    Raises:
        InputErrors: Every mistake in it, with its place.
    """
    try:
        doc = parse(text, file)
    except InputError as error:
        raise InputErrors((error,)) from error
    if not isinstance(doc.data, dict):
        raise InputErrors((*doc.faults, doc.error((), f"{file} has to hold a mapping at its top")))
    try:
        made = model.model_validate(doc.data)
    except ValidationError as error:
        raise InputErrors((*doc.faults, *explain(error, doc, model))) from error
    if doc.faults:
        raise InputErrors(tuple(doc.faults))
    return made, doc


def explain(
    error: ValidationError, doc: YamlDoc, model: type[BaseModel], *, data: Any = None, at: Path = ()
) -> Iterator[InputError]:
    """Each of pydantic's errors once, at its place; follow-ups of an error already told are left out.

    Args:
        error: The errors.
        doc: The document.
        model: What was validated.
        data: What it was validated from, where that is not the whole document: a mapping of one key, whose
            value stands in the document.
        at: Where it stands.
    """
    told: set[Path] = set()
    misfits: set[tuple[Path, str]] = set()
    for detail in error.errors(include_url=False):
        path = real_path(detail["loc"], doc.data if data is None else data)
        if data is not None:
            path = doc.nearest((*at, *path[1:]))
        kind, message = detail["type"], detail["msg"]
        if kind == "misfit":  # what does not fit together is no follow-up of what is wrong within it
            if (path, message) not in misfits:
                misfits.add((path, message))
                told.add(path)
                yield doc.error(path, _in_words(detail))
            continue
        if any(other[: len(path)] == path and other != path for other in told) or path in told:
            continue
        told.add(path)
        if kind == "extra_forbidden":
            name = str(path[-1]) if path else ""
            hint = did_you_mean(name, _fields_beside(detail["loc"], model))
            yield doc.error(path, f"unknown key {name!r}", hint=hint, key=True)
        elif kind == "missing":
            yield doc.error(path, f"the key {str(detail['loc'][-1])!r} is missing")
        elif kind == "condition" or kind == "step":
            wrong = detail["input"]
            names = message.split(": ", 1)[-1].split(", ")
            name = next(iter(wrong)) if isinstance(wrong, dict) and wrong else str(wrong)
            many = isinstance(wrong, dict) and len(wrong) > 1
            hint = "" if many else did_you_mean(str(name), names)
            if many:
                said = f"{message}; here are {len(wrong)} keys"
            elif isinstance(wrong, str) and wrong in names:
                said, hint = f"the {kind} {wrong!r} says nothing yet", f"Write it as {wrong}: …"
            else:
                said = f"no {kind} is called {name!r}"
            yield doc.error(path, said, hint=hint)
        else:
            shown = detail["input"]
            value = f" (it is {_shortened(shown)})" if isinstance(shown, str | int | float | bool) else ""
            yield doc.error(path, f"{_in_words(detail)}{value}", hint=_nearest_choice(detail))


def _shortened(value: object) -> str:
    """A value as it is written in a message, of a long one the beginning."""
    text = repr(value)
    return text if len(text) <= _MOST_OF_A_VALUE else f"{text[:_MOST_OF_A_VALUE]}…"


_MOST_OF_A_VALUE = 100
_TYPES = {
    "string_type": "a text has to stand here",
    "int_type": "a whole number has to stand here",
    "int_parsing": "a whole number has to stand here",
    "float_type": "a number has to stand here",
    "float_parsing": "a number has to stand here",
    "bool_type": "true or false has to stand here",
    "bool_parsing": "true or false has to stand here",
    "tuple_type": "a list has to stand here",
    "list_type": "a list has to stand here",
    "dict_type": "a mapping (key: value) has to stand here",
    "model_type": "a mapping (key: value) has to stand here",
    "model_attributes_type": "a mapping (key: value) has to stand here",
}


def _in_words(detail: ErrorDetails) -> str:
    """What pydantic found, in the words of someone who writes YAML."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in _TYPES:
        return _TYPES[kind]
    if kind == "string_pattern_mismatch" and context.get("pattern") in PATTERNS_IN_WORDS:
        return PATTERNS_IN_WORDS[context["pattern"]]
    if kind == "too_short":
        return f"at least {context['min_length']} has to stand here"
    if kind in ("too_long", "string_too_long") and isinstance(detail["input"], str):
        return f"at most {context['max_length']} characters may stand here"
    message = detail["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    return message[:1].lower() + message[1:]


def _nearest_choice(detail: ErrorDetails) -> str:
    """The nearest of the words that may stand at a place, where only some may."""
    if detail["type"] not in ("literal_error", "enum") or not isinstance(detail["input"], str):
        return ""
    return did_you_mean(detail["input"], re.findall(r"'([^']*)'", detail["ctx"]["expected"]))


def real_path(loc: tuple[str | int, ...], data: Any) -> Path:
    """Pydantic's location without the names of the union members in it."""
    path: list[str | int] = []
    here = data
    for place, part in enumerate(loc):
        if isinstance(here, dict) and part in here:
            # A tag looks like its key: ('exists', 'exists', 'id') is the key once and its tag once.
            path.append(part)
            here = here[part]
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            path.append(part)
            here = here[part]
        elif place == len(loc) - 1:
            break
    return tuple(path)


def _fields_beside(loc: tuple[str | int, ...], model: type[BaseModel]) -> tuple[str, ...]:
    """The keys that the model at a location knows, for the nearest name."""
    current: list[type[BaseModel]] = [model]
    for part in loc[:-1]:
        found: list[type[BaseModel]] = []
        for candidate in current:
            for name, info in candidate.model_fields.items():
                if part in (name, info.alias):
                    found += _models_in(info.annotation)
        current = found or current
    names = [info.alias or name for one in current for name, info in one.model_fields.items()]
    return tuple(dict.fromkeys(names))


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    if isinstance(annotation, type) and not isinstance(annotation, types.GenericAlias):
        return [annotation] if issubclass(annotation, BaseModel) else []
    return [model for argument in typing.get_args(annotation) for model in _models_in(argument)]
