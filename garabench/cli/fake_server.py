"""``garabench agents fake-server``."""

from __future__ import annotations

import contextlib
import json
import signal
import threading
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import TextIO

import click

from garabench.agents.naming import read_name
from garabench.agents.profiles import find_profile, load_profiles
from garabench.agents.reference.policy import Policy
from garabench.campaign.suite import Suite
from garabench.cli.errors import plainly
from garabench.errors import InputError
from garabench.testing.asked import Asked, to_json
from garabench.testing.behaviour import Behaviour, Scripted, read_scripts
from garabench.testing.faults import ABOUT, Fault
from garabench.testing.follower import Follower
from garabench.testing.replies import Reply
from garabench.testing.screens import KnownScreens
from garabench.testing.server import FakeModelServer


@click.command("fake-server")
@click.option(
    "--follow",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="RUN",
    help="Solve the suite's tasks, and know screens from the record of this run, also while it is written; "
    "may be given several times.",
)
@click.option("--policy", type=click.Choice([*Policy]), default=Policy.DISMISS, show_default=True,
              help="With --follow: how interruptions are met.")  # fmt: skip
@click.option("--agents-file", type=click.Path(path_type=Path, dir_okay=False),
              help="With --follow: further agents, by whose profiles models are known.")  # fmt: skip
@click.option("--agent", "agents", multiple=True, metavar="NAME?OPTIONS",
              help="With --follow: an agent with options, as the run names it.")  # fmt: skip
@click.option("--say", "texts", multiple=True, metavar="TEXT",
              help="Reply this; several times: one after the other.")  # fmt: skip
@click.option("--script", "scripts", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
              help="Reply what stands in this file: a JSON list, or lines of JSON.")  # fmt: skip
@click.option("--again", is_flag=True, help="With --say and --script: the last reply again and again.")
@click.option("--fault", "faults", multiple=True, metavar="KIND[=VALUE]@N",
              help="Let the Nth request fail, or N-M, N+, all; may be given several times.")  # fmt: skip
@click.option("--list-faults", is_flag=True, help="List the kinds of faults, and end.")
@click.option("--key", help="The key that is wanted; without this, none is looked at.")
@click.option(
    "--model", "models", multiple=True, help="A model that there is; without this, any name is one."
)
@click.option("--seconds", type=click.FloatRange(min=0), default=0.0, help="How long each reply takes.")
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Where to listen, on loopback; 0: a free port.")  # fmt: skip
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False),
              help="Add each request to this file, as a line of JSON.")  # fmt: skip
@click.option("--stop-after", type=click.FloatRange(min=0), metavar="SECONDS",
              help="End by itself; otherwise ctrl-C ends it.")  # fmt: skip
@plainly
def fake_server(
    folders: tuple[Path, ...],
    policy: str,
    agents_file: Path | None,
    agents: tuple[str, ...],
    texts: tuple[str, ...],
    scripts: tuple[Path, ...],
    again: bool,
    faults: tuple[str, ...],
    list_faults: bool,
    key: str | None,
    models: tuple[str, ...],
    seconds: float,
    port: int,
    log: Path | None,
    stop_after: float | None,
) -> None:
    """Serve a model that is none, OpenAI-compatible: one that solves the suite's tasks, or follows a script.

    \b
    Example:
        garabench agents fake-server --list-faults
        garabench agents fake-server --say "Action: press_back()" --port 0 --stop-after 0.5
    """
    if list_faults:
        for kind, about in ABOUT.items():
            click.echo(f"{kind.value:12} {about}")
        return
    behaviour = _behaviour(folders, policy, agents_file, agents, texts, scripts, again)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(_opened(log)) if log else None
        lock = threading.Lock()

        def tell(asked: Asked) -> None:
            if file is not None:
                with lock:
                    file.write(json.dumps(to_json(asked), ensure_ascii=False) + "\n")
                    file.flush()

        server = stack.enter_context(
            FakeModelServer(
                behaviour,
                models=models or None,
                key=key,
                faults=[Fault.parse(fault) for fault in faults],
                seconds=seconds,
                port=port,
                tell=tell,
            )
        )
        click.echo(f"Listening on {server.base_url}")
        _wait(stop_after)
        click.echo(f"Answered {len(server.asked)} requests")


def _behaviour(
    folders: tuple[Path, ...],
    policy: str,
    agents_file: Path | None,
    agents: tuple[str, ...],
    texts: tuple[str, ...],
    scripts: tuple[Path, ...],
    again: bool,
) -> Behaviour:
    if folders and (texts or scripts):
        raise InputError("a model either follows the solutions or a script: --follow, or --say and --script")
    if folders:
        known = load_profiles(agents_file)
        first = [find_profile(read_name(text).body, known) for text in agents]
        profiles = {profile.id: profile for profile in (*first, *known.values())}
        return Follower(Suite.load(), KnownScreens(folders), profiles, policy=Policy(policy))
    replies = (*map(Reply, texts), *read_scripts(scripts))
    if not replies:
        raise InputError("what should the model reply?", hint="Give --follow, --say or --script.")
    return Scripted(replies, again=again)


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[TextIO]:
    try:
        opened = file.open("a", encoding="utf-8")
    except OSError as error:
        raise InputError(f"{file} cannot be written: {error.strerror}") from error
    with opened:
        yield opened


def _wait(seconds: float | None) -> None:
    """Wait for ctrl-C, for a polite end, or for so many seconds."""
    over = threading.Event()

    def end(number: int, frame: FrameType | None) -> None:
        over.set()

    before = signal.signal(signal.SIGTERM, end)
    try:
        over.wait(seconds)
    except KeyboardInterrupt:
        click.echo()
    finally:
        signal.signal(signal.SIGTERM, before)
