"""The project's texts are plain English: turns of phrase that made readers stumble are refused."""

from __future__ import annotations

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from garabench.cli.main import main
from tests.cases import every_case

ROOT = Path(__file__).parents[1]
HABITS = {
    r"\b(go|goes|going|gone|went) on with\b": "resume, continue",
    r"\bstands? twice\b": "duplicate",
    r"\bha(s|ve) to stand\b": "expected …, is required",
    r"\b(that|which) (is|are) none\b": "fake, not a …",
    r"\b(is|are) none of\b": "is not a …",
    r"\b(is|are|was|were) told (by|of)\b": "is reported, is printed",
    r"\b(tell|tells|told|telling) of\b": "report, describe",
    r"\b(as|what) (it|they|is|are|was|were) (is |are |was |were )?told\b": "as reported, the brief",
    r"\b(a|an|agents?|files?|names?) of one's own\b": "your own …",
    r"\b(can|could|cannot|to) be had\b": "is available",
    r"\bbe it (a|an|the|that|by|in|of|on)\b": "whether … or …",
    r"\bof no use\b": "unusable",
    r"\bsuch a one\b": "one",
    r"\bbroken off\b": "interrupted, killed",
}
"""Patterns that are refused, and what to write instead."""
UNMENDED = frozenset[str]()
"""Files that are still to be mended: this list may only shrink."""
FRAGMENT = re.compile(r"(Of|For|To|By|That|What|Whether|Such)\b")


@functools.cache
def found(name: str) -> tuple[str, ...]:
    """The refused phrases of a file."""
    path = ROOT / name
    text = path.read_text(encoding="utf-8")
    parts = (
        strings(text, docstrings_only=name.startswith("garabench/virtual/apps/"))
        if path.suffix == ".py"
        else [text]
    )
    return tuple(
        f"{name}: {match[0]!r} (write: {instead})"
        for part in parts
        for pattern, instead in HABITS.items()
        for match in re.finditer(pattern, " ".join(part.split()), re.IGNORECASE)
    )


def strings(source: str, *, docstrings_only: bool) -> Iterator[str]:
    """The docstrings of a module, and its other strings: help texts and messages."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if docstrings_only:
            if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
                yield ast.get_docstring(node) or ""
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value


FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for path in (
        *(ROOT / "garabench").rglob("*.py"),
        *(ROOT / "docs").rglob("*.md"),
        *(ROOT / "schemas").glob("*.json"),
        *ROOT.glob("*.md"),
    )
)


def test_nothing_is_written_in_a_refused_phrase() -> None:
    assert [phrase for name in FILES if name not in UNMENDED for phrase in found(name)] == []


def test_the_list_of_unmended_files_only_shrinks() -> None:
    assert {name for name in UNMENDED if name not in FILES or not found(name)} == set()


@pytest.mark.parametrize(
    "text",
    [
        "the key stands twice",
        "Whether this run can be gone on with",
        "a text has to stand here",
        "Serve a model that is none",
        "near misses that are none of their own",
        "What agents of one's own have told",
        "every kill is told of",
    ],
)
def test_the_patterns_refuse_what_they_were_written_for(text: str) -> None:
    assert any(re.search(pattern, text) for pattern in HABITS)


def commands(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            below = command.get_command(context, word)
            assert below is not None
            yield from commands(below, f"{name} {word}")


COMMANDS = dict(commands(main, "garabench"))


@every_case("name", COMMANDS)
def test_the_help_of_a_command_says_what_it_and_its_options_do(name: str) -> None:
    first = (COMMANDS[name].help or "").strip().partition("\n\n")[0]
    assert first.endswith("."), "the help begins with a sentence"
    for option in COMMANDS[name].params:
        if isinstance(option, click.Option):
            text = option.help or ""
            assert text and text[0].isupper() and text.endswith("."), f"{option.opts[0]}: {text!r}"
            assert not FRAGMENT.match(text), f"{option.opts[0]} says what the option does: {text!r}"
