from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from garabench.core.app_state import StateRecord
from garabench.effects.state import AppState, UnknownState
from garabench.effects.system import END, parse_system, system_command

OUTPUT = (
    "[system]\nfont_scale=1.0\nscreen_brightness=77\n[secure]\nlocation_mode=3\nandroid_id=12\n"
    "[global]\nlow_power=0\nboot_count=9\n[apps]\npackage:com.a\npackage:com.b\n[end]\n"
)


def test_only_listed_settings_and_the_apps_are_compared() -> None:
    state = parse_system(OUTPUT)
    assert isinstance(state, AppState)
    assert sorted(object_ for _, object_ in state.records) == [
        "com.a",
        "com.b",
        "global/low_power",
        "secure/location_mode",
        "system/font_scale",
    ]
    assert state.records["system-setting", "global/low_power"] == StateRecord(
        kind="system-setting",
        object="global/low_power",
        fields={"value": "0"},
        text={"zh": "省电模式：0", "en": "Battery saver: 0"},
    )


@pytest.mark.parametrize(
    ("output", "reason"),
    [
        ("", "the device does not list its system settings"),
        ("[system]\nusage: settings\n[secure]\n", "the device does not list its system settings"),
        (OUTPUT.replace("package:com.a\npackage:com.b\n", ""), "the device does not list its apps"),
        (OUTPUT.replace("[end]\n", ""), "the list of settings and apps has no end"),
        (OUTPUT.replace("com.b", "com.a") * 1, None),
    ],
)
def test_a_part_of_the_output_is_unknown(output: str, reason: str | None) -> None:
    state = parse_system(output)
    assert (state.reason if isinstance(state, UnknownState) else None) == reason


@pytest.mark.parametrize("shell", ["sh", "mksh"])
def test_the_calls_of_one_command_keep_their_output_apart(tmp_path: Path, shell: str) -> None:
    program = shutil.which(shell)
    if program is None:
        pytest.skip(f"{shell} is not installed")
    for name in ("settings", "pm", "content"):
        (tmp_path / name).write_text(f'#!/bin/sh\ncat\nfor n in 1 2; do echo "{name} $*=$n"; done\n')
        (tmp_path / name).chmod(0o755)
    _, option, script = system_command(("content", "query", "--uri", "content://it's/a"))
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    done = subprocess.run(
        [program, option, script], env=path, input="unread", capture_output=True, text=True, timeout=20
    )
    printed, _, rows = done.stdout.partition(f"{END}\n")
    assert done.stderr == "" and rows.splitlines() == [
        f"content query --uri content://it's/a={n}" for n in (1, 2)
    ]
    assert printed.splitlines() == [
        line
        for section, call in (
            ("system", "settings list system"),
            ("secure", "settings list secure"),
            ("global", "settings list global"),
            ("apps", "pm list packages"),
        )
        for line in (f"[{section}]", f"{call}=1", f"{call}=2")
    ]
