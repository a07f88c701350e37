"""What an app's texts were made from changes with its words and content, and with nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from garabench.screens import fingerprint
from garabench.screens.fingerprint import texts_fingerprint
from garabench.screens.text_crawler import all_apps

JD, AMAP = (
    next(app for app in all_apps() if app.package == name)
    for name in ("com.jingdong.app.mall", "com.autonavi.minimap")
)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A package with a few files of two apps."""
    files = {
        "jd/app.py": "X = 'cart'\n",
        "jd/content/a.json": "[1]",
        "amap/app.py": "from garabench.virtual.apps.maps.parts import p\n",
        "maps/parts.py": "Y = 'route'\n",
    }
    for name, text in files.items():
        path = tmp_path / "virtual/apps" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(fingerprint, "_PACKAGE", tmp_path)
    fingerprint._sources.cache_clear()
    yield tmp_path
    fingerprint._sources.cache_clear()


def origins() -> tuple[str, str]:
    fingerprint._sources.cache_clear()
    return texts_fingerprint(JD), texts_fingerprint(AMAP)


@pytest.mark.parametrize(
    ("file", "text", "changed"),
    [
        ("jd/app.py", "X = 'basket'\n", (True, False)),
        ("jd/app.py", "X = f'cart{len(X)}s'\n", (True, False)),
        ("jd/content/a.json", "[2]", (True, False)),
        ("jd/content/b.json", "[1]", (True, False)),
        ("maps/parts.py", "Y = 'way'\n", (False, True)),  # the app imports it
        ("jd/app.py", '"""Told anew."""\n\n# in other words\nYZ = ("cart",)\n', (False, False)),
        ("jd/other.py", "Z = 'cart'\n", (False, False)),
        ("jd/__pycache__/app.pyc", "x", (False, False)),
        ("ctrip/app.py", "X = 'other'\n", (False, False)),
    ],
)
def test_it_changes_with_an_app_s_words_and_content(
    package: Path, file: str, text: str, changed: tuple[bool, bool]
) -> None:
    before = origins()
    path = package / "virtual/apps" / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    after = origins()
    assert tuple(old != new for old, new in zip(before, after, strict=True)) == changed


def test_every_app_has_one_of_its_own() -> None:
    found = [texts_fingerprint(app) for app in all_apps()]
    assert len({*found}) == len(found) > 10
