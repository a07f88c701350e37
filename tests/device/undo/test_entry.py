"""Entries of the undo journal: only commands that GaraBench itself writes are accepted."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.core.device_changes import Setting, StateQuery
from garabench.device.undo.entry import Scope, UndoEntry
from tests.cases import every_case

_TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=("Cs",)), max_size=30)


def entry(setting: Setting, reading: str, sdk: int = 34) -> UndoEntry:
    back, expected = setting.undo(reading, sdk)
    return UndoEntry(setting.subject, "test", Scope.EPISODE, back, setting.query, expected)


@given(_TEXT, _TEXT, st.sampled_from([19, 34]))
def test_entry_survives_a_round_trip_through_json(value: str, reading: str, sdk: int) -> None:
    original = entry(Setting("system", "a.key", value), reading, sdk)
    assert UndoEntry.from_json(json.loads(json.dumps(original.to_json()))) == original


GOOD = entry(Setting("system", "font_scale", "1.3"), "null").to_json()


@every_case(
    "bad",
    [
        {"back": [["rm", "-rf", "/sdcard"]]},
        {"back": [["settings"]]},
        {"back": [["settings", "list", "system"]]},
        {"back": [["pm", "uninstall", "com.example"]]},
        {"back": [["svc", "power", "shutdown"]]},
        {"back": [["content", "delete", "--uri", "content://contacts/people", "--where", "1"]]},
        {"back": [["emu", "kill"]]},
        {"back": [["emu", "gsm", "cancel", "1\nkill"]]},
        {"back": [["settings", "put", "a\0b"]]},
        {"back": [["settings", "put", *"x" * 50]]},
        {"back": []},
        {"back": ["settings put"]},
        {"back": [[]]},
        {"query": ["sh", "-c", "reboot"]},
        {"query": "getprop"},
        {"expected": []},
        {"expected": "null"},
        {"scope": "for ever"},
        {"subject": 7},
        {"after": None},
    ],
)
def test_commands_that_garabench_does_not_write_are_rejected(bad: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        UndoEntry.from_json(GOOD | bad)
    with pytest.raises(ValueError, match="not a valid change"):
        UndoEntry.from_json({name: value for name, value in GOOD.items() if name not in bad})


@pytest.mark.parametrize(
    ("after", "output", "state"),
    [
        ("", " 1.3\n", "1.3"),
        ("", "null\n", "null"),
        ("Night mode:", "Night mode: yes\n", "yes"),
        ("minimum latency:", "  minimum latency:  0 ms\n", "0"),
        ("are [", "Locales for com.example for user 0 are []\n", ""),
        ("are [", "Locales for com.example for user 0 are [zh-CN,en-US]\n", "zh-CN"),
        ("(UPDATES ", "State:\n  (UPDATES STOPPED -- use 'reset' to restart)\n", "STOPPED"),
        ("(UPDATES ", "Current Battery Service state:\n", ""),
        ("x.P: granted=", "x.P: granted=false, flags=[ USER_SET ]\n", "false"),
    ],
)  # fmt: skip
def test_query_reads_the_state_from_the_output(after: str, output: str, state: str) -> None:
    assert StateQuery(("getprop",), after).read(output) == state


@pytest.mark.parametrize(
    ("reading", "sdk", "command"),
    [
        ("1.0", 34, ("settings", "put", "system", "font_scale", "1.0")),
        ("", 34, ("settings", "put", "system", "font_scale", "")),
        ("null", 34, ("settings", "delete", "system", "font_scale")),
        (
            "null",
            19,
            ("content", "delete", "--uri", "content://settings/system", "--where", "name='font_scale'"),
        ),
    ],
)
def test_setting_is_restored_or_deleted(reading: str, sdk: int, command: tuple[str, ...]) -> None:
    assert Setting("system", "font_scale", "1.3").undo(reading, sdk) == ((command,), (reading,))


def test_an_entry_of_an_older_version_is_read() -> None:
    former = {
        {"subject": "what", "purpose": "why", "query": "probe"}.get(name, name): value
        for name, value in GOOD.items()
    }
    assert "subject" not in former and UndoEntry.from_json(former) == UndoEntry.from_json(GOOD)
