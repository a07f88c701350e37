"""Read the screens that authoring works on: of a device, a tree file, an episode or a run."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from garabench.authoring.rule_proposal import NamedScreen
from garabench.authoring.rule_replay import ReplayedScreen, recorded_screens
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.screen_structure import SAME_STRUCTURE, structure_similarity
from garabench.device.device import Device
from garabench.errors import InputError


def read_named_screens(paths: tuple[Path, ...]) -> Iterator[NamedScreen]:
    """Iterate over the different screens of tree files, episodes and runs.

    Raises:
        InputError: A path is something else, or a record is broken.
    """
    for path in paths:
        seen: set[str] = set()
        for each in recorded_screens(path):
            name = each.screen.name
            if not path.is_dir():
                _require_elements(each, path)
            if name in seen or not each.screen.tree.nodes:
                continue
            seen.add(name)
            step = "" if each.screen.step is None else f" step {each.screen.step}"
            shown = f"{each.episode}{step}" if path.is_dir() else str(path)
            yield NamedScreen(shown, RecordedFacts(each.screen.tree, each.screen.focus))


def _require_elements(screen: ReplayedScreen, where: Path | str) -> None:
    if not screen.screen.tree.nodes:
        raise InputError(f"{where} has a UI tree without elements", hint="Choose a screen with elements.")


def read_screen_of(path: Path, step: int | None = None) -> NamedScreen:
    """Return the screen of a tree file, or of a step of an episode or of a run with one episode.

    Args:
        path: The tree file, episode or run.
        step: Number of the step; None for a tree file.

    Raises:
        InputError: There is no such screen, the step is missing, or a record is broken.
    """
    if step is None:
        if not path.is_dir():
            return next(read_named_screens((path,)))
        raise InputError(f"{path} has several screens", hint="Choose one with --step, from 0.")
    recorded = list(recorded_screens(path))
    if len({each.episode for each in recorded}) > 1:
        raise InputError(f"{path} has several episodes", hint="Give the folder of one of them.")
    for each in recorded:
        if each.screen.step == step:
            name = f"{each.episode} step {step}"
            _require_elements(each, name)
            return NamedScreen(name, RecordedFacts(each.screen.tree, each.screen.focus))
    steps = [each.screen.step for each in recorded if each.screen.step is not None]
    last = f"its last step is {max(steps)}" if steps else "it has no steps"
    raise InputError(f"{path} has no step {step}; {last}")


def other_screens(screen: NamedScreen, paths: tuple[Path, ...]) -> tuple[list[NamedScreen], int]:
    """Read the screens from which a screen is to be told apart.

    Of a run or an episode, screens with the structure of that screen are left out: they are the same page.
    A single tree is never left out, since it was chosen.

    Args:
        screen: The screen.
        paths: Tree files, episodes and runs.

    Returns:
        The other screens, and the number of those that were left out.
    """
    own, found, left_out = screen.facts.tree, list[NamedScreen](), 0
    for path in paths:
        for each in read_named_screens((path,)):
            tree = each.facts.tree
            is_same = tree.signature == own.signature or structure_similarity(own, tree) >= SAME_STRUCTURE
            if path.is_dir() and is_same:
                left_out += 1
            else:
                found.append(each)
    return found, left_out


def read_device_screen(device: Device) -> NamedScreen:
    """Return the settled screen of a device.

    Raises:
        DeviceError: The device is gone or shows nothing usable.
    """
    settled = device.settle()
    return NamedScreen(device.info.serial, RecordedFacts(settled.reading.tree, device.focus()))
