"""The tests named in the table of the wire exist."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from tests.cases import every_case

ROOT = Path(__file__).parents[2]
NAMED = sorted(
    set(re.findall(r"`(tests/[\w/]+\.py(?:::\w+)*)`", (ROOT / "docs" / "wire.md").read_text("utf-8")))
)


def test_table_is_not_empty() -> None:
    assert len(NAMED) > 50


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
