"""An agent that is an HTTP service: the protocol's messages as POST requests to one address."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from http.client import HTTPException
from urllib.parse import urlsplit

import requests

from garabench.agents.interface import Brief, Decision, Turn
from garabench.agents.keytexts import without_keys
from garabench.agents.own import conversation as talk
from garabench.agents.own import messages as msg
from garabench.agents.own.aside import Aside, LeftBehind
from garabench.agents.own.boundedlog import told
from garabench.agents.own.pictures import PictureFiles
from garabench.agents.setting import Setting
from garabench.core.observation import Observation
from garabench.errors import AgentError, AgentFailed, AgentFault, GaraError, ModelError

TOKEN_VARIABLE = "GARABENCH_AGENT_TOKEN"  # noqa: S105 - the name of the variable, not what it holds
"""Environment variable whose value is sent as ``Authorization: Bearer …``, where it is set."""
_END_SECONDS = 5.0
_CONNECT_SECONDS = 10.0
_CHUNK = 64 * 1024
_PASSING = frozenset({429, 502, 503, 504})
"""What stands before a service says of it, such as a gateway."""
_LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})


@dataclass(frozen=True, slots=True)
class _Reply:
    status: int
    body: bytes


class ServiceAgent:
    """A service that decides. It may perform several episodes at once, which it tells apart by their names.

    Attributes:
        name: As in tables and paths.
        reference: False.
    """

    reference = False

    def __init__(self, url: str, setting: Setting) -> None:
        """Prepare; nothing is sent.

        Args:
            url: Where every message is posted to.
            setting: For which episode.
        """
        self.name = setting.name
        self._url = url
        self._setting = setting
        self._aside = Aside(setting)
        self._session = requests.Session()
        if urlsplit(url).hostname in _LOOPBACK:
            self._session.trust_env = False  # a proxy would look for the service on its own computer
        self._pictures: PictureFiles | None = None
        self._ready: msg.Ready | None = None
        self._task: msg.Task | None = None

    def start(self, brief: Brief) -> None:
        """Agree on the protocol and tell it the task.

        Raises:
            AgentFailed: It cannot be reached, or does not get ready.
            ModelError: It says that its model has failed.
        """
        try:
            ready = talk.read_ready(self._post(talk.hello(), self._setting.start_seconds), self.name)
            self._ready = ready
            if ready.image == "file":
                self._pictures = PictureFiles()
            episode = secrets.token_hex(12)
            task = talk.task_of(brief, episode=episode, deadline=self._setting.seconds)
            self._task = task
            self._post(talk.start(brief, task), self._setting.seconds)
        except AgentError as error:
            raise AgentFailed(f"{self.name} could not begin: {error}") from None

    def decide(self, observation: Observation, history: Sequence[Turn]) -> Decision:
        """Have it decide.

        Raises:
            AgentError: It broke off, did not answer in time, or answered no decision on this step.
            ModelError: It cannot be reached, or says that its model has failed.
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
            path=self._pictures.put(observation) if self._pictures is not None else "",
        )
        return talk.read_decision(self._post(message, self._setting.seconds), self.name, observation.step)

    def close(self) -> None:
        """Tell it that the episode is over, where it still answers."""
        task, self._task = self._task, None
        try:
            if task is not None:
                with contextlib.suppress(GaraError):
                    self._post(msg.End(episode=task.episode), _END_SECONDS)
        finally:
            self._aside.end()
            self._session.close()
            if self._pictures is not None:
                self._pictures.close()

    def _post(self, message: msg.ToAgent, seconds: float) -> bytes:
        """Send a message and read its answer, whole and in time.

        Raises:
            AgentError: There is none, or too much of it.
            ModelError: The service cannot be reached.
        """
        data = talk.to_line(message)
        try:
            outcome = self._aside.call(lambda: self._exchange(data, seconds), seconds)
        except LeftBehind:
            raise self._late(seconds) from None
        if outcome.error is not None:
            raise self._explained(outcome.error, seconds) from None
        reply: _Reply = outcome.value
        if reply.status in _PASSING:
            raise ModelError(f"{self.name}: {self._url} answers with HTTP {reply.status}")
        if not 200 <= reply.status < 300:
            body = reply.body[:1000].decode("utf-8", errors="replace")
            said = told(without_keys(body, os.environ.get(TOKEN_VARIABLE, "")))
            raise AgentError(
                AgentFault.FAILED, f"{self.name}: {self._url} answers with HTTP {reply.status}: {said}"
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
                if len(body) > msg.MOST_BYTES:
                    break
            return _Reply(response.status_code, bytes(body))

    def _late(self, seconds: float) -> AgentError:
        return AgentError(AgentFault.TIMEOUT, f"{self.name}: {self._url} did not answer within {seconds:g} s")

    def _explained(self, error: BaseException, seconds: float) -> GaraError:
        at = f"{self.name}: {self._url}"
        match error:
            case requests.exceptions.SSLError():
                return ModelError(
                    f"{at}: its certificate is not trusted ({_reason(error)}); for one of your own set "
                    "REQUESTS_CA_BUNDLE to the file of its authority, or use http:// on this computer"
                )
            case requests.exceptions.ConnectTimeout():
                return ModelError(f"{at} cannot be reached: no connection within {_CONNECT_SECONDS:g} s")
            case requests.exceptions.ReadTimeout():
                return self._late(seconds)
            case requests.exceptions.ConnectionError() if not _broken_off(error):
                return ModelError(f"{at} cannot be reached ({_reason(error)})")
            case requests.exceptions.RequestException():
                return AgentError(AgentFault.FAILED, f"{at} broke off before it answered ({_reason(error)})")
        raise error


def _broken_off(error: BaseException) -> bool:
    """Whether a connection was there and then was not: the service took the request, and gave no answer."""
    kinds = (ConnectionResetError, ConnectionAbortedError, BrokenPipeError, HTTPException)
    return any(isinstance(each, kinds) for each in _causes(error))


def _causes(error: BaseException) -> list[BaseException]:
    """What an error came from, the outermost first; requests and urllib3 also wrap by arguments."""
    found: list[BaseException] = []
    queue: list[object] = [error]
    while queue:
        each = queue.pop(0)
        if isinstance(each, BaseException) and not any(each is other for other in found):
            found.append(each)
            queue += [*each.args, getattr(each, "reason", None), each.__cause__, each.__context__]
    return found


def _reason(error: BaseException) -> str:
    """The innermost reason, in the words of the system."""
    reasons = [each for each in _causes(error) if isinstance(each, OSError) and each.strerror]
    return told(reasons[-1].strerror or str(error)) if reasons else told(str(_causes(error)[-1]))
