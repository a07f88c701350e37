"""A snapshot of the running phone: after loading it, the phone continues as if nothing had happened since."""

from __future__ import annotations

import zlib

import pytest

from garabench.suite.suite import SuiteTask
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.phone_clock import Latency
from garabench.virtual.apps.catalog import installed_apps
from garabench.virtual.kit.framework import Intent
from garabench.virtual.ui.dump import u2_xml
from garabench.virtual.ui.scene import WindowKind
from tests.bundled import bundled_suite
from tests.virtual.apps.driver_performer import DriverPerformer

BILIBILI = "tv.danmaku.bili"
PROFILE = "android-34:720x1280"
_STEPS = 4


def state(phone: Phone) -> tuple[object, ...]:
    tree = u2_xml(phone.scene(), compressed=False, max_depth=50)
    return tree, phone.frame().image.tobytes(), phone.clock.now_ms(), phone.processes.list(), phone.ime.shown


def one_task_of_each_app() -> dict[str, SuiteTask]:
    """Return a task of each app whose solution has at least four steps, and not many more."""
    tasks: dict[str, SuiteTask] = {}
    for item in sorted(bundled_suite().tasks.values(), key=lambda item: len(item.task.solution)):
        if len(item.task.solution) >= _STEPS:
            tasks.setdefault(item.app, item)
    return tasks


@pytest.mark.parametrize("app", sorted(one_task_of_each_app()))
def test_a_solution_continues_from_any_step(app: str) -> None:
    item = one_task_of_each_app()[app]
    steps = item.task.solution
    cut = zlib.crc32(item.task.id.encode()) % len(steps)
    performer = DriverPerformer(PROFILE)
    performer.begin(app, item.task.setup)
    for step in steps[:cut]:
        assert not performer.perform(step)
    phone = performer.driver.phone
    before = state(phone)
    snapshot = phone.save_running()
    ends = []
    for _ in range(2):
        assert state(phone) == before
        for step in steps[cut:]:
            assert not performer.perform(step)
        ends.append(state(phone))
        phone.press_home()
        phone.windows.open_shade()
        phone.load_running(snapshot)
    assert ends[0] == ends[1]


@pytest.fixture
def phone() -> Phone:
    phone = Phone(Profile.parse(PROFILE), apps=installed_apps(), strict=True)
    app = phone.packages.get(BILIBILI)
    assert app is not None
    phone.activities.start(Intent(package=BILIBILI, activity=app.app.launcher))
    phone.clock.advance(1000)
    return phone


def test_a_toast_ends_after_the_rest_of_its_time(phone: Phone) -> None:
    phone.windows.toast("hello", BILIBILI)
    phone.clock.advance(1500)
    snapshot = phone.save_running()
    phone.clock.advance(60_000)
    phone.load_running(snapshot)
    assert WindowKind.TOAST in [window.kind for window in phone.scene().windows]
    phone.clock.advance(600)
    assert WindowKind.TOAST not in [window.kind for window in phone.scene().windows]


def test_shade_dialog_settings_and_processes_come_back(phone: Phone) -> None:
    phone.windows.open_shade()
    phone.windows.ask_permission(BILIBILI, "android.permission.CAMERA", lambda granted: None)
    phone.settings.put("system", "user_rotation", "1")
    phone.notifications.post(BILIBILI, "channel", "a title", "a text")
    before, snapshot = state(phone), phone.save_running()
    phone.windows.close_overlay()
    phone.press_back()
    phone.settings.put("system", "user_rotation", "0")
    phone.activities.force_stop(BILIBILI)
    phone.notifications.clear()
    phone.reset(seed=7)
    phone.load_running(snapshot)
    assert state(phone) == before
    assert phone.seed == 0
    assert phone.windows.overlay == "shade"


def test_faults_defects_and_readers_of_the_log_are_not_the_phones(phone: Phone) -> None:
    heard: list[str] = []
    snapshot = phone.save_running()
    phone.defects.enable("bili-like-dead")
    phone.logcat.subscribe(lambda entry: heard.append(entry.message))
    phone.faults.enable("focus-null")
    phone.load_running(snapshot)
    assert phone.faults.active("focus-null") is not None
    assert phone.defects.active == ("bili-like-dead",)
    phone.logcat.write("I", "tag", "still read", pid=1)
    assert heard == ["still read"]


def test_real_time_continues_from_the_saved_moment() -> None:
    now = [0.0]
    phone = Phone(Profile.parse(PROFILE), apps=(), latency=Latency.PHONE)
    phone.clock._monotonic = lambda: now[0]
    phone.clock.restart()
    now[0] = 10.0
    snapshot = phone.save_running()
    now[0] = 100.0
    phone.clock.catch_up()
    phone.load_running(snapshot)
    now[0] = 101.0
    phone.clock.catch_up()
    assert phone.clock.now_ms() == 11_000


def test_the_screen_gets_a_new_version(phone: Phone) -> None:
    snapshot, version = phone.save_running(), phone.version
    phone.load_running(snapshot)
    assert phone.version > version
