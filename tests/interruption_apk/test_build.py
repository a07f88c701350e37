"""``build.py check`` tells when the kept APK, its notes and its sources are not of one state."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from tests.interruption_apk.kept_build import HOME, load_build


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The build script of a copy of the project that has no tools to build with."""
    home = tmp_path / "interruption_apk"
    shutil.copytree(HOME / "app" / "src" / "main", home / "app" / "src" / "main")
    shutil.copytree(HOME / "built", home / "built")
    module = load_build()
    for name in ("MAIN", "BUILT", "APK", "FACTS"):
        monkeypatch.setattr(module, name, home / getattr(module, name).relative_to(HOME))
    monkeypatch.setattr(module, "HOME", home)
    monkeypatch.setenv("PATH", str(tmp_path))
    return module


def said(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> str:
    assert build.main(["check"]) == 1
    return capsys.readouterr().err


def test_what_is_kept_goes_on_to_the_comparison_with_a_build(
    build: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    build.check_facts()
    assert said(build, capsys).startswith("missing: javac")


def test_other_sources_are_told(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with (build.MAIN / "res" / "values" / "strings.xml").open("a", encoding="utf-8") as file:
        file.write("<!-- changed -->\n")
    assert said(build, capsys) == (
        "the sources are not those that the kept APK was built from "
        "(by interruption_apk/built/interruptions.json): run make apk\n"
    )


def test_a_further_source_is_told(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    (build.MAIN / "res" / "values" / "further.xml").write_text("<resources/>", encoding="utf-8")
    assert "the sources are not those" in said(build, capsys)


def test_another_apk_is_told(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    build.APK.write_bytes(build.APK.read_bytes() + b"\0")
    assert "the kept APK is not the one that was built" in said(build, capsys)


def test_other_entries_are_told(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    facts = json.loads(build.FACTS.read_text("utf-8"))
    facts["contents"].pop("classes.dex")
    build.FACTS.write_text(json.dumps(facts), encoding="utf-8")
    assert "entries are not those that were built" in said(build, capsys)


@pytest.mark.parametrize("text", [None, "{", "[]", "{}", "3"])
def test_notes_that_are_missing_or_broken_are_told(
    build: ModuleType, capsys: pytest.CaptureFixture[str], text: str | None
) -> None:
    if text is None:
        build.FACTS.unlink()
    else:
        build.FACTS.write_text(text, encoding="utf-8")
    told = said(build, capsys)
    assert told.startswith("interruption_apk/built is incomplete")
    assert told.endswith("run make apk\n")
