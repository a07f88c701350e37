"""Write a stand-in SDK into a folder."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

IMAGE = "system-images;android-34;google_apis;x86_64"
BEHAVIOUR_FILE = "stand-in.json"
_TOOLS = {
    "sdkmanager": "cmdline-tools/latest/bin",
    "avdmanager": "cmdline-tools/latest/bin",
    "emulator": "emulator",
}


@dataclass(frozen=True, slots=True)
class SdkBehaviour:
    """How the tools behave.

    Attributes:
        kvm: Whether hardware acceleration is available.
        licences: Whether the licences were accepted; ``sdkmanager --licenses`` with ``y`` accepts them.
        boot: What starting an emulator does: it works, ends, or never boots; ``snapshot-dies`` ends only when
            it starts from a snapshot.
        available: The packages that ``sdkmanager --install`` knows.
        profile: The virtual phone behind each emulator.
        latency: Its latency.
    """

    kvm: bool = True
    licences: bool = True
    boot: Literal["works", "dies", "hangs", "snapshot-dies"] = "works"
    available: tuple[str, ...] = (IMAGE, "system-images;android-30;default;x86_64", "platform-tools")
    profile: str = "android-34"
    latency: str = "instant"


def install_stand_in(
    root: Path, *, images: Sequence[str] = (IMAGE,), behaviour: SdkBehaviour | None = None
) -> Path:
    """Write a stand-in SDK, or change the behaviour of an existing one.

    Args:
        root: Its folder.
        images: The system images that are installed.
        behaviour: How its tools behave.

    Returns:
        The folder, for ``ANDROID_HOME``.
    """
    root.mkdir(parents=True, exist_ok=True)
    (root / BEHAVIOUR_FILE).write_text(json.dumps(asdict(behaviour or SdkBehaviour())), encoding="utf-8")
    for tool, folder in _TOOLS.items():
        path = root / folder / tool
        path.parent.mkdir(parents=True, exist_ok=True)
        argv = [sys.executable, "-P", "-m", "garabench.testing.sdk_stand_in", str(root), tool]
        path.write_text(f'#!/bin/sh\nexec {shlex.join(argv)} "$@"\n', encoding="utf-8")
        path.chmod(0o755)
    for image in images:
        (root / image.replace(";", "/")).mkdir(parents=True, exist_ok=True)
    return root


def read_behaviour(root: Path) -> SdkBehaviour:
    """Return how the tools of a stand-in SDK behave."""
    return SdkBehaviour(**json.loads((root / BEHAVIOUR_FILE).read_text(encoding="utf-8")))
