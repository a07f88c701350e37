from __future__ import annotations

import pytest

from garabench.device.emulators.launch_options import LaunchOptions, check_port
from garabench.errors import InputError


def test_emulator_is_headless_by_default() -> None:
    argv = LaunchOptions().argv("a", 5556, snapshot=True)
    assert {"-no-window", "-no-audio", "-no-boot-anim", "-no-snapshot-save"} <= set(argv)
    assert argv[:4] == ("-avd", "a", "-port", "5556")
    assert argv[argv.index("-snapshot") + 1] == "garabench"
    assert "-no-snapshot-load" not in argv


@pytest.mark.parametrize(("cold", "snapshot"), [(True, True), (False, False)])
def test_cold_boot_loads_no_snapshot(cold: bool, snapshot: bool) -> None:
    argv = LaunchOptions(cold=cold).argv("a", 5556, snapshot=snapshot)
    assert "-no-snapshot-load" in argv
    assert "-snapshot" not in argv


def test_options_are_passed_on() -> None:
    options = LaunchOptions(window=True, accelerated=False, memory=2048, cores=2, gpu="host")
    words = " ".join(options.argv("a", 5554, snapshot=False))
    assert "-no-window" not in words
    for expected in ("-accel off", "-memory 2048", "-cores 2", "-gpu host"):
        assert expected in words


def test_ports_are_even_and_in_range() -> None:
    assert check_port(5682) == 5682
    for port in (5553, 5555, 5684, 80):
        with pytest.raises(InputError, match=f"cannot have the port {port}"):
            check_port(port)
