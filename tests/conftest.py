"""Fixtures and settings of all tests."""

from __future__ import annotations

import dataclasses
import functools
import gc
import os
import re
import signal
import site
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from typing import Any

import adbutils
import httpcore2
import hypothesis
import pytest
from pydantic import BaseModel

from garabench.core.yamldoc import YamlDoc
from garabench.core.yamlmodel import load_model
from garabench.suite import files
from tests.phones import PhonePool
from tests.waits import AMPLE

pytest_plugins = ["tests.small_suite"]

# No deadline: on a busy machine, correct code would fail.
hypothesis.settings.register_profile(
    "garabench", deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
# `make test` always uses the same examples, so that its result is reproducible.
# Plain `pytest` draws new examples each time and stores those that fail.
hypothesis.settings.register_profile(
    "fixed", hypothesis.settings.get_profile("garabench"), derandomize=True, database=None
)
hypothesis.settings.load_profile("garabench")


_USER_VARIABLES = re.compile(
    r"(?:https?|all|no)_proxy|ANDROID_(?:SERIAL|ADB_.*)|GARABENCH_.*|.*_API_KEY|XDG_.*|COLUMNS|LINES|NO_COLOR|FORCE_COLOR"
    r"|PYTHONDONTWRITEBYTECODE",
    re.IGNORECASE,
)
"""The user's settings, which are removed: tests set the ones that matter themselves.

Without compiled modules, every phone that a test starts compiles the package for more than a second.
"""

for _name in [each for each in os.environ if _USER_VARIABLES.fullmatch(each)]:
    del os.environ[_name]
if (
    signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    and threading.current_thread() is threading.main_thread()
):
    # Shells ignore Ctrl-C in background jobs, and the programs that tests start would inherit that.
    signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_finish() -> None:
    """Exempt modules and collected tests from garbage collection, which saves an eighth of the CPU time."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@pytest.fixture(scope="session", autouse=True)
def isolated_state(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Use temporary folders for adb keys, leases, undo journals and cached proofs.

    The user's folders are not touched, and need not exist or be writable.
    """
    base = site.getuserbase()  # packages may be installed there
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("HOME", str(tmp_path_factory.mktemp("home")))
        patch.setenv("PYTHONUSERBASE", base)
        patch.setenv("GARABENCH_STATE", str(tmp_path_factory.mktemp("state")))
        patch.setenv("GARABENCH_CACHE", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="session", autouse=True)
def cache_suite_files() -> Iterator[None]:
    """Parse each text of a suite file once: hundreds of tests read the bundled suite, or a copy of it."""
    known: dict[tuple[str, type[BaseModel]], tuple[Any, YamlDoc]] = {}

    def load_once(text: str, file: str, model: type[BaseModel]) -> tuple[Any, YamlDoc]:
        if (text, model) not in known:
            if len(known) >= 512:
                known.clear()
            known[text, model] = load_model(text, file, model)
        made, doc = known[text, model]
        return made, dataclasses.replace(doc, file=file)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(files, "load_model", load_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def load_certificates_once() -> Iterator[None]:
    """Load each file of trusted certificates once: the clients of models load it again, for 30 ms each."""
    make, make_default = ssl.create_default_context, httpcore2.default_ssl_context

    @functools.cache
    def cached(purpose: ssl.Purpose, cafile: str | None, capath: str | None) -> ssl.SSLContext:
        return make(purpose, cafile=cafile, capath=capath)

    @functools.cache
    def cached_default(file: str | None, folder: str | None, **options: bool) -> ssl.SSLContext:
        return make_default(**options)

    def create(
        purpose: ssl.Purpose = ssl.Purpose.SERVER_AUTH,
        *,
        cafile: str | None = None,
        capath: str | None = None,
        cadata: str | None = None,
    ) -> ssl.SSLContext:
        if cadata is not None or (cafile is None and capath is None):
            return make(purpose, cafile=cafile, capath=capath, cadata=cadata)
        return cached(purpose, cafile, capath)

    def create_default(**options: bool) -> ssl.SSLContext:
        return cached_default(os.environ.get("SSL_CERT_FILE"), os.environ.get("SSL_CERT_DIR"), **options)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ssl, "create_default_context", create)
        patch.setattr(httpcore2, "default_ssl_context", create_default)
        yield


@pytest.fixture(scope="session")
def adb_server_port() -> Iterator[int]:
    """The port of an adb server for the tests, so that the user's server is not touched.

    All tests of a process share it, since starting one takes three seconds.
    """
    adb = adbutils.adb_path()
    port, env = _start_server(adb)
    with pytest.MonkeyPatch.context() as patch:
        # uiautomator2 uses the client that adbutils creates on import, which connects to the user's server
        patch.setattr(adbutils, "adb", adbutils.AdbClient(port=port))
        yield port
    subprocess.run([adb, "kill-server"], env=env, check=False, capture_output=True, timeout=AMPLE)


@pytest.fixture(scope="module")
def adb_server(adb_server_port: int) -> Iterator[None]:
    """Connect a module's clients to the tests' own adb server."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANDROID_ADB_SERVER_PORT", str(adb_server_port))
        yield


@pytest.fixture(scope="session")
def phone_pool(adb_server_port: int) -> Iterator[PhonePool]:
    """Virtual phones that the tests of a process share one after the other."""
    pool = PhonePool()
    yield pool
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANDROID_ADB_SERVER_PORT", str(adb_server_port))
        pool.stop()


def _start_server(adb: str, tries: int = 5) -> tuple[int, dict[str, str]]:
    """Start an adb server, and return its port and the environment for its clients.

    If another program takes the chosen port first, choose another one.
    """
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = int(probe.getsockname()[1])
    # By default a server adds all emulators of this computer, including those of concurrent tests.
    env = os.environ | {"ANDROID_ADB_SERVER_PORT": str(port), "ADB_LOCAL_TRANSPORT_MAX_PORT": "5553"}
    done = subprocess.run(
        [adb, "start-server"], env=env, check=False, capture_output=True, text=True, timeout=AMPLE
    )
    if done.returncode == 0:
        return port, env
    assert tries > 1, done.stderr
    return _start_server(adb, tries - 1)
