"""The address schemes of external agents."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from garabench.agents.agent_name import AgentName
from garabench.agents.context import AgentContext
from garabench.agents.external.autonomous import AutonomousAgent
from garabench.agents.external.autonomous_process import AutonomousProcess
from garabench.agents.external.env_vars import listed_names
from garabench.agents.external.http_agent import TOKEN_VARIABLE, HttpAgent
from garabench.agents.external.stdio_agent import StdioAgent
from garabench.agents.interface import Agent
from garabench.agents.spec import AgentKind, Scheme
from garabench.errors import InputError


def parse_argv(named: AgentName) -> tuple[str, ...]:
    """Split a command into its program and arguments by the rules of a shell, without running one.

    Raises:
        InputError: The command is empty, a quote is not closed, the program is missing or not executable, or
            the list of environment variables to pass on is invalid.
    """
    listed_names(os.environ)
    try:
        argv = shlex.split(named.rest)
    except ValueError as error:
        raise InputError(f"invalid command in {named.text!r}: {error}") from error
    if not argv:
        raise InputError(
            f"{named.text!r} names no program", hint=f"Write {named.scheme}:./my_agent or with arguments."
        )
    program = argv[0]
    if "/" not in program:
        if shutil.which(program) is None:
            hint = (
                f"Write {named.scheme}:./{program} for the file in this folder."
                if Path(program).is_file()
                else ""
            )
            raise InputError(f"{named.text!r}: unknown program {program!r}", hint=hint)
        return tuple(argv)
    path = Path(program)
    if not path.is_file():
        raise InputError(f"{named.text!r}: no such file: {program}")
    if not os.access(path, os.X_OK):
        raise InputError(
            f"{named.text!r}: {program} is not executable",
            hint=f"Run chmod +x {program}, or name its interpreter: {_through(named, program)}",
        )
    return (str(path.resolve()), *argv[1:])


_RUNNERS = {".js": "node", ".mjs": "node", ".py": "python3", ".sh": "sh"}


def _through(named: AgentName, program: str) -> str:
    return f"{named.scheme}:{_RUNNERS.get(Path(program).suffix, 'PROGRAM')} {program}"


def _process(named: AgentName) -> Callable[[AgentContext], Agent]:
    argv = parse_argv(named)
    return lambda context: StdioAgent(argv, context)


def _autonomous(named: AgentName) -> Callable[[AgentContext], AutonomousAgent]:
    argv = parse_argv(named)
    return lambda context: AutonomousProcess(argv, context)


def parse_url(named: AgentName) -> str:
    """Return the URL of a service.

    Raises:
        InputError: The URL is invalid.
    """
    url = named.body
    try:
        parts = urlsplit(url)
        usable = bool(parts.hostname) and not any(letter.isspace() for letter in url)
        _ = parts.port  # raises ValueError if it is not a number
    except ValueError:
        usable = False
    if not usable:
        raise InputError(
            f"{named.text!r} is not a valid URL", hint="Write a URL such as http://127.0.0.1:8000/agent."
        )
    if parts.username or parts.password:
        raise InputError(
            "an agent's URL is recorded, so it must not contain a password",
            hint=f"Set {TOKEN_VARIABLE} in the environment.",
        )
    return url


def _service(named: AgentName) -> Callable[[AgentContext], Agent]:
    url = parse_url(named)
    return lambda context: HttpAgent(url, context)


SCHEMES: tuple[Scheme, ...] = (
    Scheme(
        "process",
        AgentKind.PROCESS,
        "process:COMMAND",
        "a program that exchanges JSON lines over standard input and output",
        _process,
    ),
    Scheme(
        "http",
        AgentKind.HTTP,
        "http://ADDRESS",
        "an HTTP service that receives the same messages as POST requests",
        _service,
    ),
    Scheme("https", AgentKind.HTTP, "https://ADDRESS", "an HTTP service, over TLS", _service),
    Scheme(
        "autonomous",
        AgentKind.AUTONOMOUS,
        "autonomous:COMMAND",
        "a program that drives the device itself through adb",
        _autonomous,
        deprecated=("owning",),
    ),
)
