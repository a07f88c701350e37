"""What can go wrong with a model's endpoint, each told apart and said in plain words.

None of it is the agent's failure: an episode that meets one ends as ``error``.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from garabench.errors import ModelError

_MOST_TOLD = 300


@dataclass(frozen=True, slots=True)
class Where:
    """Which endpoint a message speaks of.

    Attributes:
        url: Its address.
        model: The model that was asked for.
        key: Where the key is from, such as ``OPENAI_API_KEY``; empty when none is sent.
    """

    url: str
    model: str
    key: str = ""


class EndpointFault(ModelError):
    """A fault of a model's endpoint.

    Attributes:
        passing: Whether it may be gone a moment later, so that the request is sent again.
        lasting: Whether every further request would meet it, so that the run ends.
        retry_after: Seconds that the endpoint asks to wait, if it does.
    """

    passing: ClassVar[bool] = False
    lasting: ClassVar[bool] = False

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class EndpointUnreachable(EndpointFault):
    """Nobody listens there, the name is not known, or the connection broke."""

    passing = True


class EndpointUntrusted(EndpointFault):
    """Its certificate is not trusted, such as one that it signed itself, or it speaks no TLS."""

    lasting = True


class ReplyTimeout(EndpointFault):
    """The reply was not there, whole, within the limit."""

    passing = True


class KeyRefused(EndpointFault):
    """The endpoint refuses the key, or wants one (401, or 400 that says so)."""

    lasting = True


class AccessDenied(EndpointFault):
    """The key is known and may not do this (403)."""

    lasting = True


class ModelUnknown(EndpointFault):
    """There is no such model, or nothing at this address (404)."""

    lasting = True


class RequestRefused(EndpointFault):
    """The endpoint refuses this request: too long, a parameter that it does not know (400, 413, 422)."""


class RateLimited(EndpointFault):
    """Too many requests at once (429)."""

    passing = True


class QuotaSpent(EndpointFault):
    """The account has no money or no requests left (402, or 429 or 400 that says so)."""

    lasting = True


class ServerFault(EndpointFault):
    """The endpoint failed by itself or is overloaded (5xx)."""

    passing = True


class ReplyTooLarge(EndpointFault):
    """The reply is larger than any reply of a model."""


class ReplyUnreadable(EndpointFault):
    """The reply is none of the endpoint's protocol: an error page, broken or cut JSON."""

    passing = True


class Interrupted(EndpointFault):
    """The run was stopped while a reply was waited for."""


_OF_STATUS: dict[int, tuple[type[EndpointFault], str, str]] = {
    400: (RequestRefused, "refuses the request", "Look at the agent's parameters and at its limits of text."),
    401: (KeyRefused, "refuses the key", ""),
    402: (QuotaSpent, "wants to be paid", "Top the account up, then resume the run."),
    403: (AccessDenied, "denies access", "Ask for access to the model, or take another key."),
    404: (
        ModelUnknown,
        "does not know",
        "See the names that it offers under /models, and check the address.",
    ),
    408: (ServerFault, "gave up waiting for the request", ""),
    409: (ServerFault, "had a conflict", ""),
    413: (
        RequestRefused,
        "finds the request too large",
        "Send smaller or fewer pictures, or less of the tree.",
    ),
    422: (RequestRefused, "refuses the request", "Look at the agent's parameters."),
    429: (RateLimited, "says that there were too many requests", "Lower limits.at_once of the agent."),
}
_OUT_OF_QUOTA = {
    # Anthropic's word for it comes with 400. Its whole sentence: such a status may quote the request.
    400: ("credit balance is too low",),
    429: ("insufficient_quota", "billing_hard_limit_reached", "insufficient_balance", "credit balance"),
}
_HELD_BACK = frozenset(
    {
        "content_filter",  # Azure, with ResponsibleAIPolicyViolation as its inner code
        "ResponsibleAIPolicyViolation",
        "content_policy_violation",  # OpenAI
        "data_inspection_failed",  # Alibaba's Model Studio, by its OpenAI-compatible address and by its own
        "DataInspectionFailed",
        "1301",  # Zhipu
        "InputTextSensitiveContentDetected",  # Volcengine's Ark
        "InputImageSensitiveContentDetected",
        "OutputTextSensitiveContentDetected",
        "SensitiveContentDetected",
    }
)
"""Codes of a content filter that comes as status 400. Codes only: what is said may quote the request."""
_WRONG_KEY = ("API_KEY_INVALID", "API key not valid")
"""Google's words for it, which come with 400."""


def from_status(
    status: int, told: str, where: Where, *, code: str = "", after: float | None = None
) -> EndpointFault:
    """The fault that an HTTP status tells.

    Args:
        status: Not of success.
        told: What the endpoint says, without the key.
        where: Which endpoint.
        code: The endpoint's own name for it, if any.
        after: Seconds that it asks to wait.
    """
    kind, what, hint = _OF_STATUS.get(status, (RequestRefused, "refuses the request", ""))
    if status >= 500:
        kind, what, hint = ServerFault, "failed", ""
    elif status < 400:
        kind, what, hint = ReplyUnreadable, "sends elsewhere", "Check the address."
    if status == 400 and any(word in f"{code} {told}" for word in _WRONG_KEY):
        kind, what, hint = _OF_STATUS[401]
    if any(word in f"{code} {told}" for word in _OUT_OF_QUOTA.get(status, ())):
        kind, what, hint = (
            QuotaSpent,
            "has no quota left for this key",
            "Top the account up, then resume the run.",
        )
    if kind is KeyRefused:
        hint = f"Put a valid key into {where.key}." if where.key else "It wants one: name it by key_env."
    if kind is ModelUnknown:
        what = f"does not know the model {where.model!r}, or there is nothing at this address"
    if after is not None and kind is RateLimited:
        hint = f"It asks to wait {after:.0f} s. {hint}"
    said = f": {shortened(told)}" if told.strip() else ""
    return kind(_sentence(f"{where.url} {what} ({status}){said}", hint), retry_after=after)


def is_held_back(status: int, code: str) -> bool:
    """Whether an HTTP status is a content filter's word: no reply, and no fault of the endpoint either.

    Args:
        status: Not of success.
        code: The endpoint's own names for it, with spaces between.
    """
    return status == 400 and not _HELD_BACK.isdisjoint(code.split())


def from_broken(error: BaseException, where: Where) -> EndpointFault:
    """The fault behind a connection that could not be made or broke, found in the chain of causes."""
    causes = tuple(_causes(error))
    for cause in causes:
        if isinstance(cause, EndpointFault):
            return cause
    told = " ".join(f"{type(cause).__name__} {cause}" for cause in causes)
    if (
        any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes)
        or "CERTIFICATE_VERIFY" in told
    ):
        own = "it signed itself" if "self-signed" in told or "self signed" in told else "is not trusted"
        return EndpointUntrusted(
            f"{where.url} shows a certificate that {own}. "
            "Put the certificate of who signed it into a file and name that in SSL_CERT_FILE."
        )
    if any(isinstance(cause, ssl.SSLError) for cause in causes) or "[SSL" in told:
        return EndpointUntrusted(
            f"{where.url} does not speak TLS as it should. Is it http:// instead of https://?"
        )
    if any(isinstance(cause, socket.gaierror) for cause in causes) or "Name or service not known" in told:
        return EndpointUnreachable(f"{where.url}: its name is not known. Check the address and the network.")
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes) or "refused" in told:
        return EndpointUnreachable(
            f"{where.url}: nobody listens there. Is the server started, and the port right?"
        )
    if any("Timeout" in type(cause).__name__ for cause in causes):
        return ReplyTimeout(f"{where.url} did not answer in time.")
    return EndpointUnreachable(f"{where.url}: the connection broke ({shortened(str(causes[-1]))}).")


def timed_out(seconds: float, where: Where) -> ReplyTimeout:
    """The fault of a reply that was not there, whole, within a limit."""
    return ReplyTimeout(
        f"{where.url} gave no whole reply of {where.model} within {seconds:g} s. "
        "Raise limits.seconds of the agent if the model needs longer."
    )


def unreadable(why: str, where: Where) -> ReplyUnreadable:
    """The fault of a reply that is none of the protocol."""
    return ReplyUnreadable(f"{where.url} sent what is no reply of its protocol: {shortened(why)}.")


def shortened(text: str) -> str:
    """A text of an endpoint as it is quoted in a message: on one line, not long, without control letters."""
    line = " ".join(text.split())
    line = "".join(letter if letter.isprintable() else "·" for letter in line)
    return line if len(line) <= _MOST_TOLD else f"{line[: _MOST_TOLD - 1]}…"


def _sentence(text: str, hint: str) -> str:
    return f"{text.rstrip('.')}. {hint}".rstrip()


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
