"""Parts of ``dumpsys activity``, ``window`` and ``package`` by keyword.

Sources: AOSP ``ActivityManagerService.dump``, ``WindowManagerService.doDump``, ``DumpHelper``.
"""

from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("line", "first", "within"),
    [
        ("activity intents", "ACTIVITY MANAGER PENDING INTENTS (dumpsys activity intents)", "  (nothing)\n"),
        ("activity permissions", "ACTIVITY MANAGER URI PERMISSIONS (dumpsys activity permissions)", ""),
        ("activity providers", "ACTIVITY MANAGER CONTENT PROVIDERS (dumpsys activity providers)", ""),
        ("activity oom", "ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity oom)", ":toy.app/u0a"),
        ("activity lru", "ACTIVITY MANAGER LRU PROCESSES (dumpsys activity lru)", " fg  TOP  "),
        ("activity lastanr", "ACTIVITY MANAGER LAST ANR (dumpsys activity lastanr)", "<no ANR has"),
        ("activity starter", "ACTIVITY MANAGER STARTER (dumpsys activity starter)", "toy.app/.Main"),
        ("activity users", "ACTIVITY MANAGER STARTED USERS (dumpsys activity users)", "User #0"),
        ("activity processes toy.app", "ACTIVITY MANAGER RUNNING PROCESSES (dumpsys activity processes)",
         "packageList={toy.app}"),
        ("activity toy.app", "TASK toy.app id=", "  ACTIVITY toy.app/.Main "),
        ("activity package toy.app", "ACTIVITY MANAGER SERVICES", "  ACTIVITY toy.app/.Main "),
        ("activity -p toy.app recents", "ACTIVITY MANAGER RECENT TASKS", "toy.app"),
        ("activity service toy.app/.S", "No services match: toy.app/.S", "Use -h for help."),
        ("activity nope", "Bad activity command, or no activities match: nope", "Use -h for help."),
        ("activity -h", "Activity manager dump options:", "WHAT may also be a COMP_SPEC"),
        ("window tokens", "WINDOW MANAGER TOKENS (dumpsys window tokens)", " u0 toy.app/.Main t"),
        ("window sessions", "WINDOW MANAGER SESSIONS (dumpsys window sessions)", "  Session{"),
        ("window lastanr", "WINDOW MANAGER LAST ANR (dumpsys window lastanr)", "<no ANR has occurred"),
        ("window containers", "ROOT type=undefined", "Task="),
        ("window toy.app", "WINDOW MANAGER WINDOWS (dumpsys window windows)", "toy.app/toy.app.Main}"),
        ("window -a policy", "WINDOW MANAGER POLICY STATE (dumpsys window policy)", "isKeyguardShowing"),
        ("window nope", "Bad window command, or no windows match: nope", "Use -h for help."),
        ("window -h", "Window manager dump options:", "cmd may also be a NAME"),
        ("package f", "Features:", "  android.hardware.wifi\n"),
        ("package libraries", "Libraries:", "org.apache.http.legacy -> (jar)"),
        ("package permissions", "Permissions:", "Permission [android.permission.CAMERA]"),
        ("package packages", "Packages:", "Package [toy.app]"),
        ("package providers", "Registered ContentProviders:", "ContentProvider Authorities:"),
        ("package shared-users", "Shared users:", "SharedUser [android.uid.system]"),
        ("package resolvers", "Activity Resolver Table:", "toy.app/.Main"),
        ("package check-permission android.permission.CAMERA nope", "-1", ""),
        ("package check-permission", "Error: check-permission missing permission argument", ""),
        ("package -h", "Package manager dump options:", "check-permission"),
        ("package", "Database versions:", "Shared users:"),
        ("package no.such", "Unable to find package: no.such", ""),
    ],
)  # fmt: skip
def test_a_keyword_selects_its_part(phone: Phone, line: str, first: str, within: str) -> None:
    out, err, status = on_phone(f"dumpsys {line}", phone=phone)
    assert (out.startswith(first), within in out, err, status) == (True, True, "", 0)
