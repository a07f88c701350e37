"""The fingerprint of an app's texts changes with its string literals and content files only."""

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
    """A source tree with a few files of two apps and of the kit."""
    files = {
        "apps/jd/app.py": "from garabench.virtual.kit.framework import App\nX = 'cart'\n",
        "apps/jd/content/a.json": "[1]",
        "apps/amap/app.py": "from garabench.virtual.kit.maps.driving_routes import p\n",
        "kit/framework.py": "Z = 'back'\n",
        "kit/maps/routes.py": "Y = 'route'\n",
    }
    for name, text in files.items():
        path = tmp_path / "virtual" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    monkeypatch.setattr(fingerprint, "_PACKAGE", tmp_path)
    fingerprint._sources.cache_clear()
    yield tmp_path
    fingerprint._sources.cache_clear()


def fingerprints() -> tuple[str, str]:
    fingerprint._sources.cache_clear()
    return texts_fingerprint(JD), texts_fingerprint(AMAP)


@pytest.mark.parametrize(
    ("file", "text", "changed"),
    [
        ("apps/jd/app.py", "X = 'basket'\n", (True, False)),
        ("apps/jd/app.py", "X = f'cart{len(X)}s'\n", (True, False)),
        ("apps/jd/content/a.json", "[2]", (True, False)),
        ("apps/jd/content/b.json", "[1]", (True, False)),
        ("kit/maps/routes.py", "Y = 'way'\n", (False, True)),  # the app imports it
        ("apps/jd/app.py", '"""New docstring."""\n\n# new comment\nYZ = ("cart",)\n', (False, False)),
        ("apps/jd/other.py", "Z = 'cart'\n", (False, False)),
        ("apps/jd/__pycache__/app.pyc", "x", (False, False)),
        ("apps/ctrip/app.py", "X = 'other'\n", (False, False)),
        ("kit/framework.py", "Z = 'up'\n", (False, False)),
    ],
)
def test_the_fingerprint_changes_with_literals_and_content(
    package: Path, file: str, text: str, changed: tuple[bool, bool]
) -> None:
    before = fingerprints()
    path = package / "virtual" / file
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    after = fingerprints()
    assert tuple(old != new for old, new in zip(before, after, strict=True)) == changed


def test_every_app_has_a_distinct_fingerprint() -> None:
    found = [texts_fingerprint(app) for app in all_apps()]
    assert len({*found}) == len(found) > 10
