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

from garabench.agents.agent_name import parse_agent_name
from garabench.agents.profiles import find_profile, load_profiles
from garabench.agents.reference.exit_choice import Policy
from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.number_range import NumberRange
from garabench.cli.suite_option import suite_option
from garabench.errors import InputError
from garabench.suite.suite import Suite
from garabench.testing.behaviour import Behaviour, ScriptedReplies, read_scripts
from garabench.testing.fake_judge import JudgeReplies, read_written_replies
from garabench.testing.faults import ABOUT, PlannedFault
from garabench.testing.follower import Follower
from garabench.testing.replies import FakeReply
from garabench.testing.requests import ReceivedRequest, request_data
from garabench.testing.screen_index import ScreenIndex
from garabench.testing.server import FakeModelServer


@click.command("fake-server", cls=Command)
@click.option(
    "--follow",
    "folders",
    multiple=True,
    type=click.Path(path_type=Path, file_okay=False),
    metavar="RUN",
    help="Solve the suite's tasks: recognize each screen by the records of RUN, which may be in progress; "
    "repeatable.",
)
@click.option(
    "--policy",
    type=click.Choice([policy.value for policy in Policy]),
    default=Policy.DISMISS.value,
    show_default=True,
    help="With --follow: answer interruptions by this policy.",
)
@click.option("--agents-file", type=click.Path(path_type=Path, dir_okay=False),
              help="With --follow: read additional agent profiles from FILE.")  # fmt: skip
@click.option("--agent", "agents", multiple=True, metavar="NAME?OPTIONS",
              help="With --follow: serve this agent, with its options as in RUN; repeatable.")  # fmt: skip
@click.option("--say", "texts", multiple=True, metavar="TEXT",
              help="Reply with TEXT; repeat for a sequence.")  # fmt: skip
@click.option("--script", "scripts", multiple=True, type=click.Path(path_type=Path), metavar="FILE",
              help="Reply with the replies in FILE: a JSON list or JSON lines; repeatable.")  # fmt: skip
@click.option("--judge", is_flag=True, help="Answer the calls of garabench verify.")
@click.option("--written", "written", multiple=True, type=click.Path(path_type=Path, dir_okay=False),
              metavar="FILE",
              help="With --judge: read hand-written replies (JSON Lines) from FILE; repeatable.")  # fmt: skip
@suite_option
@click.option("--repeat", is_flag=True, help="With --say and --script: repeat the last reply forever.")
@click.option("--fault", "faults", multiple=True, metavar="KIND[=VALUE]@N",
              help="Fail request N (or N-M, N+, all); repeatable.")  # fmt: skip
@click.option("--list-faults", is_flag=True, help="List the kinds of faults and exit.")
@click.option("--key", help="Require this API key; default: any or none.")
@click.option(
    "--model", "models", multiple=True, help="Serve a model of this name; repeatable; default: any name."
)
@click.option(
    "--delay", type=NumberRange(min=0), default=0.0, help="Delay each reply by this number of seconds."
)
@click.option("--port", type=click.IntRange(0, 65535), default=8000, show_default=True,
              help="Listen on this loopback port; 0 picks a free port.")  # fmt: skip
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False),
              help="Append each request to this file as a line of JSON.")  # fmt: skip
@click.option("--stop-after", type=NumberRange(min=0), metavar="SECONDS",
              help="Stop after SECONDS instead of at Ctrl-C.")  # fmt: skip
@report_errors
def fake_server(
    folders: tuple[Path, ...],
    policy: str,
    agents_file: Path | None,
    agents: tuple[str, ...],
    texts: tuple[str, ...],
    scripts: tuple[Path, ...],
    judge: bool,
    written: tuple[Path, ...],
    root: Path | None,
    repeat: bool,
    faults: tuple[str, ...],
    list_faults: bool,
    key: str | None,
    models: tuple[str, ...],
    delay: float,
    port: int,
    log: Path | None,
    stop_after: float | None,
) -> None:
    """Serve a fake model on loopback.

    It speaks the protocols of OpenAI, Anthropic and Gemini. It solves the suite's tasks (--follow), judges
    trajectories (--judge) or sends prepared replies (--say, --script).

    \b
    Example:
        garabench agents fake-server --list-faults
        garabench agents fake-server --say "Action: press_back()" --port 0 --stop-after 0.5
    """
    if list_faults:
        for kind, about in ABOUT.items():
            click.echo(f"{kind.value:12} {about}")
        return
    if judge and (folders or texts or scripts):
        raise InputError("--judge cannot be combined with --follow, --say or --script")
    if written and not judge:
        raise InputError("--written requires --judge", hint="Add --judge.")
    behaviour: Behaviour
    if judge:
        behaviour = JudgeReplies([reply for file in written for reply in read_written_replies(file)])
    else:
        behaviour = _behaviour(folders, policy, agents_file, agents, texts, scripts, repeat, root)
    with contextlib.ExitStack() as stack:
        file = stack.enter_context(_open_log(log)) if log else None
        lock = threading.Lock()

        def log_request(request: ReceivedRequest) -> None:
            if file is not None:
                with lock:
                    file.write(json.dumps(request_data(request), ensure_ascii=False) + "\n")
                    file.flush()

        server = stack.enter_context(
            FakeModelServer(
                behaviour,
                models=models or None,
                key=key,
                faults=[PlannedFault.parse(fault) for fault in faults],
                seconds=delay,
                port=port,
                on_request=log_request,
            )
        )
        click.echo(f"Listening on {server.base_url}")
        _wait(stop_after)
        click.echo(f"Answered {len(server.requests)} requests")


def _behaviour(
    folders: tuple[Path, ...],
    policy: str,
    agents_file: Path | None,
    agents: tuple[str, ...],
    texts: tuple[str, ...],
    scripts: tuple[Path, ...],
    repeat: bool,
    root: Path | None,
) -> Behaviour:
    if folders and (texts or scripts):
        raise InputError("--follow cannot be combined with --say or --script")
    if folders:
        known = load_profiles(agents_file)
        named = [find_profile(parse_agent_name(text).body, known) for text in agents]
        profiles = {profile.id: profile for profile in (*named, *known.values())}
        return Follower(Suite.load(root), ScreenIndex(folders), profiles, policy=Policy(policy))
    replies = (*map(FakeReply, texts), *read_scripts(scripts))
    if not replies:
        raise InputError("the fake model has no replies", hint="Give --follow, --judge, --say or --script.")
    return ScriptedReplies(replies, repeat=repeat)


@contextlib.contextmanager
def _open_log(file: Path) -> Iterator[TextIO]:
    try:
        opened = file.open("a", encoding="utf-8")
    except OSError as error:
        raise InputError(f"cannot write {file}: {error.strerror}") from error
    with opened:
        yield opened


def _wait(seconds: float | None) -> None:
    """Wait for Ctrl-C, SIGTERM, or the given number of seconds."""
    stop = threading.Event()

    def on_sigterm(number: int, frame: FrameType | None) -> None:
        stop.set()

    previous = signal.signal(signal.SIGTERM, on_sigterm)
    try:
        stop.wait(seconds)
    except KeyboardInterrupt:
        click.echo()
    finally:
        signal.signal(signal.SIGTERM, previous)
