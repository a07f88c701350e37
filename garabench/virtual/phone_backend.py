"""The phone as the backend of adbd: its shell, files, screen and local ports."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from garabench.core.memory_image import Outside
from garabench.core.seeds import generator
from garabench.virtual.adb.auth import KeyStore
from garabench.virtual.adb.backend import Framebuffer, Write
from garabench.virtual.adb.duplex import Duplex, LocalService
from garabench.virtual.adb.reverse import ReverseForwards
from garabench.virtual.android import not_simulated
from garabench.virtual.android.file_system import as_root
from garabench.virtual.android.not_simulated import missing_class
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.running_snapshot import RunningSnapshot
from garabench.virtual.commands.availability import missing_command
from garabench.virtual.commands.command_table import phone_commands
from garabench.virtual.commands.durations import durations
from garabench.virtual.commands.monkey_network import MonkeyNetwork
from garabench.virtual.shell.call import Command, CommandCall
from garabench.virtual.shell.interactive import InteractiveShell
from garabench.virtual.shell.interpreter import Shell
from garabench.virtual.shell.streams import InputStream, empty_input
from garabench.virtual.terminal import LineEditor, on_terminal
from garabench.virtual.u2.server import UiautomatorServer
from garabench.virtual.u2.server_session import ServerSession

_U2_MAIN = "com.wetest.uia2.Main"
_U2_PORT = "tcp:9008"
_U2_START_MS = 300
_CONNECTED: Outside = {ServerSession: frozenset({"stopped", "_screen"})}
"""What a restored server does not get back: whether it was stopped, and the tree of another screen."""
_KILLED, _ABORTED = 137, 134
_U2_THREADS = 12
_APP_PROCESS_USAGE = (
    "Error: no class name or --zygote supplied.\n"
    "Usage: app_process [java-options] cmd-dir start-class-name [options]\n"
)
_ONE_CONNECTION_SDK = 19
_SHELL_V2_SDK = 24
"""First API level whose shell runs without a terminal."""
_ROOT_PROPERTY = "service.adb.root"
"""The property that says whether adbd is to run as root; a reboot clears it."""
_OLD_PATH = "/sbin:/vendor/bin:/system/sbin:/system/bin:/system/xbin"


@dataclass(frozen=True, slots=True, eq=False)
class SavedPhone:
    """A snapshot of the phone with the programs of its shell.

    Attributes:
        phone: The phone.
        sessions: The shells, background jobs and connections that were open.
        server: uiautomator2's server, if it ran.
    """

    phone: RunningSnapshot
    sessions: weakref.WeakSet[asyncio.Task[Any]]
    server: UiautomatorServer | None


class PhoneBackend:
    """A `Phone` as a `DeviceBackend` of `garabench.virtual.adb`."""

    def __init__(self, phone: Phone) -> None:
        self.phone = phone
        profile = phone.profile
        self.properties = {
            "ro.product.name": profile.product,
            "ro.product.model": profile.model,
            "ro.product.device": profile.device,
        }
        modern = (
            "shell_v2",
            "cmd",
            "stat_v2",
            "ls_v2",
            "fixed_push_mkdir",
            "apex",
            "abb",
            "abb_exec",
            "fixed_push_symlink_timestamp",
            "sendrecv_v2",
        )
        self.features = modern if profile.shell_v2 else ()
        self.files = phone.files
        self.keys = KeyStore()
        self.reverses = ReverseForwards()
        self._u2: UiautomatorServer | None = None
        self._crashed = asyncio.Event()
        phone.faults.watch(self._on_fault)
        self._jobs: set[asyncio.Task[int]] = set()
        self._sessions: set[asyncio.Task[Any]] = set()
        self._shells = 0
        self._commands: dict[str, Command] = {
            **phone_commands(phone),
            "app_process": self._app_process,
        }
        self._listening: dict[str, LocalService] = {}
        self._random_monkey = self._commands["monkey"]
        self._commands["monkey"] = self._monkey

    async def shell(
        self, line: str, stdin: AsyncIterator[bytes], out: Write, err: Write, *, pty: bool
    ) -> int:
        """Run a shell line; see `DeviceBackend.shell`."""
        with self._session(), as_root() if self._root else contextlib.nullcontext():
            return await self._run(line, stdin, out, err, pty=pty)

    @contextlib.contextmanager
    def _session(self) -> Iterator[None]:
        """Count the current task as a session, which ends when the phone returns to a time before it."""
        task = asyncio.current_task()
        if task is not None:
            self._sessions.add(task)
        try:
            yield
        finally:
            if task is not None:
                self._sessions.discard(task)

    async def _run(self, line: str, stdin: AsyncIterator[bytes], out: Write, err: Write, *, pty: bool) -> int:
        await self.phone.spend(durations(self.phone).shell)
        if pty and self.features:
            return await self._run_on_terminal(line, stdin, out)

        write = out

        async def with_crlf(data: bytes) -> None:
            await write(data.replace(b"\n", b"\r\n"))

        if self.phone.profile.crlf:
            out = err = with_crlf
        if line:
            return await self._new_shell().run(line, stdin, out, err)
        host = self.phone.profile.device if pty else None
        return await InteractiveShell(self._new_shell(), host, root=self._root).run(
            InputStream(stdin), out, err
        )

    async def _run_on_terminal(self, line: str, typed: AsyncIterator[bytes], show: Write) -> int:
        shell = self._new_shell()
        if line:
            return await on_terminal(lambda stdin, write: shell.run(line, stdin, write, write), typed, show)
        person = InteractiveShell(shell, self.phone.profile.device, root=self._root)
        return await on_terminal(
            lambda stdin, write: person.run(InputStream(stdin), write, write),
            typed,
            show,
            person.interrupt,
            LineEditor(person.history, lambda: person.at_prompt),
        )

    def _new_shell(self) -> Shell:
        old = self.phone.profile.sdk < _SHELL_V2_SDK
        self._shells += 1  # $RANDOM differs from shell to shell
        user = "root" if self._root else "shell"
        environment = {
            "HOME": "/",
            "PATH": _OLD_PATH if old else "/system/bin:/system/xbin:/vendor/bin",
            "TMPDIR": "/data/local/tmp",
            "ANDROID_ROOT": "/system",
            "ANDROID_DATA": "/data",
            "ANDROID_STORAGE": "/storage",
            "EXTERNAL_STORAGE": "/sdcard",
            "HOSTNAME": self.phone.profile.device,
            "SHELL": "/system/bin/sh" if old else "/bin/sh",
            **({} if old else {"USER": user, "LOGNAME": user}),
        }
        return Shell(
            self._commands,
            self.phone.files,
            env=environment,
            jobs=self._jobs,
            terminal=old,
            randomness=generator(self.phone.seed, "shell", self._shells),
            foreign=partial(not_simulated.say, self.phone),
            missing=missing_command(self.phone.profile.sdk),
            seconds=lambda: self.phone.clock.uptime_ms / 1000,
        )

    def reboot(self) -> None:
        """Restart the phone; see `DeviceBackend.reboot`."""
        self.phone.reboot()

    @property
    def _root(self) -> bool:
        return self.phone.properties.get(_ROOT_PROPERTY) == "1"

    def switch_user(self, *, root: bool) -> tuple[str, bool]:
        """Switch adbd's user (AOSP ``packages/modules/adb/daemon/restart_service.cpp``)."""
        if root and self._root:
            return "adbd is already running as root\n", False
        if not root and not self._root:
            return "adbd not running as root\n", False
        if not self.phone.rooted:
            return "adbd cannot run as root in production builds\n", False
        self.phone.properties[_ROOT_PROPERTY] = "1" if root else "0"
        return f"restarting adbd as {'root' if root else 'non root'}\n", True

    def restart_adbd(self) -> None:
        """Restart adbd; see `DeviceBackend.restart_adbd`."""
        self.phone.faults.enable("disconnect")

    def save(self) -> SavedPhone:
        """Take a snapshot of the running phone.

        Raises:
            UnsupportedObjectError: An app holds an object that cannot be saved.
        """
        server = self._u2 if self._u2 is not None and not self._u2.stopped else None
        memory = () if server is None else (server.memory,)
        sessions: weakref.WeakSet[asyncio.Task[Any]] = weakref.WeakSet(self._sessions | self._jobs)
        return SavedPhone(self.phone.save_running(memory, _CONNECTED), sessions, server)

    def load(self, saved: SavedPhone) -> None:
        """Continue from a snapshot.

        As with Android's emulator, the connections of the adb server stay, and so does a program that runs
        since before the snapshot; a later one did not exist then, so it ends and its stream is closed.
        """
        for task in (self._sessions | self._jobs).difference(saved.sessions):
            task.cancel()
        if self._u2 is not None and self._u2 is not saved.server:
            self._u2.stop()
            self.phone.automation = ""
        self.phone.load_running(saved.phone)

    async def screen(self) -> Framebuffer:
        """Return the screen; see `DeviceBackend.screen`."""
        frame = self.phone.frame()
        return Framebuffer(frame.size.width, frame.size.height, frame.rgba())

    def local_service(self, service: str) -> LocalService | None:
        """Return the service that listens on the phone; see `DeviceBackend.local_service`."""
        server = self._u2
        if service in self._listening:
            return self._listening[service]
        if service != _U2_PORT or server is None or server.stopped:
            return None

        async def handle(stream: Duplex) -> None:
            with self._session():
                await server.handle(stream)

        return handle

    def fault(self, name: str) -> Mapping[str, Any] | None:
        """Return the parameters of a transport fault; see `DeviceBackend.fault`."""
        if name == "single-connection" and self.phone.profile.sdk <= _ONE_CONNECTION_SDK:
            return {}
        return self.phone.faults.active(name)

    def watch(self, changed: Callable[[str, bool], None]) -> None:
        """Observe switched faults; see `DeviceBackend.watch`."""
        self.phone.faults.watch(changed)

    async def _execute(self, line: str, out: Write, err: Write) -> int:
        """Run a program for uiautomator2's server."""
        return await self._new_shell().run(line, empty_input(), out, err)

    def _on_fault(self, name: str, on: bool) -> None:
        """The fault ``u2-crash`` ends uiautomator2's server."""
        if name == "u2-crash" and on and self._u2 is not None:
            self._u2.stop()
            self._crashed.set()

    async def _foreign_class(self, call: CommandCall) -> int:
        """Fail as ``app_process`` does for a class that it does not find (AOSP ``app_main.cpp``)."""
        operands = [arg for arg in call.argv[1:] if not arg.startswith("-")]
        if len(operands) < 2:
            await call.print_error(_APP_PROCESS_USAGE)
            return _ABORTED
        name, log = operands[1], self.phone.logcat
        pid = self.phone.programs.next_pid()
        log.write("E", "appproc", f"ERROR: could not find class '{name}'", pid=pid)
        archive = call.env.get("CLASSPATH", "").partition(":")[0]
        log.write("E", "AndroidRuntime", missing_class(name, archive), pid=pid)
        not_simulated.say(self.phone, f"app_process {name}")
        await call.print_error("Aborted \n")
        return _ABORTED

    async def _app_process(self, call: CommandCall) -> int:
        """Run uiautomator2's server for as long as its stream stays open."""
        if _U2_MAIN not in call.argv:
            return await self._foreign_class(call)
        if self._u2 is not None and not self._u2.stopped:
            await call.print("java.lang.IllegalStateException: UiAutomationService already registered!\n")
            return 1
        if self.phone.files.stat(call.env.get("CLASSPATH", "")) is None:
            await call.print_error("Error: Unable to access jarfile\n")
            return 1
        await self.phone.spend(_U2_START_MS)
        self._crashed = asyncio.Event()
        server = self._u2 = UiautomatorServer(self.phone, self._execute)
        self.phone.automation = _U2_MAIN
        await call.print("[server] INFO: [UiAutomator2Server] Starting Server\n")
        program = self.phone.programs.begin(
            "app_process", self._crashed.set, args=" ".join(call.argv), threads=_U2_THREADS
        )
        crashed = asyncio.ensure_future(self._crashed.wait())
        reading = asyncio.ensure_future(_until_stopped(call, server))
        try:
            await asyncio.wait({crashed, reading}, return_when=asyncio.FIRST_COMPLETED)
            if crashed.done():
                return _KILLED
            await reading
            return 0
        finally:
            self.phone.programs.end(program)
            crashed.cancel()
            reading.cancel()
            server.stop()
            if self._u2 is server:
                self._u2 = None
                self.phone.automation = ""

    async def _monkey(self, call: CommandCall) -> int:
        """``monkey``: with ``--port N`` it listens for events until a connected program says ``quit``."""
        port = call.argv[call.argv.index("--port") + 1 :][:1] if "--port" in call.argv else []
        if not port or not port[0].isdecimal():
            return await self._random_monkey(call)
        network, ended, name = MonkeyNetwork(self.phone), asyncio.Event(), f"tcp:{int(port[0])}"
        if name in self._listening:
            await call.print_error("Error binding to network socket.\n")
            return 1

        async def handle(stream: Duplex) -> None:
            with self._session():
                try:
                    if await network.serve(stream):
                        ended.set()
                finally:
                    await stream.close()

        self._listening[name] = handle
        program = self.phone.programs.begin("monkey", ended.set, args=" ".join(call.argv))
        try:
            await ended.wait()
        finally:
            self.phone.programs.end(program)
            del self._listening[name]
        await call.print(f"Events injected: {network.injected}\n")
        return 0


async def _until_stopped(call: CommandCall, server: UiautomatorServer) -> None:
    """Wait for the end of the input, or of the server."""
    async for _ in call.stdin:
        if server.stopped:
            return
