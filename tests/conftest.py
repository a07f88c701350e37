"""What tests of all parts share."""

from __future__ import annotations

import functools
import gc
import os
import re
import signal
import site
import socket
import subprocess
import threading
from collections.abc import Iterator

import adbutils
import hypothesis
import pytest

from garabench.suite import files
from tests.phones import PhonePool
from tests.waits import AMPLE

pytest_plugins = ["tests.small_suite"]

# How long an example takes, or its making, is the machine's affair: a busy one would fail what is right.
hypothesis.settings.register_profile(
    "garabench", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
# For `make test`, whose verdict is on the project and no matter of luck: always the same examples.
# Who works on it runs pytest itself, which draws new ones each time and keeps those that fail.
hypothesis.settings.register_profile(
    "fixed", hypothesis.settings.get_profile("garabench"), derandomize=True, database=None
)
hypothesis.settings.load_profile("garabench")


_OF_THE_USER = re.compile(
    r"(?:https?|all|no)_proxy|ANDROID_(?:SERIAL|ADB_.*)|GARABENCH_.*|.*_API_KEY|XDG_.*|COLUMNS|LINES|NO_COLOR|FORCE_COLOR"
    r"|PYTHONDONTWRITEBYTECODE",
    re.IGNORECASE,
)
"""Variables by which a user's programs are set, and which tests set for themselves where they matter.

Without compiled modules, every phone that a test starts compiles the package anew for more than a second.
"""

for _name in [each for each in os.environ if _OF_THE_USER.fullmatch(each)]:
    del os.environ[_name]
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    # A shell's job in the background: the programs that tests start would not hear a ctrl-C either.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Exempt modules and collected tests from garbage collection, an eighth of the processor time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture(scope="session", autouse=True)
def own_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """A home of the tests' own with adb's keys, leases, undo journals and kept proofs.

    The user's are left alone, and it does not matter whether they are there or can be written.
    """
    base = site.getuserbase()  # packages may be installed there
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("PYTHONUSERBASE", base)
        patch.setenv("GARABENCH_STATE", str(tmp_path_factory.mktemp("state")))
        patch.setenv("GARABENCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def parsed_once() -> Iterator[None]:
    """Parse each text of a suite file once: hundreds of tests run commands that read the bundled suite."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "load_model", functools.lru_cache(maxsize=512)(files.load_model))
        yield


@pytest.fixture(scope="session")
def own_adb_server() -> Iterator[int]:
    """The port of an adb server of the tests' own, so that the user's is left alone.

    There is one for all of a process' tests, since starting one takes three seconds.
    """
    adb = adbutils.adb_path()
    port, env = _started(adb)
    with pytest.MonkeyPatch.context() as patch:
        # uiautomator2 uses the client that adbutils makes when it is imported, for the user's server
        patch.setattr(adbutils, "adb", adbutils.AdbClient(port=port))
        yield port
    subprocess.run([adb, "kill-server"], env=env, check=False, capture_output=True, timeout=AMPLE)


@pytest.fixture(scope="module")
def adb_server(own_adb_server: int) -> Iterator[None]:
    """Connect a module's clients to the tests' own adb server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANDROID_ADB_SERVER_PORT", str(own_adb_server))
        yield


@pytest.fixture(scope="session")
def phone_pool(own_adb_server: int) -> Iterator[PhonePool]:
    """Virtual phones that all tests of a process share, one after the other."""
    pool = PhonePool()
    yield pool
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANDROID_ADB_SERVER_PORT", str(own_adb_server))
        pool.stop()


def _started(adb: str, tries: int = 5) -> tuple[int, dict[str, str]]:
    """Start an adb server: its port, and the environment in which clients find it.

    Between the choice of a port and its use any program may take it; then another one is chosen.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    # A server would add by itself the emulators of this computer, also those of the tests beside.
    env = os.environ | {"ANDROID_ADB_SERVER_PORT": str(port), "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553"}
    done = subprocess.run(
        [adb, "start-server"], env=env, check=False, capture_output=True, text=True, timeout=AMPLE
    )
    if done.returncode == 0:
        return port, env
    assert tries > 1, done.stderr
    return _started(adb, tries - 1)
