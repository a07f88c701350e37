"""Trajectories and judges for tests, without files and without a server."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

from garabench.agents.models.cost import PriceTable
from garabench.agents.models.messages import ChatRequest, ModelReply, ReplyForm, StopReason, TokenUsage
from garabench.agents.profile import AgentProfile, ModelInput
from garabench.core.action import Tap
from garabench.core.usage import Usage
from garabench.verifier.call_cache import CallCache
from garabench.verifier.judge_budget import JudgeBudget, JudgeLimits
from garabench.verifier.judge_call import JudgeCall
from garabench.verifier.judge_model import ChatJudge, Judged
from garabench.verifier.trajectory import Trajectory, TrajectoryFrame, TrajectorySource, TrajectoryStep

INSTRUCTION = "Open the video and like it"
PROFILE = AgentProfile(id="judge", dialect="json", model="judge", form=ReplyForm.JSON, input=ModelInput.BOTH)


def trajectory(frames: int = 3, instruction: str = INSTRUCTION, **more: Any) -> Trajectory:
    """Return a trajectory of tapping on frames that all differ, each with its text alone."""
    return Trajectory(
        key="task/agent/clean/1",
        source=TrajectorySource.GARABENCH,
        digest="0" * 64,
        instruction=instruction,
        frames=tuple(
            TrajectoryFrame(
                index=at, step=at, picture_sha256=f"{at:064x}", text=f"screen {at}", package="p.q"
            )
            for at in range(frames)
        ),
        steps=tuple(
            TrajectoryStep(number=at, action=Tap(x=1, y=at), text=f"tap(x=1, y={at})", before=at)
            for at in range(max(0, frames - 1))
        ),
        **more,
    )


class InlineExecutor(Executor):
    """Performs each call at once, in the caller's thread."""

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001  # the future holds it
            future.set_exception(error)
        return future


class TableJudge:
    """Answers each stage from a table of replies; counts the calls."""

    name = "table"

    def __init__(self, reply: Callable[[JudgeCall], object]) -> None:
        self.reply = reply
        self.calls: list[JudgeCall] = []

    def ask(self, call: JudgeCall, read: Callable[[Any], Any]) -> Judged:
        self.calls.append(call)
        return Judged(read(call.reply.model_validate(self.reply(call))), Usage(requests=1), Usage(requests=1))

    def count(self, stage: str) -> int:
        """Return the number of calls of a stage."""
        return sum(call.stage == stage for call in self.calls)


class ScriptedChat:
    """Replies from a list, in order."""

    def __init__(self, replies: Iterable[object]) -> None:
        self.replies = list(replies)
        self.requests: list[ChatRequest] = []

    def ask(self, request: ChatRequest) -> ModelReply:
        self.requests.append(request)
        reply = self.replies[len(self.requests) - 1]
        if isinstance(reply, Exception):
            raise reply
        if isinstance(reply, StopReason):
            return ModelReply("{", (), reply, TokenUsage(sent=10, received=5), 0.1)
        text = reply if isinstance(reply, str) else json.dumps(reply)
        return ModelReply(text, (), StopReason.DONE, TokenUsage(sent=10, received=5), 0.1)


def chat_judge(
    folder: Path, replies: Iterable[object] | None, limits: JudgeLimits | None = None
) -> tuple[ChatJudge, ScriptedChat]:
    """Return a judge over a script of replies; None for one that has only its cache."""
    chat = ScriptedChat(replies or ())
    judge = ChatJudge(
        "scripted",
        PROFILE,
        None if replies is None else chat,
        PriceTable(),
        CallCache(folder),
        JudgeBudget(limits or JudgeLimits()),
    )
    return judge, chat
