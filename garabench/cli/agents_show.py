"""``garabench agents show`` and ``garabench agents parse``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, BinaryIO

import click

from garabench.agents.dialects.coordinates import Coordinates, ScreenView, Unit
from garabench.agents.dialects.reply import UnparsedReply
from garabench.agents.models.catalog import profiles_of
from garabench.agents.models.messages import ReplyForm
from garabench.agents.profile import AgentProfile
from garabench.agents.prompting.app_names import APPS
from garabench.agents.prompting.elements import elements_of
from garabench.agents.prompting.tools import tools_for
from garabench.agents.registry import resolve
from garabench.cli.command_classes import Command
from garabench.cli.completion import agent_names
from garabench.cli.error_exits import report_errors
from garabench.cli.local_path import LocalFile
from garabench.core import action as act
from garabench.core.file_errors import unreadable
from garabench.core.geometry import Rect, Size
from garabench.core.phrases import counted
from garabench.core.tree import TreeError, parse_tree
from garabench.errors import InputError

_MOST_BYTES = 10_000_000
_SIZE = re.compile(r"([1-9]\d{0,4})x([1-9]\d{0,4})")


class _Screen(click.ParamType):  # type: ignore[type-arg]  # generic in newer versions of click only
    name = "WxH"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Size:
        if isinstance(value, Size):
            return value
        match = _SIZE.fullmatch(str(value))
        if match is None:
            self.fail(f"{value!r} is not a screen size such as 1080x2400", param, ctx)
        return Size(int(match[1]), int(match[2]))


def profile_named(name: str) -> AgentProfile:
    """Return the profile of a model agent.

    Raises:
        InputError: The agent is unknown, or it is not a model agent.
    """
    spec = resolve(name)
    found = profiles_of((spec,))
    if not found:
        raise InputError(f"{name!r} is not a model agent (kind: {spec.kind.value})")
    return found[0]


_screen = click.option(
    "--screen", type=_Screen(), default="1080x2400", show_default=True, help="Set the screen size in pixels."
)


@click.command("show", cls=Command)
@click.argument("name", shell_complete=agent_names)
@_screen
@click.option("--prompt", is_flag=True, help="Print the system prompt and the functions.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole profile as JSON.")
@report_errors
def show(name: str, screen: Size, prompt: bool, as_json: bool) -> None:
    """Show the profile of a model agent.

    The profile of NAME contains its model, prompt format, coordinates and limits.

    \b
    Example:
        garabench agents show qwen3-vl
    """
    profile = profile_named(name)
    dialect = profile.tuned_dialect()
    image = dialect.image.size(screen) if profile.input.has_image else screen
    view = ScreenView(screen, image, (), APPS)
    if as_json:
        click.echo(json.dumps(profile.to_record(), ensure_ascii=False, indent=2))
        return
    if prompt:
        click.echo(dialect.system(view))
        for tool in tools_for(dialect, view) if profile.form is ReplyForm.TOOLS else ():
            click.echo(f"\n{tool.name}: {tool.description}")
            click.echo(json.dumps(tool.parameters, ensure_ascii=False, indent=2))
        return
    where = profile.endpoint
    key = f"${where.key_env}" if where.key_env else f"keyring {where.keyring}" if where.keyring else "none"
    rows = {
        "agent": f"{profile.id}: {profile.about}",
        "model": f"{profile.model} at {where.base_url}, key: {key}",
        "served by": profile.serve,
        "dialect": f"{profile.dialect}, as {profile.form.value}",
        "input": f"{profile.input.value}, {_input(profile, screen, image)}",
        "coordinates": _coordinates(dialect.coordinates, has_image=profile.input.has_image),
        "history": f"{profile.history.form.value}, last {profile.history.last}",
        "parameters": ", ".join(f"{key}={json.dumps(value)}" for key, value in profile.parameters.items()),
        "limits": f"{profile.limits.seconds:g} s, {counted(profile.limits.tries, 'try', 'tries')}, "
        f"{counted(profile.limits.repairs, 'repair')} per step, "
        f"{counted(profile.limits.at_once, 'parallel request')}",
    }
    for title, value in rows.items():
        if value:
            click.echo(f"{title:12} {value}")


def _input(profile: AgentProfile, screen: Size, image: Size) -> str:
    parts = []
    if profile.input.has_image:
        parts.append(f"{screen} as {profile.image.format} of {image}")
    if profile.input.has_tree:
        parts.append(f"elements in at most {profile.tree.tokens} tokens")
    return ", ".join(parts)


def _coordinates(rule: Coordinates, *, has_image: bool) -> str:
    what = {
        Unit.GRID: f"0 to {rule.span}",
        Unit.IMAGE: f"pixels of the {'image' if has_image else 'screen'}",
        Unit.SCREEN: "pixels of the screen",
    }[rule.unit]
    return f"{what}, {'y before x' if rule.y_first else 'x before y'}"


@click.command("parse", cls=Command)
@click.argument("name", shell_complete=agent_names)
@click.argument("reply", type=LocalFile("rb"))
@_screen
@click.option(
    "--tree",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Read the UI tree of the screen from FILE, for agents that refer to elements by number.",
)
@click.option("--call", metavar="FUNCTION", help="Parse the reply as the arguments of a call to FUNCTION.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def parse(
    name: str, reply: BinaryIO, screen: Size, tree: Path | None, call: str | None, as_json: bool
) -> None:
    """Parse a reply to a model agent and print its action.

    The agent NAME parses REPLY, a file or - for standard input. Coordinates are printed in screen pixels. The
    exit status is 1 if the reply contains no valid action.

    \b
    Example:
        garabench agents parse agentcpm-gui reply.txt
    """
    profile = profile_named(name)
    dialect = profile.tuned_dialect()
    text = reply.read(_MOST_BYTES).decode("utf-8", errors="replace")
    image = dialect.image.size(screen) if profile.input.has_image else screen
    view = ScreenView(screen, image, () if tree is None else _elements(tree, screen), APPS)
    found = dialect.parse(text, view) if call is None else dialect.parse_tool_call(call, text, view)
    if isinstance(found, UnparsedReply):
        data: dict[str, Any] = {"flaw": found.flaw.value, "reason": found.reason}
    else:
        data = {"action": act.to_json(found.action), "thought": found.thought}
    if as_json:
        click.echo(json.dumps(data, ensure_ascii=False))
    elif isinstance(found, UnparsedReply):
        click.echo(f"no action ({found.flaw.value}): {found.reason}")
    else:
        click.echo(json.dumps(data["action"], ensure_ascii=False))
        if found.thought:
            click.echo(f"thought: {found.thought}")
    if isinstance(found, UnparsedReply):
        sys.exit(1)


def _elements(file: Path, screen: Size) -> tuple[Rect, ...]:
    try:
        tree = parse_tree(file.read_bytes())
    except OSError as error:
        raise unreadable(file, error) from error
    except TreeError as error:
        raise InputError(f"{file} is not a UI tree: {error}") from error
    return tuple(element.rect for element in elements_of(tree, screen))
