"""The optional file ``suite.yaml``: how your own suite uses the built-in one."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from garabench.core.identifiers import KebabId

SETTINGS_FILE = "suite.yaml"


class IncludedTasks(BaseModel):
    """Built-in tasks that also belong to the suite.

    Attributes:
        select: A task selector.
        rules: The rules that may fire in these tasks; default: their own.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    select: str = Field(min_length=1)
    rules: tuple[KebabId, ...] | None = None


def _to_mapping(value: Any) -> Any:
    """Convert a bare selector to a mapping."""
    return {"select": value} if isinstance(value, str) else value


class SuiteSettings(BaseModel):
    """The content of ``suite.yaml``.

    Attributes:
        builtin: Whether ids that the suite does not define are looked up in the built-in suite.
        tasks: Built-in tasks that also belong to the suite.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    builtin: bool = True
    tasks: tuple[Annotated[IncludedTasks, BeforeValidator(_to_mapping)], ...] = ()


DEFAULT_SETTINGS = SuiteSettings()
"""The settings of a suite without ``suite.yaml``."""
