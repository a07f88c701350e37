"""The emulators of a run: ``emulators:4`` names four AVDs of GaraBench's own, which are started as needed."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from garabench.core.clock import Clock
from garabench.device.emulators.emulator import (
    Emulator,
    RunningAvd,
    default_log_folder,
    is_left_behind,
    running_avds,
    start_emulator,
    stop_emulator,
)
from garabench.device.emulators.launch_options import LaunchOptions
from garabench.device.emulators.sdk import AndroidSdk
from garabench.device.emulators.tool_output import SystemImage
from garabench.device.undo.lease import leased
from garabench.errors import InputError

FLEET = "emulators"
"""The name of emulators on the command line, followed by ``:COUNT``."""
PREFIX = "garabench-"
"""Prefix of the names of GaraBench's own AVDs."""
MAX_EMULATORS = 16
"""Maximum number of emulators of a run: each needs two cores and some gigabytes of memory."""
_STARTING = 4
"""Number of emulators that boot at the same time."""


def is_fleet(name: str) -> bool:
    """Return whether a device's name is that of emulators to start."""
    return name.partition(":")[0] == FLEET


def parse_fleet(name: str) -> int:
    """Return the number of emulators in ``emulators:COUNT``; 1 without a count.

    Raises:
        InputError: The count is not a number from 1 to `MAX_EMULATORS`.
    """
    _, colon, text = name.partition(":")
    count = int(text) if text.isdecimal() and len(text) < 4 else 0
    if not colon:
        return 1
    if not 1 <= count <= MAX_EMULATORS:
        raise InputError(
            f"{name!r} has no valid number of emulators",
            hint=f"Write, for example, emulators:4; at most {MAX_EMULATORS}.",
        )
    return count


def fleet_names(count: int) -> tuple[str, ...]:
    """Return the names of a number of AVDs."""
    return tuple(f"{PREFIX}{number}" for number in range(1, count + 1))


def create_avds(
    sdk: AndroidSdk, names: Sequence[str], image: SystemImage, *, device: str, force: bool = False
) -> None:
    """Create AVDs, or none if one of the names is taken.

    Raises:
        InputError: A name is invalid or taken, or the device definition unknown.
        HarnessError: avdmanager failed.
    """
    taken = {avd.name for avd in sdk.avds()}
    if not force and (found := [name for name in names if name in taken]):
        raise InputError(
            f"the AVD {found[0]} already exists", hint="Choose another --name, or replace it with --force."
        )
    for name in names:
        sdk.create(name, image, device=device, force=force)


@contextlib.contextmanager
def open_fleet(
    name: str, clock: Clock, on_message: Callable[[str], None], options: LaunchOptions | None = None
) -> Iterator[dict[str, Emulator | None]]:
    """Start the AVDs of a run that do not run yet, and at the end stop those that were started.

    Missing AVDs are created from the newest installed image. The state of an emulator is not saved at the
    end, so that each run begins with the same state. Those that a killed run has started are restarted, so
    that they are stopped at the end as well.

    Args:
        name: ``emulators:COUNT``.
        clock: The clock for all time limits.
        on_message: Called with a message about each AVD that is created, started or booted cold.
        options: How to start them.

    Yields:
        The serials, each with the emulator if it was started here.

    Raises:
        DeviceBusyError: Another run uses an emulator that a killed run has started.
        InputError: The count is wrong, there is no SDK or image, an AVD is broken, or no acceleration.
        DeviceUnreachableError: An emulator ended or did not boot.
        HarnessError: A tool of the SDK failed.
    """
    wanted = fleet_names(parse_fleet(name))
    sdk = AndroidSdk.find()
    running = {each.avd: each.serial for each in running_avds(clock)}
    for avd in wanted:
        if avd in running and is_left_behind(_process_file(avd)):
            on_message(f"restarting {avd}, which a killed run has left behind")
            with leased(running[avd]):
                stop_emulator(RunningAvd(avd, running.pop(avd)), clock, save=False)
    known = {avd.name for avd in sdk.avds()}
    if missing := [avd for avd in wanted if avd not in known]:
        image = sdk.choose_image()
        on_message(f"creating {', '.join(missing)} from {image.package}")
        create_avds(sdk, missing, image, device="pixel_6")
    to_start = [avd for avd in wanted if avd not in running]
    serials: dict[str, Emulator | None] = {running[avd]: None for avd in wanted if avd in running}
    if to_start:
        on_message(f"starting {', '.join(to_start)}")
    with contextlib.ExitStack() as stack:
        for emulator in _start_all(sdk, to_start, clock, options, on_message):
            stack.callback(emulator.stop)
            serials[emulator.serial] = emulator
        yield serials


def _process_file(avd: str) -> Path:
    return default_log_folder() / f"{avd}.process"


def _start_all(
    sdk: AndroidSdk,
    names: Sequence[str],
    clock: Clock,
    options: LaunchOptions | None,
    on_message: Callable[[str], None],
) -> list[Emulator]:
    """Start several AVDs at a time; if one fails, stop the others.

    Raises:
        GaraError: The first failure.
    """
    futures: list[Future[Emulator]] = []
    try:
        with ThreadPoolExecutor(_STARTING, thread_name_prefix="emulator") as pool:
            for name in names:
                futures.append(
                    pool.submit(
                        start_emulator,
                        sdk,
                        name,
                        clock,
                        options=options,
                        on_message=on_message,
                        process_file=_process_file(name),
                    )
                )
        return [future.result() for future in futures]
    except BaseException:  # also Ctrl-C: no emulator outlives the run
        for future in futures:
            if future.done() and not future.cancelled() and future.exception() is None:
                future.result().stop()
        raise
