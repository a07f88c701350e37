"""The model of the judge: one call in, one valid reply out, through cache, repair and budget."""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from decimal import Decimal
from typing import Any, Protocol, TypeVar

from pydantic import ValidationError

from garabench.agents.models.cost import PriceTable, usage_of
from garabench.agents.models.messages import (
    Chat,
    ChatRequest,
    ModelReply,
    StopReason,
    TextPart,
)
from garabench.agents.profile import AgentProfile
from garabench.agents.prompting.quoting import quoted, word
from garabench.core.usage import NO_USAGE, Usage
from garabench.errors import ModelError
from garabench.verifier.call_cache import CallCache
from garabench.verifier.call_rendering import FrameParts, image_rule, render_call
from garabench.verifier.judge_budget import JudgeBudget, with_reply_limit
from garabench.verifier.judge_call import CallIdentity, JudgeCall
from garabench.verifier.judge_prompts import PROMPT_VERSION
from garabench.verifier.judge_replies import InconsistentReplyError

R = TypeVar("R")
MAX_REPAIRS = 2
"""Requests for a corrected reply, after the first."""
_MAX_QUOTED, _MAX_REASON, _MAX_REPLY, _MAX_KEY = 200, 1200, 12_000, 40
_FENCE = re.compile(r"\A```(?:json)?\s*\n(.*)\n\s*```\Z", re.DOTALL)


class JudgeReplyError(ModelError):
    """No reply was valid: nonsense, contradictions, refused or cut off; repairs did not help."""


class CacheMissError(ModelError):
    """A reply is not in the cache, and the judge may use nothing else."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A valid reply.

    Attributes:
        value: What the reader made of it.
        usage: What it needed in this invocation; nothing if it came from the cache.
        when_requested: What it needed when it was requested; nothing if this invocation has counted
            it already.
    """

    value: Any
    usage: Usage
    when_requested: Usage


class JudgeModel(Protocol):
    """Answers the calls of the pipeline; used by several threads.

    Attributes:
        name: Name of the judge.
    """

    name: str

    def ask(self, call: JudgeCall, read: Callable[[Any], R]) -> Judged:
        """Return a valid reply.

        Args:
            call: The call.
            read: Turns the parsed reply into the stage's value; raises `InconsistentReplyError` if the reply
                contradicts the call.

        Raises:
            JudgeReplyError: No reply was valid.
            CacheMissError: The reply is not in the cache, and the judge may use nothing else.
            ModelError: The endpoint failed.
            BudgetExceededError: The budget does not allow the call.
            InputError: A tree or a picture is broken.
        """
        ...


class ChatJudge:
    """A judge over the model client."""

    def __init__(
        self,
        name: str,
        profile: AgentProfile,
        chat: Chat | None,
        prices: PriceTable,
        cache: CallCache,
        budget: JudgeBudget,
        *,
        repairs: int = MAX_REPAIRS,
        reply_limit: int | None = None,
    ) -> None:
        """Prepare; nothing is sent.

        Args:
            name: Name of the judge.
            profile: The model's profile.
            chat: Sends requests; None to use nothing but the cache.
            prices: Prices of tokens.
            cache: Stores the replies.
            budget: The limits.
            repairs: Maximum number of requests for a corrected reply.
            reply_limit: Maximum number of tokens of a reply; None for what the profile says. It is not part
                of a call's identity: a reply that was not cut off is the same without it.
        """
        self.name = name
        self._profile = profile
        self._chat = chat
        self._prices = prices
        self._cache = cache
        self._budget = budget
        self._repairs = repairs
        self._reply_limit = reply_limit
        self._frames = FrameParts(profile)
        self._counted: set[str] = set()
        self._count = threading.Lock()
        rule, options = image_rule(profile)
        self.identity = CallIdentity(
            profile.endpoint.base_url,
            profile.model,
            PROMPT_VERSION,
            profile.parameters,
            {
                "rule": repr(rule),
                "format": options.format,
                "quality": options.quality,
                "input": profile.input.value,
            },
        )

    def ask(self, call: JudgeCall, read: Callable[[Any], R]) -> Judged:
        """Return a valid reply; see `JudgeModel.ask`."""
        key = self.identity.key(call)
        with self._cache.exclusive(key):
            found = self._cache.find(key)
            if found is not None:
                try:
                    value = _read(found.reply, call, read)
                    return Judged(value, replace_usage(found.usage), self._first(key, found.usage))
                except _InvalidReplyError:
                    pass  # the schema became stricter: requested again
            if self._chat is None:
                where = f" ({call.detail})" if call.detail else ""
                raise CacheMissError(f"the reply to {call.stage.value}{where} is not in the cache")
            return self._request(key, call, read, self._chat)

    def _request(self, key: str, call: JudgeCall, read: Callable[[Any], R], chat: Chat) -> Judged:
        first = render_call(call, self._profile, self._frames)
        if self._reply_limit is not None:
            first = with_reply_limit(first, self._reply_limit, self._profile.endpoint)
        request = first
        total, repairs = NO_USAGE, 0
        while True:
            with self._budget.reserved(request, self._price_of) as spend:
                answer = chat.ask(request)
                cost = self._prices.cost(answer, self._profile.model, self._profile.endpoint.base_url)
                usage = usage_of(answer, cost, repair=repairs > 0)
                spend(usage)
            total += usage
            try:
                text = _text_of(answer)
                value = _read(text, call, read)
            except _InvalidReplyError as error:
                if answer.stop in (StopReason.REFUSED, StopReason.FILTERED) or repairs == self._repairs:
                    raise _failed(error, answer, repairs, total) from None
                repairs += 1
                request = _repair(first, answer.text, str(error))
                continue
            self._cache.put(key, call, self._profile.model, text, total)
            return Judged(value, total, self._first(key, total))

    def _first(self, key: str, usage: Usage) -> Usage:
        """Return what a reply needed, the first time; episodes share replies, which were paid for once."""
        with self._count:
            is_new = key not in self._counted
            self._counted.add(key)
        return usage if is_new else NO_USAGE

    def _price_of(self, sent: int, received: int) -> Decimal | None:
        price = self._prices.price(self._profile.model, self._profile.endpoint.base_url)
        if price is None:
            return None
        return (sent * price.input + received * price.output) / Decimal(1_000_000)


class _InvalidReplyError(Exception):
    """A reply that its schema rejects; the message says why, for the model."""


def replace_usage(usage: Usage) -> Usage:
    """Return the usage of a reply that came from the cache: it was free, and is counted as cached."""
    return Usage(requests=usage.requests or 1, from_cache=usage.requests or 1, cost=Decimal(0))


def _text_of(answer: ModelReply) -> str:
    """Return the JSON text of a reply; a fence around it is removed.

    Raises:
        _InvalidReplyError: The reply was cut off, refused, filtered or is empty.
    """
    match answer.stop:
        case StopReason.CUT_OFF:
            raise _InvalidReplyError("the reply was cut off; be shorter")
        case StopReason.REFUSED:
            raise _InvalidReplyError("the model refused")
        case StopReason.FILTERED:
            raise _InvalidReplyError("a content filter blocked the reply")
        case _:
            pass
    text = answer.text.strip()
    fenced = _FENCE.match(text)
    text = fenced[1].strip() if fenced else text
    if not text:
        raise _InvalidReplyError("the reply is empty")
    return text


def _read(text: str, call: JudgeCall, read: Callable[[Any], R]) -> R:
    """Return the stage's value of a reply.

    Raises:
        _InvalidReplyError: It is not JSON, violates the schema, or contradicts the call or itself.
    """
    try:
        data = json.loads(text, object_pairs_hook=_without_duplicates)
    except (ValueError, RecursionError) as error:
        raise _InvalidReplyError(f"it is not one JSON object: {error}") from error
    try:
        return read(call.reply.model_validate(data))
    except ValidationError as error:
        problems = [
            f"{'.'.join(word(str(name), _MAX_KEY) for name in each['loc']) or 'the object'}: {each['msg']}"
            for each in error.errors(include_url=False, include_input=False)[:5]
        ]
        raise _InvalidReplyError("; ".join(problems)) from error
    except InconsistentReplyError as error:
        raise _InvalidReplyError(str(error)) from error


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    data = dict(pairs)
    if len(data) < len(pairs):
        raise ValueError("an object has a duplicate key")
    return data


def _repair(first: ChatRequest, reply: str, reason: str) -> ChatRequest:
    """Return the request for a corrected reply; it has only the latest attempt.

    The attempt and the reason are quoted: the model may have copied a screen's text into its reply. A turn of
    the assistant would repeat it verbatim.
    """
    correction = (
        f"Your reply to this was not valid: {quoted(reason, _MAX_REASON)}.\n"
        f"The rejected reply, as data: {quoted(reply.strip(), _MAX_REPLY)}.\n"
        "Reply again with one JSON object that follows the schema."
    )
    *others, asked = first.messages
    messages = (*others, replace(asked, parts=(*asked.parts, TextPart(correction))))
    return replace(first, messages=messages)


def _failed(error: _InvalidReplyError, answer: ModelReply, repairs: int, total: Usage) -> JudgeReplyError:
    after = f" after {repairs} repair{'s' if repairs > 1 else ''}" if repairs else ""
    text = " ".join(answer.text.split())[:_MAX_QUOTED]
    message = f"no valid reply{after}: {error}" + (f"; it began: {text}" if text else "")
    if answer.stop is StopReason.CUT_OFF:
        message += " (allow longer replies: --max-reply-tokens N)"
    failed = JudgeReplyError(message)
    failed.usage = total
    return failed
