"""An external agent that is an HTTP service: protocol messages as POST requests to one URL."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException
from urllib.parse import urlsplit

import requests

from garabench.agents.context import AgentContext
from garabench.agents.deadline import AbandonedCallError, CallThread
from garabench.agents.external import codec as talk
from garabench.agents.external import protocol as msg
from garabench.agents.external.screenshot_files import ScreenshotFiles
from garabench.agents.interface import Brief, Decision, Turn
from garabench.core.observation import Observation
from garabench.core.redaction import redact_keys
from garabench.errors import AgentError, AgentFault, AgentStartError, GaraError, ModelError
from garabench.records.bounded_log import redacted_excerpt

TOKEN_VARIABLE = "GARABENCH_AGENT_TOKEN"  # noqa: S105 - the name of the variable, not what it holds
"""Environment variable whose value, if set, is sent as ``Authorization: Bearer …``."""
_CLOSE_SECONDS = 5.0
_CONNECT_SECONDS = 10.0
_CHUNK = 64 * 1024
_GATEWAY_STATUSES = frozenset({429, 502, 503, 504})
"""Statuses that a gateway in front of the service may return."""
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    body: bytes


class HttpAgent:
    """An agent served over HTTP. It may serve several episodes at once, which it distinguishes by id.

    Attributes:
        name: Name in tables and paths.
        reference: False.
    """

    reference = False

    def __init__(self, url: str, context: AgentContext) -> None:
        """Prepare; nothing is sent yet.

        Args:
            url: The URL to which every message is posted.
            context: The episode's context.
        """
        self.name = context.name
        self._url = url
        self._context = context
        self._thread = CallThread(f"agent-{context.name}", context.clock, context.stop, interrupt=True)
        self._session = requests.Session()
        if urlsplit(url).hostname in _LOOPBACK:
            self._session.trust_env = False  # a proxy would resolve loopback on its own host
        self._screenshots: ScreenshotFiles | None = None
        self._ready: msg.ReadyMessage | None = None
        self._task: msg.TaskInfo | None = None

    def start(self, brief: Brief) -> None:
        """Negotiate the protocol and send the task.

        Raises:
            AgentStartError: The service is not ready.
            ModelError: The service cannot be reached, or reports that its model failed.
        """
        try:
            ready = talk.read_ready(self._post(talk.hello(), self._context.start_seconds), self.name)
            self._ready = ready
            if ready.image == "file":
                self._screenshots = ScreenshotFiles()
            episode = secrets.token_hex(12)
            task = talk.task_info(brief, episode=episode, deadline=self._context.seconds)
            self._task = task
            self._post(talk.start_message(brief, task), self._context.seconds)
        except AgentError as error:
            raise AgentStartError(f"{self.name} could not start: {error}") from None

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Request a decision.

        Raises:
            AgentError: The service closed the connection, missed the deadline, or returned no valid decision.
            ModelError: The service cannot be reached, or reports that its model failed.
        """
        ready, task = self._ready, self._task
        if ready is None or task is None:
            raise RuntimeError("the agent was not started")
        message = talk.observe(
            observation,
            history,
            task,
            tree=ready.tree,
            image=ready.image,
            path=self._screenshots.write(observation) if self._screenshots is not None else "",
        )
        return talk.read_decision(self._post(message, self._context.seconds), self.name, observation.step)

    def close(self) -> None:
        """Report the end of the episode, if the service still answers."""
        task, self._task = self._task, None
        try:
            if task is not None:
                with contextlib.suppress(GaraError):
                    self._post(msg.EndMessage(episode=task.episode), _CLOSE_SECONDS)
        finally:
            self._thread.close()
            self._session.close()
            if self._screenshots is not None:
                self._screenshots.close()

    def _post(self, message: msg.ToAgent, seconds: float) -> bytes:
        """Send a message and read the whole answer before the deadline.

        Raises:
            AgentError: The answer is missing or too large.
            ModelError: The service cannot be reached.
        """
        data = talk.encode_message(message)
        try:
            outcome = self._thread.call(lambda: self._exchange(data, seconds), seconds)
        except AbandonedCallError:
            raise self._timeout_error(seconds) from None
        if outcome.error is not None:
            raise self._error_of(outcome.error, seconds) from None
        reply: _Reply = outcome.value
        if reply.status in _GATEWAY_STATUSES:
            raise ModelError(f"{self.name}: {self._url} returned HTTP {reply.status}")
        if not 200 <= reply.status < 300:
            body = reply.body[:1000].decode("utf-8", errors="replace")
            quoted = redacted_excerpt(redact_keys(body, os.environ.get(TOKEN_VARIABLE, "")))
            raise AgentError(
                AgentFault.FAILED, f"{self.name}: {self._url} returned HTTP {reply.status}: {quoted}"
            )
        return reply.body

    def _exchange(self, data: bytes, seconds: float) -> _Reply:
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if token := os.environ.get(TOKEN_VARIABLE):
            headers["Authorization"] = f"Bearer {token}"
        limits = (min(_CONNECT_SECONDS, seconds), seconds)
        with self._session.post(
            self._url, data=data, headers=headers, timeout=limits, stream=True, allow_redirects=False
        ) as response:
            body = bytearray()
            for chunk in response.iter_content(_CHUNK):
                body += chunk
                if len(body) > msg.MAX_MESSAGE_BYTES:
                    break
            return _Reply(response.status_code, bytes(body))

    def _timeout_error(self, seconds: float) -> AgentError:
        return AgentError(AgentFault.TIMEOUT, f"{self.name}: {self._url} did not answer within {seconds:g} s")

    def _error_of(self, error: BaseException, seconds: float) -> GaraError:
        at = f"{self.name}: {self._url}"
        match error:
            case requests.exceptions.SSLError():
                return ModelError(
                    f"{at}: its certificate is not trusted ({_reason(error)}); for a private authority set "
                    "REQUESTS_CA_BUNDLE to its certificate file, or use http:// for a local service"
                )
            case requests.exceptions.ConnectTimeout():
                return ModelError(f"{at} cannot be reached: no connection within {_CONNECT_SECONDS:g} s")
            case requests.exceptions.ReadTimeout():
                return self._timeout_error(seconds)
            case requests.exceptions.ConnectionError() if not _was_connected(error):
                return ModelError(f"{at} cannot be reached ({_reason(error)})")
            case requests.exceptions.RequestException():
                return AgentError(
                    AgentFault.FAILED, f"{at} closed the connection before it answered ({_reason(error)})"
                )
        raise error


def _was_connected(error: BaseException) -> bool:
    """Return whether an existing connection was lost: the service got the request, but did not answer."""
    kinds = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, HTTPException)
    return any(isinstance(each, kinds) for each in _causes(error))


def _causes(error: BaseException) -> list[BaseException]:
    """Return an error and its causes, outermost first; requests and urllib3 also nest them in arguments."""
    found: list[BaseException] = []
    queue: list[object] = [error]
    while queue:
        each = queue.pop(0)
        if isinstance(each, BaseException) and not any(each is other for other in found):
            found.append(each)
            queue += [*each.args, getattr(each, "reason", None), each.__cause__, each.__context__]
    return found


def _reason(error: BaseException) -> str:
    """Return the innermost cause, as worded by the system."""
    reasons = [each for each in _causes(error) if isinstance(each, OSError) and each.strerror]
    return (
        redacted_excerpt(reasons[-1].strerror or str(error))
        if reasons
        else redacted_excerpt(str(_causes(error)[-1]))
    )
