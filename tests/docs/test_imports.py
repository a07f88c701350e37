"""Examples use only the public API: they import from `garabench` and nothing below it."""

from __future__ import annotations

import ast
import inspect
import re
from pathlib import Path

import garabench

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
PROGRAMS = [
    path
    for path in sorted((ROOT / "docs").rglob("*.py"))
    if path.name != "reference.py"  # the builder of the API reference
]
_EXAMPLE = re.compile(r"^```python\b[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LITERAL = re.compile(r"::\n\n((?:(?: {4}.*)?\n)+)")
"""An example in a docstring: the indented lines after two colons."""


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


def docstring_examples(source: str) -> list[str]:
    """Return the Python examples in the docstrings of a module: literal blocks, and prompts."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        text = (ast.get_docstring(node) or "") + "\n"
        prompts = (line.strip().removeprefix(">>> ") for line in text.splitlines() if ">>> " in line)
        found += [inspect.cleandoc(block) for block in _LITERAL.findall(text)] + list(prompts)
    return [code for code in found if is_python(code)]


def is_python(code: str) -> bool:
    try:
        ast.parse(code)
    except SyntaxError:
        return False  # a tree, a command line, a line of a protocol
    return True


def test_examples_in_docstrings_are_found() -> None:
    source = """def f():
    \"\"\"Do it.

    Like this::

        from garabench.core import tree
        tree.parse()

    >>> import garabench.errors
    \"\"\"
"""
    assert docstring_examples(source) == [
        "from garabench.core import tree\ntree.parse()",
        "import garabench.errors",
    ]


def test_examples_import_only_from_garabench() -> None:
    wrong: list[str] = []
    modules = ((path, path.read_text("utf-8")) for path in sorted((ROOT / "garabench").rglob("*.py")))
    in_docstrings = [
        (path.relative_to(ROOT).as_posix(), code)
        for path, source in modules
        if "::\n" in source or ">>> " in source
        for code in docstring_examples(source)
    ]
    for place, code in examples() + in_docstrings:
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
