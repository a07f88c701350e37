"""What the parts of an app file share: names, colours, short forms, and mappings with one key."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, StringConstraints

from garabench.virtual.app_files.operands import LANGUAGES, Value

MAX_ROWS = 500
"""Maximum number of rows of a table, and of a list of the app's state."""
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]*$", max_length=60)]
"""The name of a variable, a table or a field."""
ElementId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z][A-Za-z0-9_]*$", max_length=80)]
Permission = Annotated[str, StringConstraints(pattern=r"^[A-Za-z]\w*(\.[A-Za-z]\w*)+$", max_length=120)]
THEME = ("accent", "on_accent", "ink", "muted", "surface", "background", "line", "danger")
Color = Annotated[
    str, StringConstraints(pattern=rf"^(#([0-9A-Fa-f]{{6}}|[0-9A-Fa-f]{{8}})|{'|'.join(THEME)})$")
]
HexColor = Annotated[str, StringConstraints(pattern=r"^#[0-9A-Fa-f]{6}$")]
Distance = Annotated[float, Field(ge=0, le=2000)]


class AppPart(BaseModel):
    """A part of an app file."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


def part_kind(kinds: dict[str, type[AppPart]], value: Any) -> str | None:
    """Return the kind of a part: its only key."""
    if isinstance(value, AppPart):
        return next((name for name, kind in kinds.items() if type(value) is kind), None)
    if isinstance(value, str):
        return value if value in kinds else None
    if isinstance(value, dict) and len(value) == 1:
        key = next(iter(value))
        return key if key in kinds else None
    return None


def bare_word(value: Any) -> Any:
    """Convert ``- back`` to ``- back:``."""
    return {value: None} if isinstance(value, str) else value


@dataclass(frozen=True, slots=True)
class ShortForm:
    """Converts the short form of a part, ``go: cart``, to the value of one of its keys.

    Attributes:
        key: The key.
        lists: Whether the short form is a list.
    """

    key: str
    lists: bool = False

    def __call__(self, value: Any) -> Any:
        """Return the long form of a part."""
        if self.lists:
            return {self.key: value} if isinstance(value, list) else value
        if isinstance(value, AppPart) or value is None or (isinstance(value, dict) and not is_text(value)):
            return value
        return {self.key: value}


def is_text(value: dict[Any, Any]) -> bool:
    """Return whether a mapping is a text by language."""
    return bool(value) and set(value) <= set(LANGUAGES)


def short_form(key: str) -> BeforeValidator:
    """Return a validator that accepts the short form of a part, which is the value of one of its keys."""
    return BeforeValidator(ShortForm(key))


Match = dict[Name, Value]
"""Fields of a row and the values that they must have."""
