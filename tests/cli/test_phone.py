"""Standalone virtual phones on the command line."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import adbutils
import pytest
from click.testing import CliRunner, Result

from garabench.cli.main import main
from garabench.core.clock import SystemClock
from garabench.virtual import standalone
from garabench.virtual.android.faults import KNOWN

pytestmark = pytest.mark.usefixtures("adb_server")


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, adb_server: None) -> Iterator[Path]:
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path))
    yield tmp_path
    for each in standalone.running_phones():
        standalone.stop_phone(each, SystemClock())


def run(*words: str) -> Result:
    return CliRunner().invoke(main, ["phone", *words])


def test_phone_is_started_listed_configured_and_stopped(state: Path) -> None:
    started = run("start", "android-30:720x1280", "--name", "one", "--latency", "instant")
    assert started.exit_code == 0, started.output
    (row,) = json.loads(run("list", "--json").output)
    assert (row["name"], row["profile"]) == ("one", "android-30:720x1280")
    record = state / "phones" / "one.json"
    assert record.stat().st_mode & 0o077 == 0
    words = [adbutils.adb_path(), "-s", row["serial"], "shell", "getprop", "ro.build.version.sdk"]
    assert subprocess.run(words, capture_output=True, check=True, timeout=120).stdout == b"30\n"

    on = run("faults", "one", "--on", "slow-dump:ms=7")
    assert "on slow-dump" in on.output
    assert json.loads(run("faults", "one", "--json").output)["slow-dump"]["on"] is True
    assert "on slow-dump" not in run("faults", "one", "--off", "slow-dump").output
    unknown = run("faults", "one", "--on", "slow-dum")
    assert unknown.exit_code == 2
    assert "slow-dump" in unknown.output

    again = run("start", "--name", "one")
    assert again.exit_code == 2
    assert "already running" in again.output
    assert run("ui", "--no-browser").output.startswith("http://127.0.0.1:")
    assert run("stop").exit_code == 0
    assert not record.exists()
    assert json.loads(run("list", "--json").output) == []


def test_emulator_is_listed_as_an_emulator() -> None:
    assert run("start", "--name", "emu", "--emulator", "--latency", "instant").exit_code == 0
    (row,) = json.loads(run("list", "--json").output)
    assert row["serial"].startswith("emulator-55")
    listed = subprocess.run([adbutils.adb_path(), "devices"], capture_output=True, check=True, timeout=120)
    assert f"{row['serial']}\tdevice" in listed.stdout.decode()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("start", "android-3"), "Did you mean"),
        (("start", "--name", "../x"), "is not a valid name"),
        (("stop",), "no virtual phone is running"),
        (("stop", "nobody"), "no virtual phone nobody"),
        (("ui", "nobody"), "no virtual phone nobody"),
        (("stop", "a", "--all"), "not both"),
    ],
)
def test_wrong_arguments_are_reported(words: tuple[str, ...], message: str) -> None:
    result = run(*words)
    assert result.exit_code == 2
    assert message in result.output
    assert "Traceback" not in result.output


def test_stale_records_are_removed(state: Path) -> None:
    folder = state / "phones"
    folder.mkdir(parents=True)
    (folder / "dead.json").write_text(
        json.dumps(
            {"name": "dead", "pid": 1, "serial": "x", "panel": 1, "token": "t", "profile": "android-34"}
        )
    )
    (folder / "broken.json").write_text("{")
    assert json.loads(run("list", "--json").output) == []
    assert not list(folder.glob("*.json"))


def test_faults_are_listed_with_their_effects() -> None:
    shown = run("faults").output
    for name, text in KNOWN.items():
        assert name in shown
        assert text in shown


def test_language_theme_and_snapshots_are_set() -> None:
    assert run("start", "android-30:720x1280", "--name", "one", "--latency", "instant").exit_code == 0
    assert run("set").output == "one: zh, light; snapshots: none\n"
    assert (
        run("set", "one", "--lang", "en", "--dark", "--save", "dark").output
        == "one: en, dark; snapshots: dark\n"
    )
    assert run("set", "--light").output == "one: en, light; snapshots: dark\n"
    assert run("set", "--restore", "dark").output == "one: en, dark; snapshots: dark\n"
    unknown = run("set", "--restore", "dork")
    assert unknown.exit_code == 2
    assert "no snapshot named 'dork'" in unknown.output


@pytest.mark.parametrize("end", [signal.SIGINT, "stop"])
def test_foreground_phone_ends_by_ctrl_c_or_stop(end: signal.Signals | str) -> None:
    code = "from garabench.cli.main import main; main()"
    words = [
        "phone",
        "start",
        "android-30:720x1280",
        "--name",
        "front",
        "--latency",
        "instant",
        "--foreground",
    ]
    with subprocess.Popen(
        [sys.executable, "-c", code, *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        assert process.stdout is not None
        lines = [process.stdout.readline() for _ in range(4)]
        assert lines[0].startswith("front is running as 127.0.0.1:")
        (row,) = json.loads(run("list", "--json").output)
        assert row["name"] == "front"
        if isinstance(end, signal.Signals):
            process.send_signal(end)
        else:
            assert run("stop", "front").exit_code == 0
        out, err = process.communicate(timeout=120)
    assert (process.returncode, out, err) == (0, "front stopped\n", "")
    assert json.loads(run("list", "--json").output) == []
