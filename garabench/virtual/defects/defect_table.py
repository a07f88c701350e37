"""The defects that a phone knows, read from ``defects.yaml``."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

from pydantic import BaseModel, ConfigDict

from garabench.core.suggestions import did_you_mean
from garabench.core.yamlmodel import load_model
from garabench.errors import InputError
from garabench.virtual.defects.defect import Defect

_FILE = "defects.yaml"


class DefectFile(BaseModel):
    """A file with defects."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    defects: tuple[Defect, ...]


@functools.cache
def defect_table() -> Mapping[str, Defect]:
    """Return every defect by its id, in the order of the file."""
    text = (resources.files("garabench.virtual.defects") / _FILE).read_text(encoding="utf-8")
    file, _ = load_model(text, _FILE, DefectFile)
    return MappingProxyType({defect.id: defect for defect in file.defects})


def find_defect(name: str) -> Defect:
    """Return a defect by its id.

    Raises:
        InputError: It is unknown.
    """
    table = defect_table()
    if name not in table:
        raise InputError(f"unknown defect {name!r}", hint=did_you_mean(name, table))
    return table[name]
