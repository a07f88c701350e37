"""The viewer's pages and the data behind them."""

from __future__ import annotations

import functools
import importlib.resources
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import quote

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from garabench.core.clock import Clock, SystemClock
from garabench.core.sections import Paragraph, Picture, Section
from garabench.core.selector import find
from garabench.core.shortest_selector import selector_yaml, shortest_selector
from garabench.errors import InputError
from garabench.records.content_store import ContentKind, ContentStore, is_hash
from garabench.records.episode import Attempt, Episode, RecordedObservation
from garabench.records.reader import Run
from garabench.records.recorded_screen import RecordedScreen
from garabench.records.recorded_screens import read_screens
from garabench.records.run_layout import EpisodeKey
from garabench.report.section_sources import SECTION_SOURCES
from garabench.report.viewer.alignment import align
from garabench.report.viewer.clipping import clip
from garabench.report.viewer.comparable_steps import aligned_steps
from garabench.report.viewer.episode_data import attempt_data, frames_of
from garabench.report.viewer.exchanges import exchanges_data, transcript_steps
from garabench.report.viewer.library import STOPPED, EpisodeAddress, RunLibrary
from garabench.report.viewer.pictures import ThumbnailCache
from garabench.report.viewer.screen_conditions import goal_conditions, goal_trace, rule_matches, tree_data
from garabench.report.viewer.task_texts import TaskTexts
from garabench.web.app import create_app, pages_of
from garabench.web.section_html import section_html

TITLE = "GaraBench viewer"
_OWN = Path(__file__).parent
_EPISODE = "{run}/{task}/{agent}/{condition}/{seed:int}"
_ATTEMPT = _EPISODE + "/{attempt:int}"
_MAX_LOG = 200_000
_WIDTHS = (160, 320)
_FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}
_MAX_ATTEMPTS_CACHED = 24


def create_viewer(
    folders: Sequence[Path], *, suite: Path | None = None, clock: Clock | None = None
) -> Starlette:
    """Create the application of the viewer.

    Args:
        folders: Folders of runs, or folders that contain runs.
        suite: Folder of the runs' suite; default: the bundled suite.
        clock: Tells whether a log is being written; the system's by default.

    Raises:
        InputError: No run could be opened.
    """
    texts = TaskTexts(suite)
    library = RunLibrary(folders, texts, clock or SystemClock())
    library.listing()  # reads the results, which the first page would have to wait for
    viewer = _Viewer(library, texts)
    return create_app(TITLE, viewer.routes(), [_OWN])


class _Json(JSONResponse):
    """JSON that may contain unpaired surrogates, which UTF-8 cannot encode."""

    def render(self, content: Any) -> bytes:
        try:
            return super().render(content)
        except UnicodeEncodeError:
            return json.dumps(content, separators=(",", ":")).encode()


class _Viewer:
    """The handlers of the pages. Starlette calls them from several threads."""

    def __init__(self, library: RunLibrary, texts: TaskTexts) -> None:
        self._library = library
        self._texts = texts
        self._pictures = ThumbnailCache()
        # By the log's size and time, so that a log that is being written is read again.
        self._cached = functools.lru_cache(maxsize=_MAX_ATTEMPTS_CACHED)(self._read_attempt)

    def routes(self) -> list[Route]:
        pages: list[tuple[str, Callable[[Request], Response]]] = [
            ("/", self._index),
            (f"/episode/{_EPISODE}", self._episode_page),
            ("/side", self._side_page),
            ("/api/episodes", self._episodes),
            (f"/api/episode/{_EPISODE}", self._episode),
            (f"/api/tree/{_ATTEMPT}/{{frame:int}}", self._tree),
            (f"/api/selector/{_ATTEMPT}/{{frame:int}}/{{node:int}}", self._selector),
            (f"/api/conditions/{_ATTEMPT}/{{frame:int}}", self._conditions),
            (f"/api/exchanges/{_ATTEMPT}/{{step:int}}", self._exchanges),
            (f"/api/logs/{_ATTEMPT}", self._logs),
            ("/api/side", self._side),
            (f"/sections/{_EPISODE}", self._sections),
            (f"/picture/{_ATTEMPT}/{{frame:int}}", self._picture),
            ("/image/{run}/{name}", self._image),
            ("/font/chinese.otf", _font),
        ]
        return [Route(path, handler) for path, handler in pages]

    # Pages

    def _index(self, request: Request) -> Response:
        return pages_of(request).render("index.html")

    def _episode_page(self, request: Request) -> Response:
        address, _, episode = self._find(request)
        return pages_of(request).render("episode.html", address=str(address), key=episode.key)

    def _side_page(self, request: Request) -> Response:
        for name in ("left", "right"):
            self._find_by_text(request.query_params.get(name, ""))
        return pages_of(request).render("side.html")

    # Data

    def _episodes(self, request: Request) -> Response:
        return _Json(self._library.listing(_number(request, "since", -1)))

    def _episode(self, request: Request) -> Response:
        address, run, episode = self._find(request)
        return _Json(
            self._episode_data(
                address, run, episode, _number(request, "attempt", 0), _number(request, "events", -1)
            )
        )

    def _episode_data(
        self, address: EpisodeAddress, run: Run, episode: Episode, number: int, known: int
    ) -> dict[str, Any]:
        earlier = episode.earlier_attempts
        latest = len(earlier) + 1
        number = number or latest
        attempt = self._attempt(episode, number)
        # An earlier attempt never goes on.
        state = self._library.state(address) if number == latest else {"outcome": STOPPED}
        base: dict[str, Any] = {
            "address": str(address),
            "attempt": number,
            "attempts": latest,
            "state": state,
        }
        try:
            if len(attempt.events) == known:
                return base | {"unchanged": True}
            files = transcript_steps(attempt)
            data = attempt_data(attempt, dict.fromkeys(files, 1))
        except InputError as error:
            return base | {"problem": str(error)}
        key = episode.key
        return (
            base
            | data
            | {
                "run": address.run,
                "task": key.task,
                "agent": {
                    "name": episode.agent.name,
                    "kind": episode.agent.kind.value,
                    "text": episode.agent.text,
                },
                "condition": key.condition,
                "seed": key.seed,
                "kind": str(run.kind),
                "logs": [
                    name
                    for name, path in (("agent", attempt.agent_log), ("fault", attempt.fault_log))
                    if path is not None
                ],
                "partners": self._library.partners(address),
            }
        )

    def _tree(self, request: Request) -> Response:
        observation = self._observation(request)
        try:
            tree = observation.open_tree(allow_empty=True)
        except InputError as error:
            return _Json({"problem": str(error), "nodes": []})
        return _Json({"problem": "", "nodes": tree_data(tree), "rotation": tree.rotation}, headers=_FOREVER)

    def _selector(self, request: Request) -> Response:
        tree = self._observation(request).open_tree(allow_empty=True)
        place = request.path_params["node"]
        if place >= len(tree.nodes):
            raise HTTPException(404)
        selector = shortest_selector(tree, tree.nodes[place])
        return _Json({"selector": selector_yaml(selector), "matches": len(find(tree, selector))})

    def _conditions(self, request: Request) -> Response:
        _, run, episode = self._find(request)
        attempt = self._attempt(episode, request.path_params["attempt"])
        place = request.path_params["frame"]
        frames = frames_of(attempt)
        if place >= len(frames):
            raise HTTPException(404)
        item, suite = self._texts.task(episode.key.task), self._texts.suite
        if item is None or suite is None:
            reason = self._texts.problem or f"the suite has no task {episode.key.task}"
            return _Json({"problem": f"The conditions cannot be evaluated: {reason}."})
        notice = ""
        if suite.digest != run.file.suite_hash:
            notice = "The suite has changed since this run; the conditions are those of the present suite."
        try:
            screen = _screen(attempt, place, frames[place])
        except InputError as error:
            return _Json({"problem": str(error)})
        answer = _answer(attempt) if place == len(frames) - 1 else None
        interrupted = episode.key.condition != "clean"
        screens = [_bare_screen(frame) for frame in frames]
        return _Json(
            {
                "problem": "",
                "notice": notice,
                "goals": goal_conditions(item, screen, answer, screens[:place]),
                "rules": rule_matches(item, suite, screen) if interrupted else [],
                "trace": goal_trace(item, screens, _answer(attempt)),
            }
        )

    def _exchanges(self, request: Request) -> Response:
        _, _, episode = self._find(request)
        attempt = self._attempt(episode, request.path_params["attempt"])
        path = transcript_steps(attempt).get(request.path_params["step"])
        if path is None:
            raise HTTPException(404)
        try:
            return _Json({"problem": "", **exchanges_data(path)})
        except InputError as error:
            return _Json({"problem": str(error), "exchanges": []})

    def _logs(self, request: Request) -> Response:
        _, _, episode = self._find(request)
        attempt = self._attempt(episode, request.path_params["attempt"])
        paths = {"agent": attempt.agent_log, "fault": attempt.fault_log}
        return _Json({name: _read_log(path) for name, path in paths.items() if path is not None})

    def _side(self, request: Request) -> Response:
        sides, steps = [], []
        for name in ("left", "right"):
            address, run, episode = self._find_by_text(request.query_params.get(name, ""))
            data = self._episode_data(address, run, episode, 0, -1)
            sides.append(data)
            steps.append(() if "problem" in data else aligned_steps(self._attempt(episode, data["attempt"])))
        left, right = ([step for _, step in each] for each in steps)
        alignment = align(left, right)
        rows = [
            {
                "left": None if row.left is None else steps[0][row.left][0],
                "right": None if row.right is None else steps[1][row.right][0],
                "kind": row.kind.value,
            }
            for row in alignment.rows
        ]
        divergences = [{"first": each.first, "converge": each.converge} for each in alignment.divergences]
        return _Json({"left": sides[0], "right": sides[1], "rows": rows, "divergences": divergences})

    def _sections(self, request: Request) -> Response:
        address, run, episode = self._find(request)

        def picture_address(picture: Picture) -> str | None:
            if not is_hash(picture.sha256) or not run.store.path(picture.sha256, ContentKind.PNG).is_file():
                return None
            return f"/image/{quote(address.run)}/{picture.sha256}{ContentKind.PNG}"

        found: list[Markup] = []
        for source in SECTION_SOURCES:
            try:
                sections = source.episode_sections(run, episode)
            except InputError as error:
                problem = Paragraph(f"These results cannot be read: {error}")
                sections = (Section(f"problem-{len(found)}", "Unreadable results", (problem,)),)
            found += [section_html(section, picture_address) for section in sections]
        return pages_of(request).render("analyses.html", key=episode.key, sections=found)

    def _picture(self, request: Request) -> Response:
        path = self._observation(request).picture_path
        width = _number(request, "width", 0)
        if width in _WIDTHS:
            small = self._pictures.small(path, width)
            if small is not None:
                return Response(small, media_type="image/jpeg", headers=_FOREVER)
        if not path.is_file():
            raise HTTPException(404, "The screenshot is missing.")
        return FileResponse(path, media_type="image/png", headers=_FOREVER)

    def _image(self, request: Request) -> Response:
        run = self._library.run(request.path_params["run"])
        digest, dot, suffix = request.path_params["name"].partition(".")
        kinds = {".png": ContentKind.PNG, ".jpg": ContentKind.JPEG}
        kind = kinds.get(dot + suffix)
        if run is None or kind is None or not is_hash(digest):
            raise HTTPException(404)
        path = run.store.path(digest, kind)
        if not path.is_file():
            raise HTTPException(404, "The picture is missing.")
        media_type = "image/png" if kind is ContentKind.PNG else "image/jpeg"
        return FileResponse(path, media_type=media_type, headers=_FOREVER)

    # Look-ups

    def _find(self, request: Request) -> tuple[EpisodeAddress, Run, Episode]:
        params = request.path_params
        key = EpisodeKey(params["task"], params["agent"], params["condition"], params["seed"])
        return self._episode_at(EpisodeAddress(params["run"], key))

    def _find_by_text(self, text: str) -> tuple[EpisodeAddress, Run, Episode]:
        parts = text.split("/")
        if len(parts) != 5 or not parts[4].isdecimal():
            raise HTTPException(404, "An episode is named by run/task/agent/condition/seed.")
        run, task, agent, condition, seed = parts
        return self._episode_at(EpisodeAddress(run, EpisodeKey(task, agent, condition, int(seed))))

    def _episode_at(self, address: EpisodeAddress) -> tuple[EpisodeAddress, Run, Episode]:
        found = self._library.episode(address)
        if found is None:
            raise HTTPException(404, f"There is no episode {clip(str(address), 300)}, or it has not begun.")
        return (address, *found)

    def _attempt(self, episode: Episode, number: int) -> Attempt:
        earlier = episode.earlier_attempts
        if not 1 <= number <= len(earlier) + 1:
            raise HTTPException(404, "There is no such attempt.")
        attempt: Attempt = episode if number > len(earlier) else earlier[number - 1]
        try:
            stat = attempt.log.stat()
        except OSError:
            return attempt
        return self._cached(attempt.folder, attempt.store.folder, stat.st_mtime_ns, stat.st_size)

    @staticmethod
    def _read_attempt(folder: Path, store: Path, _modified: int, _size: int) -> Attempt:
        return Attempt(folder, ContentStore(store))

    def _observation(self, request: Request) -> RecordedObservation:
        _, _, episode = self._find(request)
        frames = frames_of(self._attempt(episode, request.path_params["attempt"]))
        place = int(request.path_params["frame"])
        if place >= len(frames):
            raise HTTPException(404)
        return frames[place]


def _font(_: Request) -> Response:
    path = importlib.resources.files("pylopdf_fonts_zh_cn") / "NotoSansSC-Regular.otf"
    return FileResponse(str(path), media_type="font/otf", headers=_FOREVER)


def _number(request: Request, name: str, default: int) -> int:
    text = request.query_params.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 12 else default


def _screen(attempt: Attempt, place: int, observation: RecordedObservation) -> RecordedScreen:
    """Return a screen with the rules and actions before it.

    Raises:
        InputError: A tree is missing or broken.
    """
    if place < len(attempt.observations):
        return read_screens(attempt.folder)[place]
    tree = observation.open_tree(allow_empty=True)
    return RecordedScreen("", tree, observation.focus, observation.step)


def _bare_screen(observation: RecordedObservation) -> RecordedScreen | None:
    """Return a screen without what was before it; None if its tree cannot be read."""
    try:
        return RecordedScreen("", observation.open_tree(), observation.focus, observation.step)
    except InputError:
        return None


def _answer(attempt: Attempt) -> str | None:
    return None if attempt.ended is None else attempt.ended.answer


def _read_log(path: Path) -> str:
    """Return the end of a log."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - _MAX_LOG))
            text = file.read().decode("utf-8", "replace")
    except OSError as error:
        return f"cannot be read: {error.strerror}"
    return text if size <= _MAX_LOG else f"… {text}"
