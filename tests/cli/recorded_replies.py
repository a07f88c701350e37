"""A recorded run with one model reply, made without a device."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.models.messages import (
    ChatMessage,
    ChatRequest,
    ChatRole,
    ModelReply,
    StopReason,
    TextPart,
    TokenUsage,
)
from garabench.agents.models.transcript import TranscriptWriter
from garabench.core.geometry import Size
from garabench.records.plan import Plan
from garabench.records.run_writer import RunWriter
from garabench.suite.suite import Suite
from tests.bundled import bundled_suite
from tests.planned import episodes
from tests.small_suite import run_file

TASK = "amap-favorite-tongji"
VIEW = ScreenView(Size(1080, 2400), Size(1080, 2400))
TAP = "Action: click(start_box='(500,500)')"


@cache
def _suite() -> Suite:
    return bundled_suite()


def record_reply(
    folder: Path, *, agent: str = "ui-tars", reply: str = TAP, action: dict[str, object] | None = None
) -> None:
    """Write the run.

    Args:
        folder: The run's folder.
        agent: Name of the agent.
        reply: The model's reply.
        action: The recorded action; by default a tap in the middle.
    """
    plan = Plan(tasks=(TASK,), agents=(agent,), conditions=("clean",))
    RunWriter.create(folder, run_file(plan))
    (spec,) = episodes(plan, _suite())
    TranscriptWriter(folder / spec.folder, "http://127.0.0.1:9/v1").write(
        0,
        VIEW,
        ChatRequest("m", (ChatMessage(ChatRole.USER, (TextPart("Go."),)),)),
        answer=ModelReply(reply, (), StopReason.DONE, TokenUsage(5, 5), 1.0),
        outcome={"action": action or {"type": "tap", "x": 540, "y": 1200}},
    )
