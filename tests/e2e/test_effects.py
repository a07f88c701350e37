"""What an episode changed, over the real wire: read from the apps, recorded, and hidden from agents."""

from __future__ import annotations

import base64
import subprocess

import adbutils
import pytest

from garabench.agents.external.adb_proxy import AdbProxy
from garabench.core.app_state import SYSTEM
from garabench.core.selector import Selector, find
from garabench.device.device import Device
from garabench.effects.app_state_reader import read_state
from garabench.effects.episode_states import EffectsTracker
from garabench.effects.state import AppState, State
from garabench.effects.state_keys import StateKeys
from garabench.errors import CommandError
from garabench.virtual.apps.bilibili import names
from garabench.virtual.apps.catalog import installed_apps
from tests.cases import every_case
from tests.waits import AMPLE

BILIBILI = "tv.danmaku.bili"
OFFERING = sorted(app.package for app in installed_apps() if app.state is not None)


def known(state: State) -> AppState:
    assert isinstance(state, AppState), state
    return state


def tap(device: Device, selector: Selector) -> None:
    tree = device.settle().reading.tree
    at = find(tree, selector)[0].bounds.center
    device.adb.shell(["input", "tap", str(at.x), str(at.y)])


@every_case("package", [SYSTEM, *OFFERING])
def test_every_app_offers_its_state(device: Device, package: str) -> None:
    first, second = (known(read_state(device.adb, package)) for _ in range(2))
    assert first == second
    for record in first.records.values():
        assert record.kind == "installed-app" or all(record.text.get(lang) for lang in ("zh", "en"))


def test_reading_changes_neither_the_screen_nor_the_time(device: Device) -> None:
    device.apps.open(BILIBILI)
    before = device.settle().reading.tree
    clock = device.adb.shell(["cat", "/proc/uptime"]).stdout
    for _ in range(5):
        known(read_state(device.adb, BILIBILI))
    apart = float(device.adb.shell(["cat", "/proc/uptime"]).stdout.split()[0]) - float(clock.split()[0])
    assert device.settle().reading.tree.signature == before.signature
    assert apart < 0.5


def test_an_unasked_like_and_a_switch_are_effects(device: Device) -> None:
    device.apps.open(BILIBILI)
    device.settle()
    tracker = EffectsTracker(device.adb)
    tracker.begin(BILIBILI)
    video = ["--es", "video", "BV1GQGsy1goM"]
    device.adb.shell(["am", "start", "-n", f"{BILIBILI}/{names.VIDEO}", *video])
    tap(device, Selector(id="frame_like"))
    device.settle()
    device.adb.shell(["settings", "put", "global", "low_power", "1"])
    system, app = tracker.finish()
    device.adb.shell(["settings", "put", "global", "low_power", "0"])
    assert [(change.object, change.after) for change in system.changed] == [
        ("global/low_power", {"value": "1"})
    ]
    assert {(record.kind, record.object) for record in app.added} == {
        ("like", "BV1GQGsy1goM"),
        ("history", "BV1GQGsy1goM"),
    }
    assert (app.removed, app.changed) == ((), ())


def test_an_agent_cannot_read_a_state(device: Device, adb_server_port: int) -> None:
    query = ["content", "query", "--uri", f"content://org.garabench.state/{BILIBILI}"]
    with AdbProxy(("127.0.0.1", adb_server_port)) as proxy:
        client = adbutils.AdbClient(host=proxy.host, port=proxy.port).device(device.adb.serial)
        assert client.shell(["echo", "hello"]) == "hello"
        with pytest.raises(adbutils.AdbError, match="the states of apps are hidden from agents"):
            client.shell(query)
        program = [adbutils.adb_path(), "-P", str(proxy.port), "-s", device.adb.serial, "shell"]
        for words, typed in ((query, ""), ([], f"{' '.join(query)}\nexit\n")):
            done = subprocess.run(
                [*program, *words], input=typed, capture_output=True, text=True, timeout=AMPLE, check=False
            )
            assert "record=" not in done.stdout + done.stderr
        assert client.shell(["echo", "still", "here"]) == "still here"


URI = f"content://org.garabench.state/{BILIBILI}"
ENCODED = base64.b64encode(f"content query --uri {URI}".encode()).decode()
EVASIONS = (
    f"a=org.garabench; content query --uri content://$a.state/{BILIBILI}",
    f"content query --uri content://org.gara'bench'.state/{BILIBILI}",
    f'content query --uri "content://org.gara""bench.state/{BILIBILI}"',
    f"content query --uri content://org.garabench.stat\\e/{BILIBILI}",
    f"echo {ENCODED} | base64 -d | sh",
    f"echo {ENCODED} | base64 -d > /data/local/tmp/q.sh; sh /data/local/tmp/q.sh",
    f"eval \"$(printf 'content query --uri content://org.garabenc%s.state/%s' h {BILIBILI})\"",
    f"c=$(echo content://org_garabench_state/{BILIBILI} | sed 's/_/./g'); content query --uri $c",
    f"c=$(echo content://org_garabench_state/{BILIBILI} | sed 's/_/./g'); content query --uri $c?key=1",
)


@pytest.mark.parametrize("command", EVASIONS)
def test_an_agent_cannot_conceal_the_address(device: Device, adb_server_port: int, command: str) -> None:
    tracker = EffectsTracker(device.adb, StateKeys())
    with AdbProxy(("127.0.0.1", adb_server_port)) as proxy:
        client = adbutils.AdbClient(host=proxy.host, port=proxy.port).device(device.adb.serial)
        assert "record=" in client.shell(command)  # without the lock, it would succeed
        tracker.begin(BILIBILI)
        answer = client.shell(command)
        assert "record=" not in answer
        assert "the state is locked while an agent drives the device" in answer
    (_, app) = tracker.finish()
    assert (app.unknown, app.added, app.removed, app.changed) == ("", (), (), ())
    tracker.release()
    assert "record=" in device.adb.shell(["content", "query", "--uri", URI]).stdout


def test_a_used_key_opens_nothing(device: Device) -> None:
    keys = StateKeys()
    for address in (keys.address(URI), keys.address(URI)):
        assert "record=" in device.adb.shell(["content", "query", "--uri", address]).stdout
        again = device.adb.shell(["content", "query", "--uri", address])
        assert "record=" not in again.stdout
    keys.address(URI)  # its answer was lost
    assert "record=" in device.adb.shell(["content", "query", "--uri", keys.address(URI)]).stdout
    for address in keys.releases():
        device.adb.shell(["content", "query", "--uri", address])
    assert "record=" in device.adb.shell(["content", "query", "--uri", URI]).stdout


def test_more_output_than_permitted_is_an_error(device: Device) -> None:
    argv = ["seq", "1", "20000"]
    assert len(device.adb.shell(argv, max_bytes=1_000_000).stdout) > 100_000
    with pytest.raises(CommandError, match="the output is larger than 50000 bytes"):
        device.adb.shell(argv, max_bytes=50_000)


@pytest.mark.parametrize("path", ["", "/", "/com.no.such.app"])
def test_what_is_not_offered_is_not_found(device: Device, path: str) -> None:
    result = device.adb.shell(["content", "query", "--uri", f"content://org.garabench.state{path}"])
    assert (result.stdout, "Could not find provider" in result.stderr) == ("", True)


def test_the_state_is_read_only(device: Device) -> None:
    uri = f"content://org.garabench.state/{BILIBILI}"
    for verb in ("insert", "update", "delete"):
        result = device.adb.shell(["content", verb, "--uri", uri])
        assert "the state is read-only" in result.stderr
