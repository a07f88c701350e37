"""A recorded run in which a model was asked once, without a device."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from garabench.agents.chat.kept import Keeper
from garabench.agents.chat.messages import Answer, Message, Request, Role, Stop, Text, Usage
from garabench.agents.dialects.coordinates import View
from garabench.campaign.plan import Plan, episodes
from garabench.campaign.store import RunFile, RunStore
from garabench.campaign.suite import Suite
from garabench.core.geometry import Size

TASK = "amap-favorite-tongji"
VIEW = View(Size(1080, 2400), Size(1080, 2400))
TAP = "Action: click(start_box='(500,500)')"


@cache
def _suite() -> Suite:
    return Suite.load()


def asked_run(
    folder: Path, *, agent: str = "ui-tars", reply: str = TAP, action: dict[str, object] | None = None
) -> None:
    """Write it.

    Args:
        folder: The run's folder.
        agent: Its agent.
        reply: What the model wrote.
        action: What it was read as; a tap in the middle unless given.
    """
    plan = Plan(tasks=(TASK,), agents=(agent,), conditions=("clean",))
    RunStore.create(folder, RunFile(garabench="0", plan=plan, suite_hash="s", device={}))
    (spec,) = episodes(plan, _suite())
    Keeper(folder / spec.folder, "http://127.0.0.1:9/v1").keep(
        0,
        VIEW,
        Request("m", (Message(Role.USER, (Text("Go."),)),)),
        answer=Answer(reply, (), Stop.DONE, Usage(5, 5), 1.0),
        outcome={"action": action or {"type": "tap", "x": 540, "y": 1200}},
    )
