"""The list of services (AOSP ``ServiceManager``, ``SystemServer.java``): one for all commands, by version."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.service_list import services
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


@pytest.fixture(params=["android-19", "android-30", "android-34"])
def phone(request: pytest.FixtureRequest) -> Phone:
    device = toys.phone(request.param)
    toys.start(device)
    return device


def test_all_lists_are_one_and_every_service_is_found(phone: Phone) -> None:
    known = services(phone.profile.sdk)
    listed = on_phone("dumpsys -l", phone=phone)[0]
    assert listed == "Currently running services:\n" + "".join(f"  {name}\n" for name in known)
    if phone.profile.has_cmd:
        assert on_phone("cmd -l", phone=phone)[0] == listed
    rows = on_phone("service list", phone=phone)[0].splitlines()
    assert rows[0] == f"Found {len(known)} services:"
    assert rows[1:] == [f"{at}\t{name}: [{kind}]" for at, (name, kind) in enumerate(known.items())]
    script = f"for s in {' '.join(known)}; do dumpsys $s >/dev/null || echo $s; service check $s; done"
    out, err, status = on_phone(script, phone=phone)
    assert (err, status) == ("", 0)
    assert out == "".join(f"Service {name}: found\n" for name in known)


ROOT = Path(__file__).parents[3]
_SILENT = {19: 11, 30: 51, 34: 88}
"""How many services print nothing in ``dumpsys``: most have no ``dump`` method in AOSP."""


def test_services_print_a_dump_or_say_in_the_log_that_they_have_none(phone: Phone) -> None:
    silent = []
    for name in services(phone.profile.sdk):
        before = phone.logcat.read()[-1].number
        out, err, status = on_phone(f"dumpsys {name}", phone=phone)
        assert (err, status) == ("", 0)
        logged = [entry.message for entry in phone.logcat.read(before) if entry.tag == "garabench"]
        assert logged == ([] if out else [f"dumpsys {name}: not simulated, its code does not run here"])
        silent += [] if out else [name]
    assert len(silent) == _SILENT[phone.profile.sdk], silent
    if phone.profile.sdk == max(_SILENT):
        page = (ROOT / "docs/virtual-phone.md").read_text(encoding="utf-8")
        listed = page.partition("leaves a line in the log:\n")[2].partition("\n#")[0]
        assert re.findall(r"`([^`]+)`[,.]", listed) == silent
    read = ("window", "netstats", "content", "dropbox", "account", "usb", "alarm", "telephony.registry")
    assert not set(read) & set(silent)


def test_every_service_has_a_shell_command_or_says_that_it_has_none(phone: Phone) -> None:
    """``Binder.onShellCommand`` answers for a service that has no commands."""
    if not phone.profile.has_cmd:
        return
    script = "".join(f"cmd {name} help; " for name in services(phone.profile.sdk))
    err = on_phone(script, phone=phone)[1]
    assert "No shell command implementation.\n" in err
    assert "Can't find service" not in err


@pytest.mark.parametrize(
    ("name", "levels"),
    [
        ("activity", (19, 30, 34)),
        ("entropy", (19,)),
        ("vibrator", (19, 30)),
        ("vibrator_manager", (34,)),
        ("role", (30, 34)),
        ("deviceidle", (30, 34)),
        ("usagestats", (19, 30, 34)),
        ("locale", (34,)),
        ("credential", (34,)),
        ("telephony.registry", (19, 30, 34)),
    ],
)
def test_services_by_version(name: str, levels: tuple[int, ...]) -> None:
    assert tuple(sdk for sdk in (19, 30, 34) if name in services(sdk)) == levels


def test_interfaces_of_old_versions_differ() -> None:
    assert services(19)["usagestats"] == "com.android.internal.app.IUsageStats"
    assert services(34)["usagestats"] == "android.app.usage.IUsageStatsManager"


def test_dumpsys_without_a_service_dumps_all() -> None:
    """``dumpsys.cpp``: the list, then each dump between a header and a footer with its duration."""
    out = on_phone("dumpsys --skip SurfaceFlinger,activity")[0]
    assert out.startswith("Currently running services:\n  SurfaceFlinger (skipped)\n  SurfaceFlingerAIDL\n")
    assert f"\n{'-' * 79}\nDUMP OF SERVICE battery:\nCurrent Battery Service state:\n" in out
    assert "\n--------- 0.001s was the duration of dumpsys battery, ending at: 2024-05-20 09:41:00\n" in out
    assert "DUMP OF SERVICE activity:" not in out


def test_a_service_without_a_simulation_says_so_in_the_log() -> None:
    line = (
        "dumpsys incident; cmd incident x; service call incident 1; logcat -d -s garabench | grep -c incident"
    )
    out, err, _ = on_phone(line)
    assert out == 'Result: Parcel(Error: 0xffffffffffffffb6 "Not a data message")\n3\n'
    assert err == "No shell command implementation.\n"
