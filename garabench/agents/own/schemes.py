"""The forms of names of agents that are programs or services of their own."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from garabench.agents.interface import Agent
from garabench.agents.naming import Named
from garabench.agents.own.owner import Owner
from garabench.agents.own.owning import OwningAgent
from garabench.agents.own.process import ProcessAgent
from garabench.agents.own.service import TOKEN_VARIABLE, ServiceAgent
from garabench.agents.own.surroundings import listed
from garabench.agents.setting import Setting
from garabench.agents.spec import Kind, Scheme
from garabench.errors import InputError


def command(named: Named) -> tuple[str, ...]:
    """The program and its arguments, as a shell would part them; none is asked to.

    Raises:
        InputError: It is empty, a quote is not closed, there is no such program that can be started, or what
            is to be passed on of the environment cannot be read.
    """
    listed(os.environ)
    try:
        argv = shlex.split(named.rest)
    except ValueError as error:
        raise InputError(f"the command of {named.text!r} cannot be read: {error}") from error
    if not argv:
        raise InputError(
            f"{named.text!r} names no program", hint=f"Write {named.scheme}:./my_agent or with arguments."
        )
    program = argv[0]
    if "/" not in program:
        if shutil.which(program) is None:
            hint = (
                f"Write {named.scheme}:./{program} for the one in this folder."
                if Path(program).is_file()
                else ""
            )
            raise InputError(f"{named.text!r}: no program is called {program!r}", hint=hint)
        return tuple(argv)
    path = Path(program)
    if not path.is_file():
        raise InputError(f"{named.text!r}: there is no file {program}")
    if not os.access(path, os.X_OK):
        raise InputError(
            f"{named.text!r}: {program} cannot be executed",
            hint=f"Make it executable (chmod +x {program}), or name what runs it: {_through(named, program)}",
        )
    return (str(path.resolve()), *argv[1:])


_RUNNERS = {".js": "node", ".mjs": "node", ".py": "python3", ".sh": "sh"}


def _through(named: Named, program: str) -> str:
    return f"{named.scheme}:{_RUNNERS.get(Path(program).suffix, 'PROGRAM')} {program}"


def _process(named: Named) -> Callable[[Setting], Agent]:
    argv = command(named)
    return lambda setting: ProcessAgent(argv, setting)


def _owning(named: Named) -> Callable[[Setting], Owner]:
    argv = command(named)
    return lambda setting: OwningAgent(argv, setting)


def address(named: Named) -> str:
    """The address of a service.

    Raises:
        InputError: It is none.
    """
    url = named.body
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and not any(letter.isspace() for letter in url)
        _ = parts.port  # raises for one that is no number
    except ValueError:
        usable = False
    if not usable:
        raise InputError(
            f"{named.text!r} is no address", hint="Write one such as http://127.0.0.1:8000/agent."
        )
    if parts.username or parts.password:
        raise InputError(
            "a password does not belong into an agent's address, which is recorded",
            hint=f"Set {TOKEN_VARIABLE} in the environment.",
        )
    return url


def _service(named: Named) -> Callable[[Setting], Agent]:
    url = address(named)
    return lambda setting: ServiceAgent(url, setting)


SCHEMES: tuple[Scheme, ...] = (
    Scheme(
        "process",
        Kind.PROCESS,
        "process:COMMAND",
        "a program that speaks JSON lines on its standard input and output",
        _process,
    ),
    Scheme("http", Kind.HTTP, "http://ADDRESS", "a service that takes the same messages by POST", _service),
    Scheme("https", Kind.HTTP, "https://ADDRESS", "the same over TLS", _service),
    Scheme(
        "owning",
        Kind.OWNING,
        "owning:COMMAND",
        "a program that drives the device itself through adb, and is watched",
        _owning,
    ),
)
