"""``garabench agents show`` and ``garabench agents parse``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any, BinaryIO

import click

from garabench.agents.chat.entries import profiles_of
from garabench.agents.chat.messages import Form
from garabench.agents.dialects.coordinates import Coordinates, Unit, View
from garabench.agents.dialects.reply import Unparsed
from garabench.agents.modes.apps import APPS
from garabench.agents.modes.elements import elements_of
from garabench.agents.modes.tools import tools_for
from garabench.agents.profile import AgentProfile
from garabench.agents.registry import resolve
from garabench.cli.complete import agent_names
from garabench.cli.errors import plainly
from garabench.core import action as act
from garabench.core.geometry import Rect, Size
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
            self.fail(f"{value!r} is no size such as 1080x2400", param, ctx)
        return Size(int(match[1]), int(match[2]))


def profile_named(name: str) -> AgentProfile:
    """The profile of an agent of a model.

    Raises:
        InputError: There is no such agent, or it is of another kind.
    """
    spec = resolve(name)
    found = profiles_of((spec,))
    if not found:
        raise InputError(f"{name!r} is no agent of a model, but of the kind {spec.kind.value!r}")
    return found[0]


_screen = click.option("--screen", type=_Screen(), default="1080x2400", show_default=True, help="Its size.")


@click.command("show")
@click.argument("name", shell_complete=agent_names)
@_screen
@click.option("--prompt", is_flag=True, help="Print what the model is told of actions, and its functions.")
@click.option("--json", "as_json", is_flag=True, help="Print the whole profile as JSON.")
@plainly
def show(name: str, screen: Size, prompt: bool, as_json: bool) -> None:
    """Show how the agent NAME of a model is asked, and in which coordinates it answers.

    \b
    Example:
        garabench agents show qwen3-vl
    """
    profile = profile_named(name)
    dialect = profile.spoken()
    image = dialect.image.size(screen) if profile.input.has_picture else screen
    view = View(screen, image, (), APPS)
    if as_json:
        click.echo(json.dumps(profile.recorded(), ensure_ascii=False, indent=2))
        return
    if prompt:
        click.echo(dialect.system(view))
        for tool in tools_for(dialect, view) if profile.form is Form.TOOLS else ():
            click.echo(f"\n{tool.name}: {tool.description}")
            click.echo(json.dumps(tool.parameters, ensure_ascii=False, indent=2))
        return
    where = profile.endpoint
    key = f"${where.key_env}" if where.key_env else f"keyring {where.keyring}" if where.keyring else "none"
    rows = {
        "agent": f"{profile.id}: {profile.about}",
        "model": f"{profile.model} at {where.base_url}, key: {key}",
        "served by": profile.serve,
        "dialect": f"{profile.dialect}, asked for as {profile.form.value}",
        "is shown": f"{profile.input.value}, {_shown(profile, screen, image)}",
        "coordinates": _counted(dialect.coordinates, pictured=profile.input.has_picture),
        "history": f"{profile.history.form.value}, last {profile.history.last}",
        "parameters": ", ".join(f"{key}={json.dumps(value)}" for key, value in profile.parameters.items()),
        "limits": f"{profile.limits.seconds:g} s, {profile.limits.tries} tries, {profile.limits.repairs} "
        f"repairs a step, {profile.limits.at_once} requests at once",
    }
    for title, value in rows.items():
        if value:
            click.echo(f"{title:12} {value}")


def _shown(profile: AgentProfile, screen: Size, image: Size) -> str:
    said = []
    if profile.input.has_picture:
        said.append(f"{screen} as {profile.image.format} of {image}")
    if profile.input.has_tree:
        said.append(f"elements in at most {profile.tree.tokens} tokens")
    return ", ".join(said)


def _counted(rule: Coordinates, *, pictured: bool) -> str:
    what = {
        Unit.GRID: f"0 to {rule.span}",
        Unit.IMAGE: f"pixels of the {'picture that is sent' if pictured else 'screen'}",
        Unit.SCREEN: "pixels of the screen",
    }[rule.unit]
    return f"{what}, {'y before x' if rule.y_first else 'x before y'}"


@click.command("parse")
@click.argument("name", shell_complete=agent_names)
@click.argument("reply", type=click.File("rb"))
@_screen
@click.option(
    "--tree",
    type=click.Path(path_type=Path, dir_okay=False),
    help="The screen's UI tree, for agents that name elements by number.",
)
@click.option("--call", metavar="FUNCTION", help="The reply holds the arguments of a call of this function.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@plainly
def parse(
    name: str, reply: BinaryIO, screen: Size, tree: Path | None, call: str | None, as_json: bool
) -> None:
    """Read a REPLY (a file, or - for standard input) as the agent NAME's, in pixels of the screen.

    Ends with status 1 where the reply is no action.

    \b
    Example:
        garabench agents parse agentcpm-gui reply.txt
    """
    profile = profile_named(name)
    dialect = profile.spoken()
    text = reply.read(_MOST_BYTES).decode("utf-8", errors="replace")
    image = dialect.image.size(screen) if profile.input.has_picture else screen
    view = View(screen, image, () if tree is None else _elements(tree, screen), APPS)
    found = dialect.parse(text, view) if call is None else dialect.parse_tool_call(call, text, view)
    if isinstance(found, Unparsed):
        data: dict[str, Any] = {"flaw": found.flaw.value, "why": found.why}
    else:
        data = {"action": act.to_json(found.action), "thought": found.thought}
    if as_json:
        click.echo(json.dumps(data, ensure_ascii=False))
    elif isinstance(found, Unparsed):
        click.echo(f"no action ({found.flaw.value}): {found.why}")
    else:
        click.echo(json.dumps(data["action"], ensure_ascii=False))
        if found.thought:
            click.echo(f"thought: {found.thought}")
    if isinstance(found, Unparsed):
        sys.exit(1)


def _elements(file: Path, screen: Size) -> tuple[Rect, ...]:
    try:
        tree = parse_tree(file.read_bytes())
    except (OSError, TreeError) as error:
        raise InputError(f"{file} cannot be read as a UI tree: {error}") from error
    return tuple(element.rect for element in elements_of(tree, screen))
