from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import garabench

PUBLIC = [
    "Agent",
    "Brief",
    "Budget",
    "Decision",
    "Device",
    "FakeModelServer",
    "GaraError",
    "ModelOptions",
    "Plan",
    "Run",
    "Spent",
    "Suite",
    "Turn",
    "VirtualPhone",
    "load_run",
    "make_plan",
    "run",
]


def test_the_public_interface_is_this_list() -> None:
    assert garabench.__all__ == PUBLIC
    assert dir(garabench) == PUBLIC


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_is_there_and_documented(name: str) -> None:
    assert getattr(garabench, name).__doc__


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nope'"):
        garabench.nope  # noqa: B018


def test_importing_it_loads_neither_devices_nor_pictures() -> None:
    heavy = ("adbutils", "uiautomator2", "PIL", "lxml", "yaml", "click")
    code = f"import sys, garabench; print([name for name in {heavy} if name in sys.modules])"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=120
    )
    assert done.stdout == "[]\n"


def test_its_types_are_for_others_too() -> None:
    assert (Path(garabench.__file__).parent / "py.typed").is_file()
