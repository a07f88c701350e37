"""The verifier's page has the taxonomy of the code."""

from __future__ import annotations

from pathlib import Path

from garabench.verifier.taxonomy import TAXONOMY, ErrorCategory

PAGE = (Path(__file__).parents[2] / "docs" / "verifier.md").read_text(encoding="utf-8")


def test_every_code_is_explained_with_its_meaning_on_android_and_an_example() -> None:
    for code, entry in TAXONOMY.items():
        cells = (code.value, entry.title, entry.description, entry.android, entry.example)
        assert f"| {' | '.join(cells)} |" in PAGE


def test_every_category_has_a_heading() -> None:
    for number, category in enumerate(ErrorCategory, start=1):
        assert f"### {number}. {category.heading}" in PAGE
