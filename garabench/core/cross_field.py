"""Constraints between the fields of a model, reported together with mistakes in the fields themselves.

Pydantic runs a model's own validators only when every field is valid, so a user who fixes the fields meets
the next mistakes afterwards. `CrossFieldModel` reports all of them at once, in two passes. The first is
pydantic's. If it fails, the second validates each remaining field by itself, builds a partial model of the
valid ones, and runs the checks on it. A partial model has no attribute for a field that is invalid or
missing: a check that reads one ends there with an AttributeError, and the violations that it found before
count.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Annotated, Any, Self, get_args

from pydantic import BaseModel, ModelWrapValidatorHandler, TypeAdapter, ValidationError, model_validator
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError, core_schema

Violation = tuple[tuple[str | int, ...], str]
"""The location of a mistake within the model, and the message."""
CrossFieldCheck = Callable[[], Iterable[Violation]]

CROSS_FIELD = "cross_field"
"""Pydantic's error type of every violation."""
_BUILT_IN_TYPES = frozenset(get_args(core_schema.ErrorType))


def raise_violations(model: str, violations: Iterable[Violation]) -> None:
    """Raise all violations as one error; do nothing if there are none.

    For validators: a validator that raises ValueError can report one mistake only, at the model's first line.

    Args:
        model: Name of the model.
        violations: The mistakes.

    Raises:
        ValidationError: There is at least one violation.
    """
    if errors := [_error(violation) for violation in violations]:
        raise ValidationError.from_exception_data(model, errors)


class CrossFieldModel(BaseModel):
    """A model with constraints between its fields; see the module's docstring for how they are checked."""

    def cross_field_checks(self) -> tuple[CrossFieldCheck, ...]:
        """Return the checks; each may read any field and yields its violations."""
        return ()

    @model_validator(mode="wrap")
    @classmethod
    def _check_across_fields(cls, data: Any, validate_fields: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            model = validate_fields(data)
        except ValidationError as error:
            more = _check_partial(cls, data, error) if isinstance(data, dict) else []
            if not more:
                raise
            in_fields = [_raisable(detail) for detail in error.errors(include_url=False)]
            raise ValidationError.from_exception_data(cls.__name__, [*in_fields, *more]) from None
        raise_violations(cls.__name__, (found for check in model.cross_field_checks() for found in check()))
        return model


def _check_partial(
    model: type[CrossFieldModel], data: dict[str, Any], error: ValidationError
) -> list[InitErrorDetails]:
    """Run a model's checks on those of its fields that are valid."""
    invalid = {detail["loc"][0] for detail in error.errors(include_url=False) if detail["loc"]}
    values: dict[str, Any] = {}
    for name, field in model.model_fields.items():
        key = field.alias or name
        if key in data and key not in invalid:
            try:
                values[name] = _field_adapter(model, name).validate_python(data[key])
            except ValidationError:
                invalid.add(key)
    partial = model.model_construct(**values)
    for name, field in model.model_fields.items():
        if (field.alias or name) in invalid:
            partial.__dict__.pop(name, None)  # model_construct filled in the default
    found: list[InitErrorDetails] = []
    for check in partial.cross_field_checks():
        with contextlib.suppress(AttributeError):  # the check needs a field that is invalid or missing
            for violation in check():
                found.append(_error(violation))
    return found


@lru_cache(maxsize=500)
def _field_adapter(model: type[CrossFieldModel], name: str) -> TypeAdapter[Any]:
    """Return a validator of one field alone."""
    field = model.model_fields[name]
    annotation: Any = field.annotation
    for constraint in field.metadata:
        annotation = Annotated[annotation, constraint]
    return TypeAdapter(annotation)


def _raisable(detail: ErrorDetails) -> InitErrorDetails:
    """Convert a reported error to the form in which it can be raised again."""
    kind: Any = detail["type"]
    if kind in _BUILT_IN_TYPES:
        known = InitErrorDetails(type=kind, loc=detail["loc"], input=detail["input"])
        return {**known, "ctx": detail["ctx"]} if "ctx" in detail else known
    custom = PydanticCustomError(kind, "{message}", {"message": detail["msg"]})
    return InitErrorDetails(type=custom, loc=detail["loc"], input=detail["input"])


def _error(violation: Violation) -> InitErrorDetails:
    location, message = violation
    error = PydanticCustomError(CROSS_FIELD, "{message}", {"message": message})
    return InitErrorDetails(type=error, loc=location, input=None)
