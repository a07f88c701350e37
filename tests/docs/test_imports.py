"""Examples use only the public API: they import from `garabench` and nothing below it."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import garabench

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROGRAMS = sorted((ROOT / "docs" / "examples").glob("*.py"))
_EXAMPLE = re.compile(r"^```python\b[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, str]]:
    """Return each Python example of the docs with its place."""
    found = [
        (f"{page.name}:{page.read_text('utf-8')[: match.start()].count(chr(10)) + 1}", match[1])
        for page in PAGES
        for match in _EXAMPLE.finditer(page.read_text("utf-8"))
    ]
    return found + [(path.name, path.read_text("utf-8")) for path in PROGRAMS]


def test_examples_are_found() -> None:
    assert len(examples()) > 5


def test_examples_import_only_from_garabench() -> None:
    wrong: list[str] = []
    for place, code in examples():
        for node in ast.walk(ast.parse(code)):
            if isinstance(node, ast.Import):
                wrong += [
                    f"{place}: {name.name}" for name in node.names if name.name.startswith("garabench.")
                ]
            elif isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("garabench"):
                if node.module != "garabench":
                    wrong.append(f"{place}: {node.module}")
                wrong += [
                    f"{place}: garabench.{name.name} is not public"
                    for name in node.names
                    if node.module == "garabench" and name.name not in garabench.__all__
                ]
    assert wrong == []
