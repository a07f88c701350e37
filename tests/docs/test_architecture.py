"""The page on the architecture lists the packages that exist."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
LAYERS = re.compile(r"^\| layer, from the top \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", re.MULTILINE)


def test_the_table_of_layers_has_each_package_once() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = LAYERS.search(page)
    assert table is not None
    listed = re.findall(r"^\| `(\w+)` \|", table[1], re.MULTILINE)
    packages = [path.parent.name for path in (ROOT / "garabench").glob("*/__init__.py")]
    assert sorted(listed) == sorted([*packages, "errors"])
    assert len(listed) == len(table[1].splitlines())


def test_every_module_that_the_page_names_exists() -> None:
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.partition("## Where is …?")[2]
    names = re.findall(r"`([\w/]+\.py)`", section)
    assert len(names) > 20
    assert [name for name in names if not (ROOT / "garabench" / name).is_file()] == []
