"""Mistakes between the parts of a model, each at the part that is to be changed."""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import ValidationError
from pydantic_core import InitErrorDetails, PydanticCustomError

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
    errors = [
        InitErrorDetails(type=PydanticCustomError("misfit", "{said}", {"said": said}), loc=at, input=None)
        for at, said in misfits
    ]
    if errors:
        raise ValidationError.from_exception_data(model, errors)
