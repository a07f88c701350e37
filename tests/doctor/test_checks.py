from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from garabench.campaign.planner import make_plan
from garabench.cli.main import main
from garabench.core.clock import SystemClock
from garabench.device.adb import Adb
from garabench.device.adb_command import adb_command
from garabench.doctor.checks import first_elements
from garabench.suite.suite import Suite
from tests.phones import PhonePool

pytestmark = pytest.mark.usefixtures("adb_server")


def test_first_elements_are_those_of_the_first_steps() -> None:
    suite = Suite.load()
    found = first_elements(make_plan(suite.select("bilibili,facebook"), ("accept",)), suite)
    bilibili, facebook = ({each.describe() for each in elements} for elements in found.values())
    assert {"id=expand_search", "desc=我的,5之5,标签"} <= bilibili
    assert {"desc_contains=Menu, tab", "text=What's on your mind?", "id=feed"} <= facebook


def test_every_app_of_the_suite_has_a_first_element() -> None:
    suite = Suite.load()
    assert all(first_elements(make_plan(suite.select("all"), ("accept",)), suite).values())


def test_a_virtual_phone_is_examined(phone_pool: PhonePool) -> None:
    with phone_pool.borrow("android-34:720x1280") as phone:
        words = ["doctor", "--device", phone.serial, "--tasks", "bilibili", "--json"]
        result = CliRunner().invoke(main, words)
        found = {each["check"]: each for each in json.loads(result.stdout)["findings"]}
        assert {found[name]["status"] for name in ("connection", "health", "input", "companion")} == {"pass"}
        assert (
            "elements with which its tasks begin are on its first screen"
            in found["app tv.danmaku.bili"]["message"]
        )
        phone.fault("no-space")
        result = CliRunner().invoke(main, [*words[:-1], "--no-open-apps"])
        assert "low-storage: 2 MB are free on /data, 50 MB are needed" in result.stdout
        hints = [line.strip() for line in result.stdout.splitlines() if line.startswith("      ")]
        command = f"{adb_command()} -s {phone.serial} shell pm trim-caches 1G"
        assert hints.count(command) == 1  # not again for the refusal of the run
        phone.fault("no-space", on=False)
        Adb(phone.serial, SystemClock()).shell(["pm", "disable-user", "tv.danmaku.bili"]).check("disable it")
        result = CliRunner().invoke(main, [*words[:-1], "--no-open-apps"])
        assert result.stdout.count("disabled") == 1
        assert f"      {adb_command()} -s {phone.serial} shell pm enable tv.danmaku.bili\n" in result.stdout
        Adb(phone.serial, SystemClock()).shell(["pm", "enable", "tv.danmaku.bili"]).check("enable it")
        phone.fault("dialog-on-top")
        result = CliRunner().invoke(main, [*words[:-1], "--no-open-apps"])
        assert result.exit_code == 1
        assert "fail  " in result.stdout
        assert "CLOSE_SYSTEM_DIALOGS" in result.stdout
        info = CliRunner().invoke(main, ["device", "info", phone.serial])
        assert "dialog: Application Error: com.android.phone" in info.stdout
        assert info.exit_code == 1
