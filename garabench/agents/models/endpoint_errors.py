"""Errors of a model's endpoint.

They are not the agent's fault: an episode that raises one ends as ``error``.
"""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from garabench.errors import ModelError

_MAX_EXCERPT = 300


@dataclass(frozen=True, slots=True)
class EndpointLabel:
    """The endpoint that an error message names.

    Attributes:
        url: Base URL of the endpoint.
        model: The requested model.
        key: Source of the API key, such as ``OPENAI_API_KEY``; empty if none is sent.
    """

    url: str
    model: str
    key: str = ""


class EndpointError(ModelError):
    """A fault of a model's endpoint.

    Attributes:
        transient: Whether a retry may succeed.
        fatal: Whether every later request would fail as well, so that the run ends.
        retry_after: Seconds to wait as requested by the endpoint, if any.
    """

    transient: ClassVar[bool] = False
    fatal: ClassVar[bool] = False

    def __init__(self, message: str, *, retry_after: float | None = None) -> None:
        super().__init__(message)
        self.retry_after = retry_after


class EndpointUnreachableError(EndpointError):
    """The connection was refused or lost, or the host is unknown."""

    transient = True


class EndpointUntrustedError(EndpointError):
    """The certificate is not trusted, for example because it is self-signed, or TLS failed."""

    fatal = True


class ReplyTimeoutError(EndpointError):
    """No complete reply arrived within the limit."""

    transient = True


class KeyRejectedError(EndpointError):
    """The endpoint rejects the key or requires one (401, or 400 with such a message)."""

    fatal = True


class AccessDeniedError(EndpointError):
    """The key has no access to this model (403)."""

    fatal = True


class UnknownModelError(EndpointError):
    """The model is unknown, or nothing is served at this address (404)."""

    fatal = True


class RequestRejectedError(EndpointError):
    """The endpoint rejects the request: it is too long or has an unknown parameter (400, 413, 422)."""


class RateLimitedError(EndpointError):
    """There are too many requests (429)."""

    transient = True


class QuotaExceededError(EndpointError):
    """The account has no credit or quota left (402, or 429 or 400 with such a message)."""

    fatal = True


class EndpointServerError(EndpointError):
    """The endpoint failed or is overloaded (5xx)."""

    transient = True


class ReplyTooLargeError(EndpointError):
    """The reply is larger than any model's reply can be."""


class InvalidReplyError(EndpointError):
    """The reply violates the protocol: an error page, or malformed or truncated JSON."""

    transient = True


class RequestCancelledError(EndpointError):
    """The run was stopped while waiting for a reply."""


_BY_STATUS: dict[int, tuple[type[EndpointError], str, str]] = {
    400: (
        RequestRejectedError,
        "rejects the request",
        "Check the agent's parameters and the length of its prompt.",
    ),
    401: (KeyRejectedError, "rejects the key", ""),
    402: (QuotaExceededError, "requires payment", "Top up the account, then resume the run."),
    403: (AccessDeniedError, "denies access", "Request access to the model, or use another key."),
    404: (
        UnknownModelError,
        "does not know",
        "List the models at /models, and check the address.",
    ),
    408: (EndpointServerError, "timed out waiting for the request", ""),
    409: (EndpointServerError, "reports a conflict", ""),
    413: (
        RequestRejectedError,
        "says that the request is too large",
        "Send fewer or smaller images, or fewer elements (tree.tokens).",
    ),
    422: (RequestRejectedError, "rejects the request", "Check the agent's parameters."),
    429: (RateLimitedError, "reports too many requests", "Lower limits.at_once of the agent."),
}
_OUT_OF_QUOTA = {
    # Anthropic sends this with 400. The whole phrase, since a 400 may quote the request.
    400: ("credit balance is too low",),
    429: ("insufficient_quota", "billing_hard_limit_reached", "insufficient_balance", "credit balance"),
}
_CONTENT_FILTER_CODES = frozenset(
    {
        "content_filter",  # Azure, with ResponsibleAIPolicyViolation as its inner code
        "ResponsibleAIPolicyViolation",
        "content_policy_violation",  # OpenAI
        "data_inspection_failed",  # Alibaba's Model Studio, OpenAI-compatible and native
        "DataInspectionFailed",
        "1301",  # Zhipu
        "InputTextSensitiveContentDetected",  # Volcengine's Ark
        "InputImageSensitiveContentDetected",
        "OutputTextSensitiveContentDetected",
        "SensitiveContentDetected",
    }
)
"""Codes of content filters in status 400. Messages are not matched, since they may quote the request."""
_WRONG_KEY = ("API_KEY_INVALID", "API key not valid")
"""Google's messages for a rejected key, which come with 400."""


def from_status(
    status: int, message: str, where: EndpointLabel, *, code: str = "", after: float | None = None
) -> EndpointError:
    """Return the error of an HTTP status.

    Args:
        status: A status other than success.
        message: The endpoint's message, without the key.
        where: The endpoint.
        code: The endpoint's error code, if any.
        after: Seconds to wait as requested by the endpoint.
    """
    kind, what, hint = _BY_STATUS.get(status, (RequestRejectedError, "rejects the request", ""))
    if status >= 500:
        kind, what, hint = EndpointServerError, "failed", ""
    elif status < 400:
        kind, what, hint = InvalidReplyError, "redirects", "Check the address."
    if status == 400 and any(word in f"{code} {message}" for word in _WRONG_KEY):
        kind, what, hint = _BY_STATUS[401]
    if any(word in f"{code} {message}" for word in _OUT_OF_QUOTA.get(status, ())):
        kind, what, hint = (
            QuotaExceededError,
            "has no quota left for this key",
            "Top up the account, then resume the run.",
        )
    if kind is KeyRejectedError:
        hint = f"Put a valid key in {where.key}." if where.key else "It requires one: name it with key_env."
    if kind is UnknownModelError:
        what = f"has no model {where.model!r}, or nothing is served at this address"
    if after is not None and kind is RateLimitedError:
        hint = f"It asks to wait {after:.0f} s. {hint}"
    quoted = f": {endpoint_excerpt(message)}" if message.strip() else ""
    return kind(_sentence(f"{where.url} {what} ({status}){quoted}", hint), retry_after=after)


def is_content_filter(status: int, code: str) -> bool:
    """Return whether an HTTP error comes from a content filter, which is not a fault of the endpoint.

    Args:
        status: A status other than success.
        code: The endpoint's error codes, separated by spaces.
    """
    return status == 400 and not _CONTENT_FILTER_CODES.isdisjoint(code.split())


def from_connection_error(error: BaseException, where: EndpointLabel) -> EndpointError:
    """Return the error of a failed or lost connection, from the chain of causes."""
    causes = tuple(_causes(error))
    for cause in causes:
        if isinstance(cause, EndpointError):
            return cause
    text = " ".join(f"{type(cause).__name__} {cause}" for cause in causes)
    if (
        any(isinstance(cause, ssl.SSLCertVerificationError) for cause in causes)
        or "CERTIFICATE_VERIFY" in text
    ):
        problem = "is self-signed" if "self-signed" in text or "self signed" in text else "is not trusted"
        return EndpointUntrustedError(
            f"the certificate of {where.url} {problem}. "
            "Set SSL_CERT_FILE to a file with the certificate of its authority."
        )
    if any(isinstance(cause, ssl.SSLError) for cause in causes) or "[SSL" in text:
        return EndpointUntrustedError(
            f"TLS with {where.url} failed. Check whether the URL must start with http:// instead of https://."
        )
    if any(isinstance(cause, socket.gaierror) for cause in causes) or "Name or service not known" in text:
        return EndpointUnreachableError(f"{where.url}: unknown host. Check the address and the network.")
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes) or "refused" in text:
        return EndpointUnreachableError(
            f"{where.url}: connection refused. Check that the server is running and the port is right."
        )
    if any("Timeout" in type(cause).__name__ for cause in causes):
        return ReplyTimeoutError(f"{where.url} did not answer in time.")
    return EndpointUnreachableError(
        f"{where.url}: the connection was lost ({endpoint_excerpt(str(causes[-1]))})."
    )


def reply_timeout(seconds: float, where: EndpointLabel) -> ReplyTimeoutError:
    """Return the error for a reply that was not complete within a limit."""
    return ReplyTimeoutError(
        f"{where.url} sent no complete reply from {where.model} within {seconds:g} s. "
        "Raise limits.seconds of the agent if the model needs longer."
    )


def invalid_reply(reason: str, where: EndpointLabel) -> InvalidReplyError:
    """Return the error for a reply that violates the protocol."""
    return InvalidReplyError(f"{where.url} sent an invalid reply: {endpoint_excerpt(reason)}.")


def endpoint_excerpt(text: str) -> str:
    """Shorten an endpoint's text for a message: one line, of limited length, without control characters."""
    line = " ".join(text.split())
    line = "".join(letter if letter.isprintable() else "·" for letter in line)
    return line if len(line) <= _MAX_EXCERPT else f"{line[: _MAX_EXCERPT - 1]}…"


def _sentence(text: str, hint: str) -> str:
    return f"{text.rstrip('.')}. {hint}".rstrip()


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    current: BaseException | None = error
    while current is not None and id(current) not in seen:
        seen.add(id(current))
        yield current
        current = current.__cause__ or current.__context__
