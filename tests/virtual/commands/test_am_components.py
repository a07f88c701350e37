"""Services and receivers of installed APKs (AOSP ``ActiveServices``, ``BroadcastQueue``)."""

from __future__ import annotations

import pytest

from garabench.virtual.android.installer import install_apk
from garabench.virtual.android.phone import Phone
from tests.virtual.android import apks, toys
from tests.virtual.shell.harness import on_phone

PACKAGE = "org.example.small"


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    document = apks.manifest(
        services=[
            apks.component("service", ".Sync", "org.example.SYNC"),
            apks.component("service", ".Open", "org.example.OPEN", scheme="foo", priority=5),
            apks.component("service", ".Hidden"),
        ],
        receivers=[
            apks.component("receiver", ".Ping", "org.example.PING"),
            apks.component("receiver", ".Quiet", "org.example.PING", exported=False),
        ],
    )
    assert install_apk(device.packages, apks.apk(document)).ok
    return device


def _log(phone: Phone, tag: str) -> list[str]:
    return [entry.message for entry in phone.logcat.read() if entry.tag == tag]


@pytest.mark.parametrize(
    ("arguments", "error", "status"),
    [
        ("-a org.example.SYNC", "", 0),
        ("-a org.example.OPEN -d foo:bar", "", 0),
        ("-a org.example.OPEN", "Error: Not found; no service started.\n", 255),
        ("-a org.example.SYNC -p toy.app", "Error: Not found; no service started.\n", 255),
        (f"-n {PACKAGE}/.Open", "", 0),
        (f"-n {PACKAGE}/.Hidden", "Error: Requires permission not exported from uid {uid}\n", 255),
    ],
)
def test_a_service_is_found_by_its_filter(phone: Phone, arguments: str, error: str, status: int) -> None:
    installed = phone.packages.get(PACKAGE)
    assert installed is not None
    _, err, code = on_phone(f"am start-foreground-service {arguments}", phone=phone)
    assert (err, code) == (error.format(uid=installed.uid), status)
    assert bool(phone.services.running) == (status == 0)


def test_an_app_in_the_background_starts_no_service(phone: Phone) -> None:
    """Background Execution Limits of Android 8: ``APP_START_MODE_DELAYED_RIGID``."""
    line = f"am startservice -n {PACKAGE}/.Sync"
    assert on_phone(line, phone=phone)[1:] == ("Error: app is in background uid null\n", 255)
    on_phone(f"am start -n {PACKAGE}/.Main", phone=phone)
    assert on_phone(line, phone=phone)[1:] == ("", 0)
    assert on_phone("am stopservice -a org.example.SYNC", phone=phone)[1:] == ("Service stopped\n", 0)


def test_an_implicit_broadcast_does_not_start_an_app(phone: Phone) -> None:
    on_phone("am broadcast -a org.example.PING", phone=phone)
    refused = [line.partition(" receiving ")[0] for line in _log(phone, "BroadcastQueue")]
    assert refused[0] == "Background execution not allowed:"
    assert not _log(phone, "garabench")
    on_phone("am broadcast -a org.example.PING --receiver-include-background", phone=phone)
    assert _log(phone, "garabench") == [
        f"receiver {PACKAGE}/{PACKAGE}.Ping: not simulated, its code does not run here"
    ]


def test_a_receiver_that_is_not_exported_gets_no_broadcast_of_the_shell(phone: Phone) -> None:
    on_phone(f"am broadcast -a org.example.PING -p {PACKAGE}", phone=phone)
    denied = [line for line in _log(phone, "BroadcastQueue") if line.startswith("Permission Denial: ")]
    assert [line.endswith(f"due to receiver {PACKAGE}/.Quiet") for line in denied] == [True]
    assert len(_log(phone, "garabench")) == 1


@pytest.mark.parametrize(
    ("line", "out"),
    [
        ("pm query-services --components -a org.example.SYNC", f"{PACKAGE}/.Sync\n"),
        ("cmd package query-services --brief -a org.example.OPEN -d foo:bar",
         "1 services found:\n  Service #0:\n    priority=5 preferredOrder=0 match=0x208000 specificIndex=-1 "
         f"isDefault=true\n    {PACKAGE}/.Open\n"),
        ("pm query-services -a nope", "No services found\n"),
        ("pm query-receivers --components -a org.example.PING", f"{PACKAGE}/.Ping\n{PACKAGE}/.Quiet\n"),
        ("pm query-receivers -a nope", "No receivers found\n"),
    ],
)  # fmt: skip
def test_queries(phone: Phone, line: str, out: str) -> None:
    assert on_phone(line, phone=phone) == (out, "", 0)


def test_the_resolver_tables_have_the_same_components(phone: Phone) -> None:
    out = on_phone(f"dumpsys package {PACKAGE}", phone=phone)[0]
    heads = [line for line in out.splitlines() if line.endswith("Resolver Table:")]
    assert heads == ["Activity Resolver Table:", "Receiver Resolver Table:", "Service Resolver Table:"]
    assert 'Action: "org.example.OPEN"' in out and 'Scheme: "foo"' in out
    services = on_phone("dumpsys package resolvers service", phone=phone)[0]
    assert services.startswith("Service Resolver Table:\n") and "Activity Resolver" not in services
    assert f" {PACKAGE}/.Sync\n" in services
