"""The tests named in the tables of the wire and of the forms of Android 4.4 exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.cases import every_case

ROOT = Path(__file__).parents[2]
_TEST = re.compile(r"`(tests/[\w/]+\.py(?:::\w+)*)`")


def named_in(page: str) -> list[str]:
    return _TEST.findall((ROOT / "docs" / page).read_text("utf-8"))


WIRE, FORMS, REAL = map(named_in, ("wire.md", "virtual-phone.md", "emulators.md"))
NAMED = sorted({*WIRE, *FORMS, *REAL})


def test_tables_are_not_empty() -> None:
    assert len(set(WIRE)) > 50
    assert len(FORMS) == 27  # a test for each form of Android 4.4
    assert len(REAL) > 10


@every_case("name", NAMED)
def test_named_tests_exist(name: str) -> None:
    path, *inner = name.split("::")
    body = ast.parse((ROOT / path).read_text(encoding="utf-8")).body
    for each in inner:
        found = [
            node for node in body if isinstance(node, ast.ClassDef | ast.FunctionDef) and node.name == each
        ]
        assert len(found) == 1, f"{path} has no {each}"
        body = found[0].body
