from __future__ import annotations

import os
import pty
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from garabench.campaign.consent import real_devices
from garabench.cli.confirm import ask_to_wipe
from garabench.cli.main import main
from garabench.core.clock import SystemClock
from garabench.device.adb import Adb
from garabench.virtual.phone_process import VirtualPhone
from tests.phones import PhonePool

pytestmark = pytest.mark.usefixtures("adb_server")

WORDS = ["--tasks", "bilibili", "--limit", "1", "--agents", "dismiss", "--conditions", "clean"]
CODE = "from garabench.cli.main import main; main()"


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool, adb_server: None) -> Iterator[VirtualPhone]:
    """A phone that is not in the list of this computer's virtual phones, so it counts as real."""
    with phone_pool.borrow() as running:
        yield running


def run(phone: VirtualPhone, out: Path, *more: str, stdin: int = subprocess.DEVNULL) -> tuple[int, str]:
    argv = [sys.executable, "-c", CODE, "run", "--device", phone.serial, *WORDS, "--out", str(out), *more]
    done = subprocess.run(argv, stdin=stdin, capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, done.stderr


def test_nothing_on_a_real_device_is_wiped_without_consent(phone: VirtualPhone, tmp_path: Path) -> None:
    adb = Adb(phone.serial, SystemClock())
    adb.shell(["am", "start", "-W", "-n", "tv.danmaku.bili/.MainActivityV2"])
    before = adb.shell(["pidof", "tv.danmaku.bili"]).stdout
    assert before.strip()
    status, stderr = run(phone, tmp_path / "run")
    assert status == 2
    assert f"wipes all data of tv.danmaku.bili on {phone.serial}" in stderr
    assert "--yes" in stderr
    assert adb.shell(["pidof", "tv.danmaku.bili"]).stdout == before
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(("answer", "status"), [(b"n\n", 1), (b"y\n", 0)])
def test_user_is_asked_on_a_terminal(phone: VirtualPhone, tmp_path: Path, answer: bytes, status: int) -> None:
    master, slave = pty.openpty()
    try:
        os.write(master, answer)
        done, stderr = run(phone, tmp_path / "run", stdin=slave)
    finally:
        os.close(master)
        os.close(slave)
    assert done == status, stderr
    assert "Continue?" in stderr
    assert (tmp_path / "run" / "results.jsonl").exists() is (status == 0)


def test_option_yes_gives_consent(phone: VirtualPhone, tmp_path: Path) -> None:
    status, stderr = run(phone, tmp_path / "run", "--yes")
    assert status == 0, stderr
    assert "Continue?" not in stderr


def test_virtual_phones_and_unknown_devices_need_no_consent(phone: VirtualPhone) -> None:
    assert real_devices(["virtual", "virtual:android-30"]) == ()
    assert real_devices(["127.0.0.1:1"]) == ()
    assert real_devices([phone.serial, "127.0.0.1:1"]) == (phone.serial,)


def test_no_question_without_a_real_device(capsys: pytest.CaptureFixture[str]) -> None:
    ask_to_wipe((), ("a.b",), yes=False)
    ask_to_wipe(("emulator-5554",), ("a.b",), yes=True)
    assert capsys.readouterr() == ("", "")


def test_a_missing_device_is_reported_before_the_question(tmp_path: Path) -> None:
    argv = ["tasks", "record", "like", "--package", "tv.danmaku.bili", "--device", "no-such-device"]
    done = CliRunner().invoke(main, [*argv, "--instruction", "en=Like", "--out", str(tmp_path / "recording")])
    assert done.exit_code != 0
    assert "no-such-device" in done.output
    assert "wipes" not in done.output
