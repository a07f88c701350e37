from __future__ import annotations

import importlib.metadata
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from garabench.proof import cache_key as keys
from garabench.proof.cache_key import dependency_versions, proof_key, source_hash
from garabench.proof.findings import VARIANTS
from garabench.suite.suite import Suite
from tests.suite.suites import goal, interruption, rule, suite, task

TITLE = {"exists": {"id": "title"}}
SAVER = {"setting": {"namespace": "global", "key": "low_power", "equals": "1"}}


def example(**change: Any) -> Suite:
    """Return a suite with one change."""
    goals = [goal("open", change.get("open", TITLE)), goal("other", change.get("other", TITLE))]
    tasks = [
        task("this", "open", rules=["fires"], **change.get("this", {})),
        task("that", "other", rules=["idle"], **change.get("that", {})),
        task("far", "other", app="com.example.other"),
    ]
    return suite(
        goals,
        tasks,
        [rule("fires", "first", **change.get("fires", {})), rule("idle", "unused", **change.get("idle", {}))],
        [
            interruption("first", accept={"follow_up": [{"show": "second"}]}),
            interruption("second", **change.get("second", {})),
            interruption("unused", **change.get("unused", {})),
        ],
    )


def key(**change: Any) -> str:
    suite_ = example(**change)
    return proof_key(suite_.tasks["this"], suite_, VARIANTS)


@pytest.mark.parametrize(
    "change",
    [
        {"this": {"max_steps": 9}},
        {"this": {"setup": ["home"]}},
        {"open": {"exists": {"id": "name"}}},
        {"fires": {"when": {"all": [TITLE]}}},
        {"fires": {"app": "any"}},
        {"second": {"cancelable": False}},  # a button of the first one opens it
        {"other": SAVER},  # its facts must be recorded at the end
    ],
)
def test_the_key_depends_on_the_inputs_of_a_proof(change: dict[str, Any]) -> None:
    assert key(**change) != key()


@pytest.mark.parametrize(
    "change",
    [
        {},
        {"that": {"max_steps": 9}},
        {"other": {"exists": {"id": "name"}}},
        {"idle": {"when": {"all": [TITLE]}}},
        {"unused": {"cancelable": False}},
    ],
)
def test_the_key_ignores_unrelated_changes(change: dict[str, Any]) -> None:
    assert key(**change) == key()


def test_the_key_depends_on_the_phones() -> None:
    suite_ = example()
    assert proof_key(suite_.tasks["this"], suite_, VARIANTS[:1]) != key()


@pytest.fixture
def versions_of(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str, str], None]]:
    real = importlib.metadata.version

    def change(package: str, version: str) -> None:
        dependency_versions.cache_clear()
        monkeypatch.setattr(
            importlib.metadata, "version", lambda name: version if name == package else real(name)
        )

    yield change
    monkeypatch.undo()
    dependency_versions.cache_clear()


@pytest.mark.parametrize(
    "package",
    ["pillow", "adbutils", "uiautomator2", "fontpkg-roboto", "pylopdf-fonts-zh-cn", "lxml"],
)
def test_the_key_depends_on_the_versions_of_dependencies(
    versions_of: Callable[[str, str], None], package: str
) -> None:
    before = key()
    versions_of(package, "0.0.1")
    assert key() != before
    assert f"{package} 0.0.1" in dependency_versions()


def test_the_key_depends_on_the_python_version(monkeypatch: pytest.MonkeyPatch) -> None:
    before = key()
    dependency_versions.cache_clear()
    monkeypatch.setattr("platform.python_version", lambda: "4.0.0")
    try:
        assert key() != before
    finally:
        dependency_versions.cache_clear()


def test_the_key_ignores_development_tools() -> None:
    assert not any(each.split()[0] in ("pytest", "mypy", "hypothesis") for each in dependency_versions())


FILES = {
    "campaign/prove.py": b"",
    "cli/prove.py": b"",
    "virtual/kit/framework.py": b"",
    "virtual/apps/reader/app.py": b"from garabench.virtual.apps.shared.look import RED",
    "virtual/apps/shared/look.py": b"from garabench.virtual.apps.palette.names import RED",
    "virtual/apps/palette/names.py": b"",
    "virtual/apps/shop/content/goods.yaml": b"",
}


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> Callable[[dict[str, bytes], str], str]:
    folders = {"com.reader": "reader", "com.shop": "shop", "com.shared": "shared", "com.palette": "palette"}
    monkeypatch.setattr(keys, "_app_folders", lambda: folders)

    def hash_of(files: dict[str, bytes], used: str) -> str:
        monkeypatch.setattr(keys, "_files", lambda: files)
        source_hash.cache_clear()
        try:
            return source_hash(frozenset({used}))
        finally:
            source_hash.cache_clear()

    return hash_of


@pytest.mark.parametrize(
    ("file", "used", "matters"),
    [
        ("campaign/prove.py", "reader", True),
        ("virtual/kit/framework.py", "reader", True),
        ("virtual/apps/reader/app.py", "reader", True),
        ("virtual/apps/palette/names.py", "reader", True),  # an indirect import
        ("virtual/apps/shop/content/goods.yaml", "reader", False),
        ("virtual/apps/shop/content/goods.yaml", "shop", True),
        ("virtual/apps/reader/app.py", "shop", False),
        ("cli/prove.py", "reader", False),
    ],
)
def test_the_key_depends_on_the_sources_in_use(
    hashed: Callable[[dict[str, bytes], str], str], file: str, used: str, matters: bool
) -> None:
    changed = {**FILES, file: FILES[file] + b"\n"}
    assert (hashed(changed, used) != hashed(FILES, used)) is matters
