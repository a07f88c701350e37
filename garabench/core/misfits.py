"""Mistakes between the parts of a model, each at the part that is to be changed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Annotated, Any, Self, get_args

from pydantic import BaseModel, ModelWrapValidatorHandler, TypeAdapter, ValidationError, model_validator
from pydantic_core import ErrorDetails, InitErrorDetails, PydanticCustomError, core_schema

Misfit = tuple[tuple[str | int, ...], str]
"""Where a mistake is, from the model's top, and what it is."""


def refuse(model: str, misfits: Iterable[Misfit]) -> None:
    """Refuse a model for all mistakes at once; to be called from its validators.

    A validator that raises ValueError tells one mistake, at the model's first line.

    Args:
        model: Its name.
        misfits: What does not fit together; nothing happens when there is none.

    Raises:
        ValidationError: There is some.
    """
    errors = list(map(_detail, misfits))
    if errors:
        raise ValidationError.from_exception_data(model, errors)


_KNOWN = frozenset(get_args(core_schema.ErrorType))
"""Pydantic's own kinds of errors."""


class Fitting(BaseModel):
    """A model whose parts have to fit together, which is told at once with what is wrong in the parts.

    Pydantic asks its after-validators nothing while a field is wrong, so that their mistakes come to light
    one mending later. Here each check is asked on a model of the fields that are in order; one that needs a
    field that is not has nothing to say.
    """

    def misfits(self) -> tuple[Callable[[], Iterable[Misfit]], ...]:
        """The checks of what does not fit together; each may ask any field."""
        return ()

    @model_validator(mode="wrap")
    @classmethod
    def _fits(cls, data: Any, handler: ModelWrapValidatorHandler[Self]) -> Self:
        try:
            made = handler(data)
        except ValidationError as error:
            if isinstance(data, dict) and (more := _told_by(cls, data, error)):
                told = [_again(each) for each in error.errors(include_url=False)]
                raise ValidationError.from_exception_data(cls.__name__, [*told, *more]) from None
            raise
        refuse(cls.__name__, (misfit for check in made.misfits() for misfit in check()))
        return made


def _told_by(kind: type[Fitting], data: dict[str, Any], error: ValidationError) -> list[InitErrorDetails]:
    """What the checks have to say of the fields that are in order."""
    wrong = {detail["loc"][0] for detail in error.errors(include_url=False) if detail["loc"]}
    values: dict[str, Any] = {}
    for name, info in kind.model_fields.items():
        key = info.alias or name
        if key in data and key not in wrong:
            try:
                values[name] = _reader(kind, name).validate_python(data[key])
            except ValidationError:
                wrong.add(key)
    made = kind.model_construct(**values)
    for name, info in kind.model_fields.items():
        if (info.alias or name) in wrong:
            made.__dict__.pop(name, None)  # its default stands there, which nobody has meant
    found: list[InitErrorDetails] = []
    for check in made.misfits():
        with contextlib.suppress(AttributeError):  # a field that it needs is wrong or missing
            found.extend(map(_detail, check()))
    return found


@lru_cache(maxsize=500)
def _reader(kind: type[Fitting], name: str) -> TypeAdapter[Any]:
    info = kind.model_fields[name]
    annotation: Any = info.annotation
    for each in info.metadata:
        annotation = Annotated[annotation, each]
    return TypeAdapter(annotation)


def _again(detail: ErrorDetails) -> InitErrorDetails:
    """An error to be raised once more."""
    kind: Any = detail["type"]
    if kind in _KNOWN:
        known = InitErrorDetails(type=kind, loc=detail["loc"], input=detail["input"])
        return {**known, "ctx": detail["ctx"]} if "ctx" in detail else known
    said = PydanticCustomError(kind, "{said}", {"said": detail["msg"]})
    return InitErrorDetails(type=said, loc=detail["loc"], input=detail["input"])


def _detail(misfit: Misfit) -> InitErrorDetails:
    at, said = misfit
    return InitErrorDetails(type=PydanticCustomError("misfit", "{said}", {"said": said}), loc=at, input=None)
