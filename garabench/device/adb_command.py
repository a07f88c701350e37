"""How a person starts ``adb`` in a shell: the word with which every printed command for adb begins."""

from __future__ import annotations

import contextlib
import shlex
import shutil

import adbutils
from adbutils.errors import AdbError

ADB = "adb"


def adb_command() -> str:
    """Return ``adb`` if it is on ``PATH``, else the quoted path of the one that comes with adbutils.

    GaraBench itself needs no adb on ``PATH``, so a printed command must not assume one. Without any adb it
    is ``adb``.
    """
    if shutil.which(ADB) is None:
        with contextlib.suppress(AdbError):
            return shlex.quote(str(adbutils.adb_path()))
    return ADB
