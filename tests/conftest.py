"""What tests of all parts share."""

from __future__ import annotations

import os
import socket
import subprocess
from collections.abc import Iterator

import adbutils
import hypothesis
import pytest

# How long an example takes is the machine's affair: a busy one would fail what is right.
hypothesis.settings.register_profile("garabench", deadline=None)
hypothesis.settings.load_profile("garabench")


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Leases and undo journals of the tests' own, so that the user's are left alone."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("GARABENCH_STATE", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def own_adb_server() -> Iterator[int]:
    """The port of an adb server of the tests' own, so that the user's is left alone.

    There is one for all of a process' tests, since starting one takes three seconds.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    env = os.environ | {"ANDROID_ADB_SERVER_PORT": str(port)}
    adb = adbutils.adb_path()
    subprocess.run([adb, "start-server"], env=env, check=True, capture_output=True, timeout=30)
    with pytest.MonkeyPatch.context() as patch:
        # uiautomator2 uses the client that adbutils makes when it is imported, for the user's server
        patch.setattr(adbutils, "adb", adbutils.AdbClient(port=port))
        yield port
    subprocess.run([adb, "kill-server"], env=env, check=False, capture_output=True, timeout=30)
