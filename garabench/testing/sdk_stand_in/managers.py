"""`sdkmanager` and `avdmanager` of the stand-in SDK, by their documented options and output.

https://developer.android.com/tools/sdkmanager and https://developer.android.com/tools/avdmanager.
"""

from __future__ import annotations

import dataclasses
import json
import os
import sys
from pathlib import Path

from garabench.testing.sdk_stand_in.install import BEHAVIOUR_FILE, read_behaviour

_SDK_ACTIONS = ("--list", "--list_installed", "--install", "--uninstall", "--licenses", "--version")
_SDK_FLAGS = ("--verbose", "--include_obsolete", "--no_https", "--newer")
_SDK_VALUES = ("--sdk_root=", "--channel=", "--proxy=", "--proxy_host=", "--proxy_port=", "--package_file=")
_CREATE_VALUES = {
    "-n": "--name",
    "-k": "--package",
    "-d": "--device",
    "-p": "--path",
    "-c": "--sdcard",
    "-g": "--tag",
    "-b": "--abi",
}
_DEVICES = ("pixel", "pixel_4", "pixel_5", "pixel_6", "pixel_7", "medium_phone", "small_phone")


def avd_home() -> Path:
    """Return the folder of the AVDs, as the emulator finds it."""
    if home := os.environ.get("ANDROID_AVD_HOME"):
        return Path(home)
    user = os.environ.get("ANDROID_USER_HOME")
    return (Path(user) if user else Path.home() / ".android") / "avd"


def _write(text: str) -> None:
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def _fail(text: str) -> int:
    sys.stderr.write(text + "\n")
    return 1


def run_sdkmanager(root: Path, argv: list[str]) -> int:
    """Run `sdkmanager`, and return its exit status."""
    action, packages = "--install", []
    for word in argv:
        if word in _SDK_ACTIONS:
            action = word
        elif word.startswith("-"):
            if word not in _SDK_FLAGS and not word.startswith(_SDK_VALUES):
                return _fail(f"Error: Unknown argument {word}")
        else:
            packages.append(word)
    match action:
        case "--version":
            _write("12.0")
        case "--list_installed":
            _list_installed(root)
        case "--licenses":
            return _accept(root, "7 of 7 SDK package licenses not accepted.")
        case "--install":
            return _install(root, packages)
        case _:
            return _fail(f"Error: the stand-in does not play {action}")
    return 0


def _list_installed(root: Path) -> None:
    _write("Loading local repository...                     \r[=====   ] 25% Loading local repository...  \r")
    _write("Installed packages:")
    rows = [("Path", "Version", "Description", "Location"), ("-------",) * 4]
    for folder in sorted(root.glob("system-images/*/*/*")):
        location = folder.relative_to(root)
        rows.append((str(location).replace("/", ";"), "14", "System Image", str(location)))
    for row in rows:
        _write("  " + " | ".join(f"{cell:<44}" for cell in row).rstrip())


def _accept(root: Path, heading: str) -> int:
    behaviour = read_behaviour(root)
    if behaviour.licences:
        _write("All SDK package licenses accepted.")
        return 0
    _write(heading)
    _write("License android-sdk-license:\n---------------------------------------\nTerms and Conditions")
    sys.stdout.write("---------------------------------------\nAccept? (y/N): ")
    if sys.stdin.readline().strip().lower() != "y":
        return 1
    text = json.dumps(dataclasses.asdict(dataclasses.replace(behaviour, licences=True)))
    (root / BEHAVIOUR_FILE).write_text(text, encoding="utf-8")
    _write("All SDK package licenses accepted")
    return 0


def _install(root: Path, packages: list[str]) -> int:
    known = [package for package in packages if package in read_behaviour(root).available]
    for package in sorted(set(packages) - set(known)):
        _write(f"Warning: Failed to find package '{package}'")
    if not known:
        return 1
    if not read_behaviour(root).licences and _accept(root, "Review licenses:"):
        _write(
            "Skipping following packages as the license is not accepted:\nGoogle APIs System Image\n"
            "The following packages can not be installed since their licenses or those of the packages they "
            "depend on were not accepted:\n  " + "\n  ".join(known)
        )
        return 0
    for package in known:
        (root / package.replace(";", "/")).mkdir(parents=True, exist_ok=True)
    _write("[=======================================] 100% Unzipping...")
    return 0


def run_avdmanager(root: Path, argv: list[str]) -> int:
    """Run `avdmanager`, and return its exit status."""
    words = [word for word in argv if word not in ("-s", "--silent", "-v", "--verbose", "--clear-cache")]
    match words:
        case ["list", "avd", *rest]:
            if rest and rest not in (["-c"], ["--compact"]):
                return _fail(f"Error: Argument '{rest[0]}' is not recognized.")
            _list_avds(compact=bool(rest))
            return 0
        case ["create", "avd", *rest]:
            return _create(root, rest)
    return _fail("Error: Expected verb after global parameters but found " + repr(" ".join(words[:1])) + ".")


def _list_avds(*, compact: bool) -> None:
    folders = sorted(avd_home().glob("*.avd"))
    if compact:
        for folder in folders:
            _write(folder.stem)
        return
    _write("Available Android Virtual Devices:")
    for number, folder in enumerate(folders):
        config = json.loads((folder / "config.json").read_text(encoding="utf-8"))
        _, api, tag, abi = config["package"].split(";")
        if number:
            _write("---------")
        _write(f"    Name: {folder.stem}\n  Device: {config['device']} (Google)\n    Path: {folder}")
        _write("  Target: Google APIs (Google Inc.)")
        _write(f"          Based on: Android {api.removeprefix('android-')} Tag/ABI: {tag}/{abi}")
        _write("  Sdcard: 512 MB")


def _create(root: Path, argv: list[str]) -> int:
    values: dict[str, str] = {}
    force = False
    words = iter(argv)
    for word in words:
        option = _CREATE_VALUES.get(word, word)
        if option in _CREATE_VALUES.values():
            values[option] = next(words, "")
        elif word in ("-f", "--force"):
            force = True
        else:
            return _fail(f"Error: Argument '{word}' is not recognized.")
    for required in ("--name", "--package"):
        if not values.get(required):
            return _fail(f"Error: The parameter {required} must be defined for action 'create avd'")
    if not (root / values["--package"].replace(";", "/")).is_dir():
        return _fail("Error: Package path is not valid. Valid system image paths are:\nnull")
    device = values.get("--device", "")
    if device and device not in _DEVICES:
        return _fail(f"Error: No device found matching --device {device}.")
    folder = avd_home() / f"{values['--name']}.avd"
    if folder.exists() and not force:
        return _fail(
            f"Error: Android Virtual Device '{values['--name']}' already exists.\n"
            "Use --force if you want to replace it."
        )
    if not device:
        sys.stdout.write("Do you wish to create a custom hardware profile? [no] ")
        sys.stdin.readline()
    folder.mkdir(parents=True, exist_ok=True)
    config = {"package": values["--package"], "device": device}
    (folder / "config.json").write_text(json.dumps(config), encoding="utf-8")
    return 0
