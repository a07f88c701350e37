"""Mutants change one line each, and are found again after the file has changed."""

from __future__ import annotations

import ast

import pytest

from benchmarks.mutation import Mutant, apply, candidates

SOURCE = '''"""A module."""

LIMIT = 5


def most(values: list[int], spare: int = 1) -> int | None:
    if not values:
        return None
    found = {"最": 0}
    found["最"] = max(values)
    return found["最"] if len(values) > spare else LIMIT
'''


def test_each_operator_changes_only_its_line() -> None:
    mutants = {(each.line, each.operator, each.mutated) for each in candidates("most.py", SOURCE)}
    assert mutants == {
        (6, "constant", "def most(values: list[int], spare: int = 2) -> int | None:"),
        (7, "negation", "if not (not values):"),
        (9, "constant", 'found = {"最": 1}'),
        (10, "deletion", "pass"),
        (11, "return", "return None"),
        (11, "negation", 'return found["最"] if not (len(values) > spare) else LIMIT'),
        (11, "comparison", 'return found["最"] if len(values) >= spare else LIMIT'),
    }
    for each in candidates("most.py", SOURCE):
        ast.parse(apply(each, SOURCE))


def test_moved_line_is_found_by_its_text() -> None:
    mutant = Mutant("m.py", 4, "constant", "return 0", "return 1")
    source = "def a():\n    return 0\n\ndef b():\n    return 0\n"
    assert apply(mutant, source) == "def a():\n    return 0\n\ndef b():\n    return 1\n"
    with pytest.raises(ValueError, match=r"m\.py has no line 'return 0'"):
        apply(mutant, "def a():\n    return 2\n")
