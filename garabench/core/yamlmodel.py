"""Validate a YAML text against a model and report each mistake with file, line, column and caret."""

from __future__ import annotations

import re
import types
import typing
from collections.abc import Iterator
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from garabench.core.cross_field import CROSS_FIELD
from garabench.core.identifiers import PATTERNS_IN_WORDS
from garabench.core.suggestions import did_you_mean
from garabench.core.yamldoc import Path, YamlDoc, parse_yaml
from garabench.errors import CombinedInputError, InputError

Model = TypeVar("Model", bound=BaseModel)


def load_model(text: str, file: str, model: type[Model]) -> tuple[Model, YamlDoc]:
    """Validate the text of a file.

    Args:
        text: The text.
        file: Path to show in errors.
        model: Model of the whole file.

    Returns:
        The model, and the document, which has the location of every value.

    Raises:
        CombinedInputError: All mistakes, each with its location.
    """
    try:
        doc = parse_yaml(text, file)
    except InputError as error:
        raise CombinedInputError((error,)) from error
    if not isinstance(doc.data, dict):
        raise CombinedInputError((*doc.mistakes, doc.error((), "expected a mapping at the top level")))
    try:
        made = model.model_validate(doc.data)
    except ValidationError as error:
        raise CombinedInputError((*doc.mistakes, *input_errors(error, doc, model))) from error
    if doc.mistakes:
        raise CombinedInputError(tuple(doc.mistakes))
    return made, doc


def input_errors(
    error: ValidationError, doc: YamlDoc, model: type[BaseModel], *, data: Any = None, at: Path = ()
) -> Iterator[InputError]:
    """Convert pydantic's errors to input errors, without duplicates and consequential errors.

    Args:
        error: Pydantic's errors.
        doc: The document.
        model: The model that was validated.
        data: The data that was validated if it is not the whole document: a mapping with one key, whose value
            is part of the document.
        at: Location of that value.
    """
    reported: set[Path] = set()
    around: set[Path] = set()  # the places that contain a reported one
    violations: set[tuple[Path, str]] = set()
    for detail in error.errors(include_url=False):
        path = real_path(detail["loc"], doc.data if data is None else data)
        if data is not None:
            path = doc.nearest((*at, *path[1:]))
        kind, message = detail["type"], detail["msg"]
        if kind == CROSS_FIELD:  # not a consequence of mistakes inside the fields
            if (path, message) not in violations:
                violations.add((path, message))
                reported.add(path)
                around.update(path[:length] for length in range(len(path)))
                yield doc.error(path, _message(detail))
            continue
        if path in around or path in reported:
            continue
        reported.add(path)
        around.update(path[:length] for length in range(len(path)))
        if kind == "extra_forbidden":
            name = str(path[-1]) if path else ""
            hint = did_you_mean(name, _allowed_keys(detail["loc"], model))
            yield doc.error(path, f"unknown key {name!r}", hint=hint, key=True)
        elif kind == "missing":
            yield doc.error(path, f"missing key {str(detail['loc'][-1])!r}")
        elif kind in _ONE_KEY_KINDS:
            wrong = detail["input"]
            names = message.split(": ", 1)[-1].split(", ")
            name = next(iter(wrong)) if isinstance(wrong, dict) and wrong else str(wrong)
            many = isinstance(wrong, dict) and len(wrong) > 1
            hint = "" if many else did_you_mean(str(name), names)
            if many:
                text = f"{message}; found {len(wrong)} keys"
            elif isinstance(wrong, str) and wrong in names:
                text, hint = f"the {kind} {wrong!r} needs a value", f"Write {wrong}: …"
            else:
                text = f"unknown {kind} {name!r}"
            yield doc.error(path, text, hint=hint)
        else:
            wrong = detail["input"]
            value = f" (found {_shortened(wrong)})" if isinstance(wrong, str | int | float | bool) else ""
            yield doc.error(path, f"{_message(detail)}{value}", hint=_nearest_choice(detail))


def _shortened(value: object) -> str:
    """Return a value for a message, truncated if it is long."""
    text = repr(value)
    return text if len(text) <= _MAX_VALUE_LENGTH else f"{text[:_MAX_VALUE_LENGTH]}…"


_MAX_VALUE_LENGTH = 100
_ONE_KEY_KINDS = ("condition", "step", "widget", "formula")
"""Kinds of mappings whose only key tells them apart; each is an error type of its discriminator."""
_EXPECTED = {
    "string_type": "expected a string",
    "int_type": "expected an integer",
    "int_parsing": "expected an integer",
    "float_type": "expected a number",
    "float_parsing": "expected a number",
    "bool_type": "expected true or false",
    "bool_parsing": "expected true or false",
    "tuple_type": "expected a list",
    "list_type": "expected a list",
    "dict_type": "expected a mapping",
    "model_type": "expected a mapping",
    "model_attributes_type": "expected a mapping",
}


def _message(detail: ErrorDetails) -> str:
    """Word pydantic's error for an author of YAML files."""
    kind, context = detail["type"], detail.get("ctx", {})
    if kind in _EXPECTED:
        return _EXPECTED[kind]
    if kind == "string_pattern_mismatch" and context.get("pattern") in PATTERNS_IN_WORDS:
        return PATTERNS_IN_WORDS[context["pattern"]]
    if kind == "too_short":
        return f"expected at least {context['min_length']} item{'s' if context['min_length'] > 1 else ''}"
    if kind == "string_too_short":
        return f"expected at least {context['min_length']} characters"
    if kind in ("too_long", "string_too_long") and isinstance(detail["input"], str):
        return f"expected at most {context['max_length']} characters"
    message = detail["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")
    if message.startswith("Input should be "):
        return f"must be {message.removeprefix('Input should be ')}"
    return message[:1].lower() + message[1:]


def _nearest_choice(detail: ErrorDetails) -> str:
    """Return a hint with the nearest of the allowed values, if only some are allowed."""
    if detail["type"] not in ("literal_error", "enum") or not isinstance(detail["input"], str):
        return ""
    return did_you_mean(detail["input"], re.findall(r"'([^']*)'", detail["ctx"]["expected"]))


def real_path(loc: tuple[str | int, ...], data: Any) -> Path:
    """Remove the names of union members from pydantic's location."""
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


def _allowed_keys(loc: tuple[str | int, ...], model: type[BaseModel]) -> tuple[str, ...]:
    """Return the keys that are allowed next to the one at a location."""
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
