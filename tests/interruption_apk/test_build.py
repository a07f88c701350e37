"""``build.py check`` reports a bundled APK, record or source file that does not match the others."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from types import ModuleType

import pytest

from tests.interruption_apk.build_script import HOME, load_build


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The build script on a copy of the project, without the tools to build it."""
    home = tmp_path / "interruption_apk"
    shutil.copytree(HOME / "app" / "src" / "main", home / "app" / "src" / "main")
    shutil.copytree(HOME / "built", home / "built")
    module = load_build()
    for name in ("MAIN", "BUILT", "APK", "RECORD"):
        monkeypatch.setattr(module, name, home / getattr(module, name).relative_to(HOME))
    monkeypatch.setattr(module, "HOME", home)
    monkeypatch.setenv("PATH", str(tmp_path))
    return module


def run_failing_check(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> str:
    assert build.main(["check"]) == 1
    return capsys.readouterr().err


def test_matching_record_is_compared_with_a_new_build(
    build: ModuleType, capsys: pytest.CaptureFixture[str]
) -> None:
    build.check_record()
    assert run_failing_check(build, capsys).startswith("missing: javac")


def test_changed_source_is_reported(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    with (build.MAIN / "res" / "values" / "strings.xml").open("a", encoding="utf-8") as file:
        file.write("<!-- changed -->\n")
    assert run_failing_check(build, capsys) == (
        "the sources have changed since the bundled APK was built "
        "(according to interruption_apk/built/interruptions.json): run make apk\n"
    )


def test_additional_source_is_reported(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    (build.MAIN / "res" / "values" / "additional.xml").write_text("<resources/>", encoding="utf-8")
    assert "the sources have changed" in run_failing_check(build, capsys)


def test_different_apk_is_reported(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    build.APK.write_bytes(build.APK.read_bytes() + b"\0")
    assert "the bundled APK is not the one that was built" in run_failing_check(build, capsys)


def test_different_entries_are_reported(build: ModuleType, capsys: pytest.CaptureFixture[str]) -> None:
    facts = json.loads(build.RECORD.read_text("utf-8"))
    facts["contents"].pop("classes.dex")
    build.RECORD.write_text(json.dumps(facts), encoding="utf-8")
    assert "entries are not those that were built" in run_failing_check(build, capsys)


@pytest.mark.parametrize("text", [None, "{", "[]", "{}", "3"])
def test_missing_or_broken_record_is_reported(
    build: ModuleType, capsys: pytest.CaptureFixture[str], text: str | None
) -> None:
    if text is None:
        build.RECORD.unlink()
    else:
        build.RECORD.write_text(text, encoding="utf-8")
    message = run_failing_check(build, capsys)
    assert message.startswith("interruption_apk/built is incomplete")
    assert message.endswith("run make apk\n")
