"""Parse a model's reply: a tool call, or text in the agent's dialect."""

from __future__ import annotations

import json

from garabench.agents.dialects.coordinates import ScreenView
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.reply import ParsedReply, ReplyFlaw, ReplyResult, UnparsedReply
from garabench.agents.dialects.thoughts import ended
from garabench.agents.models.messages import ModelReply, StopReason
from garabench.core import action as act

_BLOCKED = {
    StopReason.FILTERED: UnparsedReply(
        ReplyFlaw.FILTERED, "a content filter blocked the reply or a part of it"
    ),
    StopReason.REFUSED: UnparsedReply(ReplyFlaw.REFUSED, "the reply is a refusal"),
}


def parse_reply(answer: ModelReply, dialect: Dialect, view: ScreenView) -> ReplyResult:
    """Parse an answer: a tool call, or else text in the dialect.

    An answer that the endpoint reports as filtered or refused is never an action, even if part of it is left,
    since the removed part may have negated it. A truncated answer counts only if its action certainly ends
    before the cut, since an unfinished thought may quote a call.
    """
    if (blocked := _BLOCKED.get(answer.stop)) is not None:
        return blocked
    if any(call != answer.calls[0] for call in answer.calls[1:]):
        return UnparsedReply(
            ReplyFlaw.SEVERAL_ACTIONS, f"the reply makes {len(answer.calls)} calls; make only one"
        )
    if answer.calls:
        call = answer.calls[0]
        reply = dialect.parse_tool_call(call.name, call.arguments, view, answer.text)
    else:
        reply = dialect.parse(answer.text, view)
        if isinstance(reply, ParsedReply) and answer.stop is StopReason.CUT_OFF:
            reply = _before_the_cut(reply, answer.text, dialect, view)
    if isinstance(reply, ParsedReply):
        return _without_surrogates(reply)
    if answer.stop is StopReason.CUT_OFF:
        return UnparsedReply(ReplyFlaw.CUT_OFF, f"the reply was cut off at its length limit: {reply.reason}")
    return reply


def _before_the_cut(reply: ParsedReply, text: str, dialect: Dialect, view: ScreenView) -> ReplyResult:
    """Return a truncated reply up to its last complete action, where the rest cannot change the action."""
    finished = ended(text)
    if finished is not None:
        before = dialect.parse(finished, view)
        if isinstance(before, UnparsedReply) or before.action == reply.action:
            return before
    return UnparsedReply(ReplyFlaw.CUT_OFF, "the reply was cut off before the end of its action")


def _without_surrogates(reply: ParsedReply) -> ReplyResult:
    """Reject unpaired surrogates in an action, and replace them in a thought; UTF-8 cannot encode them."""
    try:
        json.dumps(act.to_json(reply.action), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return UnparsedReply(ReplyFlaw.BAD_ARGUMENT, "the text contains an unpaired surrogate")
    return ParsedReply(reply.action, replace_surrogates(reply.thought))


def replace_surrogates(text: str) -> str:
    """Replace each unpaired surrogate with U+FFFD."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def outcome_to_json(reply: ReplyResult) -> dict[str, object]:
    """Convert the result of parsing a reply to JSON values."""
    if isinstance(reply, ParsedReply):
        return {"action": act.to_json(reply.action)}
    return {"flaw": reply.flaw.value, "reason": reply.reason}
