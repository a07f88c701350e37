"""What a model's answer means."""

from __future__ import annotations

import json

from garabench.agents.chat.messages import Answer, Stop
from garabench.agents.dialects.coordinates import View
from garabench.agents.dialects.dialect import Dialect
from garabench.agents.dialects.reply import Flaw, Parsed, Reply, Unparsed
from garabench.agents.dialects.thoughts import ended
from garabench.core import action as act

_HELD_BACK = {
    Stop.FILTERED: Unparsed(Flaw.FILTERED, "a content filter held it back, or a part of it"),
    Stop.REFUSED: Unparsed(Flaw.REFUSED, "it is a refusal"),
}


def read(answer: Answer, dialect: Dialect, view: View) -> Reply:
    """What an answer means: a call of a tool, or else its text in the dialect.

    An answer that the endpoint says was held back by a content filter, or that it says is a refusal, is no
    action, whatever is left of it: what was taken out may have denied it. One that was cut off counts as far
    as its action surely ends before the cut: an unfinished thought may quote a call.
    """
    if (held := _HELD_BACK.get(answer.stop)) is not None:
        return held
    if any(call != answer.calls[0] for call in answer.calls[1:]):
        return Unparsed(
            Flaw.SEVERAL_ACTIONS, f"{len(answer.calls)} calls were made; one action is done at a time"
        )
    if answer.calls:
        call = answer.calls[0]
        reply = dialect.parse_tool_call(call.name, call.arguments, view, answer.text)
    else:
        reply = dialect.parse(answer.text, view)
        if isinstance(reply, Parsed) and answer.stop is Stop.CUT_OFF:
            reply = _before_the_cut(reply, answer.text, dialect, view)
    if isinstance(reply, Parsed):
        return _whole(reply)
    if answer.stop is Stop.CUT_OFF:
        return Unparsed(Flaw.CUT_OFF, f"the reply was cut off at the limit of its length: {reply.why}")
    return reply


def _before_the_cut(reply: Parsed, text: str, dialect: Dialect, view: View) -> Reply:
    """A reply that was cut off, where its action is the same without what stands behind its end."""
    finished = ended(text)
    if finished is not None:
        before = dialect.parse(finished, view)
        if isinstance(before, Unparsed) or before.action == reply.action:
            return before
    return Unparsed(Flaw.CUT_OFF, "nothing shows that its action had ended")


def _whole(reply: Parsed) -> Reply:
    """A reply whose texts can be written down: JSON can name half of a letter (a surrogate), UTF-8 cannot."""
    try:
        json.dumps(act.to_json(reply.action), ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return Unparsed(Flaw.BAD_ARGUMENT, "the text has half of a letter in it")
    return Parsed(reply.action, without_halves(reply.thought))


def without_halves(text: str) -> str:
    """A text in which each half of a letter is replaced by the sign for what cannot be read."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def outcome_to_json(reply: Reply) -> dict[str, object]:
    """What a reply was read as, as JSON values."""
    if isinstance(reply, Parsed):
        return {"action": act.to_json(reply.action)}
    return {"flaw": reply.flaw.value, "why": reply.why}
