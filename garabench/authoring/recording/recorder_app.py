"""The page on which a person uses a phone while a task is recorded: a mirror of its screen."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from garabench.authoring.recording.gesture_steps import PersonGesture, PressedKey, TouchGesture, TypedText
from garabench.authoring.recording.person_session import (
    FinishRecording,
    PersonCommand,
    PersonSession,
    StopRecording,
    UndoStep,
    step_text,
)
from garabench.core.geometry import Point
from garabench.core.observation import Observation
from garabench.errors import InputError
from garabench.web.app import create_app, pages_of

TITLE = "GaraBench recorder"
_OWN = Path(__file__).parent
_POLL_S = 8.0
_MAX_TEXT = 10_000


@dataclass
class SessionHolder:
    """The session of the present sitting; the recorder replaces it after an undo.

    Attributes:
        session: The session.
        sittings: Number of sittings.
    """

    session: PersonSession = field(default_factory=PersonSession)
    sittings: int = 0
    _before: Observation | None = None

    def use(self, session: PersonSession) -> None:
        """Replace the session."""
        self._before = self.screen
        self.session, self.sittings = session, self.sittings + 1

    @property
    def screen(self) -> Observation | None:
        """The latest screen, also of the sitting before; None if there is none yet."""
        return self.session.observation or self.session.last or self._before


def create_recorder_app(
    holder: SessionHolder, task: str, app: str, instruction: str, *, token: str | None = None
) -> Starlette:
    """Create the application.

    Args:
        holder: Holds the session to which the page sends commands.
        task: Id of the task.
        app: The app's package.
        instruction: The instruction, or empty.
        token: The token of requests that write; by default a random one.
    """
    page = _RecorderPage(holder, {"task": task, "app": app, "instruction": instruction})
    return create_app(TITLE, page.routes(), [_OWN], token=token)


class _RecorderPage:
    def __init__(self, holder: SessionHolder, facts: dict[str, str]) -> None:
        self._holder = holder
        self._facts = facts

    def routes(self) -> list[Route]:
        writes: dict[str, Callable[[dict[str, Any]], object]] = {
            "/api/preview": self._preview,
            "/api/act": self._act,
        }
        return [
            Route("/", self._index),
            Route("/api/state", self._state),
            Route("/screen.png", self._screen),
            *(Route(path, self._write(handler), methods=["POST"]) for path, handler in writes.items()),
        ]

    def _index(self, request: Request) -> Response:
        return pages_of(request).render("recorder.html", status=200, recording=self._facts)

    def _state(self, request: Request) -> Response:
        """Return the state, as soon as it differs from the client's."""
        holder = self._holder
        sitting, _, version = request.query_params.get("version", "").partition(".")
        if sitting == str(holder.sittings) and version.isdecimal():
            holder.session.wait_for_change(int(version), _POLL_S)
        session = holder.session
        observation = holder.screen
        return JSONResponse(
            {
                "version": f"{holder.sittings}.{session.version}",
                "busy": session.observation is None and session.ended is None,
                "ended": None if session.ended is None else type(session.ended).__name__,
                "message": session.message,
                "steps": [step_text(step) for step in session.steps],
                "repeating": len(session.replayed),
                "size": None
                if observation is None
                else {"width": observation.screen.width, "height": observation.screen.height},
            }
        )

    def _screen(self, request: Request) -> Response:
        observation = self._holder.screen
        if observation is None:
            return Response(status_code=404)
        return Response(
            observation.screenshot.png, media_type="image/png", headers={"Cache-Control": "no-store"}
        )

    def _write(self, handler: Callable[[dict[str, Any]], object]) -> Any:
        async def handle(request: Request) -> Response:
            try:
                body = await request.json()
                if not isinstance(body, dict):
                    raise ValueError("expected an object")
                return JSONResponse(await run_in_threadpool(handler, body))
            except InputError as error:
                return JSONResponse({"error": str(error)}, 409)
            except (ValueError, KeyError, TypeError) as error:
                return JSONResponse({"error": f"invalid request: {error}"}, 400)

        return handle

    def _preview(self, body: dict[str, Any]) -> object:
        preview = self._holder.session.preview(_gesture(body))
        bounds = preview.bounds
        return {
            "text": preview.text,
            "warning": preview.warning,
            "bounds": None if bounds is None else [bounds.left, bounds.top, bounds.right, bounds.bottom],
        }

    def _act(self, body: dict[str, Any]) -> object:
        commands: dict[str, Callable[[], PersonCommand]] = {
            "undo": UndoStep,
            "stop": StopRecording,
            "done": lambda: FinishRecording(str(body.get("answer", ""))[:_MAX_TEXT].strip()),
        }
        kind = str(body["kind"])
        self._holder.session.send(commands[kind]() if kind in commands else _gesture(body))
        return {}


def _gesture(body: dict[str, Any]) -> PersonGesture:
    """Return the gesture of a request.

    Raises:
        ValueError: It is malformed.
    """
    match body["kind"]:
        case "touch":
            start = Point(int(body["x"]), int(body["y"]))
            end = Point(int(body.get("x2", start.x)), int(body.get("y2", start.y)))
            return TouchGesture(start, end, bool(body.get("held", False)))
        case "text":
            text = str(body["text"])
            if not text or len(text) > _MAX_TEXT:
                raise ValueError("the text is empty or too long")
            return TypedText(text, bool(body.get("clear", False)), bool(body.get("submit", False)))
        case "key":
            return PressedKey(str(body["key"]))
        case kind:
            raise ValueError(f"unknown kind {kind!r}")
