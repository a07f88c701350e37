"""Errors of runs on devices that are connected but unusable."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from garabench.cli.main import main
from garabench.core.clock import SystemClock
from garabench.core.companion_app import PACKAGE
from garabench.device.adb import Adb
from garabench.virtual.phone_process import VirtualPhone
from tests.waits import until


def test_interrupted_run_requires_the_companion(tmp_path: Path) -> None:
    with VirtualPhone() as phone:
        Adb(phone.serial, SystemClock()).shell(["pm", "uninstall", PACKAGE])
        result = invoke_run(phone.serial, tmp_path / "run", "--yes")
        assert result.exit_code == 3, result.output
        assert "which shows the interruptions, is not installed" in result.output
        assert not (tmp_path / "run" / "run.json").exists()
        result = invoke_run(phone.serial, tmp_path / "run", "--yes", "--conditions", "clean")
        assert result.exit_code == 0, result.output


def invoke_run(serial: str, out: Path, *more: str) -> Result:
    argv = ["run", "--device", serial, "--limit", "1", "--agents", "dismiss", "--out", str(out), *more]
    return CliRunner().invoke(main, argv)


@pytest.mark.parametrize(
    ("fault", "message"),
    [("unauthorized", "confirm 'Allow USB debugging'"), ("offline", "is offline")],
)
def test_refused_connection_is_reported(tmp_path: Path, fault: str, message: str) -> None:
    with VirtualPhone() as phone:
        phone.fault(fault)
        until(lambda: Adb(phone.serial, SystemClock()).listed() == fault)  # adb reconnects first
        result = invoke_run(phone.serial, tmp_path / "run")
        assert result.exit_code == 3, result.output
        assert message in result.output
        assert "Traceback" not in result.output
        assert not (tmp_path / "run" / "run.json").exists()
