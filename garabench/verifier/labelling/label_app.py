"""The labelling page and the data behind it."""

from __future__ import annotations

import hashlib
import importlib.resources
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response
from starlette.routing import Route

from garabench.core.end_criterion import EndCriterion
from garabench.errors import InputError
from garabench.records.content_store import ContentKind, is_hash
from garabench.records.episode_selection import SelectEpisode, drawn_episodes, every_episode
from garabench.records.reader import Run
from garabench.records.run_layout import EpisodeKey
from garabench.verifier.call_rendering import history_text
from garabench.verifier.label_agreement import annotator_agreement, judge_agreement
from garabench.verifier.labelling.hidden_ending import without_report
from garabench.verifier.labelling.label_store import LABELS, LabelChoice, LabelStore, StoredLabel
from garabench.verifier.recorded_trajectory import recorded_trajectory
from garabench.verifier.report_section import outcome_word
from garabench.verifier.trajectory import Ending, Trajectory
from garabench.verifier.verdict import TrajectoryVerdict
from garabench.verifier.verdict_store import VERDICTS, VerdictStore
from garabench.verifier.verification import DEFAULT_JUDGE, judged_episodes
from garabench.web.app import create_app, pages_of

TITLE = "GaraBench labels"
_OWN = Path(__file__).parent
_FOREVER = {"Cache-Control": "private, max-age=31536000, immutable"}
_MAX_NAME = 60
_DRAWS = 500


def create_label_app(
    run: Run,
    judge: str,
    *,
    select: SelectEpisode = every_episode,
    sample: int | None = None,
    seed: int = 0,
    token: str | None = None,
) -> tuple[Starlette, LabelStore]:
    """Create the application.

    Args:
        run: The run.
        judge: Name of the judge whose rubric and findings are shown.
        select: Returns whether an episode is labelled.
        sample: Number of these episodes that are drawn at random; None for all.
        seed: Seed of the drawing.
        token: The token of requests that write; by default a random one.

    Returns:
        The application, and the store of its labels.

    Raises:
        InputError: No selected episode ended in success or failure, or the file of labels is broken.
    """
    keys = {str(each.key): each.key for each in judged_episodes(run, select)}
    if sample is not None:
        drawn = drawn_episodes(keys.values(), sample, seed)
        keys = {name: key for name, key in keys.items() if key in drawn}
    if not keys:
        raise InputError(f"{run.folder} has no such episode that ended in success or failure")
    store = LabelStore(run.folder / VERDICTS / LABELS)
    page = _LabelPage(run, judge, store, keys)
    return create_app(TITLE, page.routes(), [_OWN], token=token), store


class _LabelPage:
    """The handlers. Starlette calls them from several threads."""

    def __init__(self, run: Run, judge: str, store: LabelStore, keys: Mapping[str, EpisodeKey]) -> None:
        self._run = run
        self._judge = judge
        self._store = store
        self._verdicts = VerdictStore.of_run(run.folder, judge)
        self.keys = keys

    def routes(self) -> list[Route]:
        pages: list[tuple[str, Callable[[Request], Response]]] = [
            ("/", self._index),
            ("/api/items", self._items),
            ("/api/item", self._item),
            ("/api/agreement", self._agreement),
            ("/export", self._export),
            ("/image/{name}", self._image),
            ("/font/chinese.otf", _font),
        ]
        return [Route(path, handler) for path, handler in pages] + [
            Route("/api/label", self._save, methods=["POST"])
        ]

    def _index(self, request: Request) -> Response:
        folder = self._run.folder
        run_id = hashlib.sha256(str(folder.resolve()).encode("utf-8", "surrogateescape")).hexdigest()[:16]
        return pages_of(request).render("label.html", judge=self._judge, run=folder.name, run_id=run_id)

    def _items(self, request: Request) -> Response:
        annotator = request.query_params.get("annotator", "")
        labels = [label for label in self._store.labels() if label.trajectory in self.keys]
        own = {label.trajectory: label for label in labels if label.annotator == annotator}
        outcomes: dict[str, set[LabelChoice]] = {}
        for label in labels:
            if label.annotator == annotator and not label.revealed and self._verdict(label.trajectory):
                continue  # a conflict is shown when the blind label is closed
            if label.outcome.value_or_none is not None:
                outcomes.setdefault(label.trajectory, set()).add(label.outcome)
        names = sorted({label.annotator for label in labels})
        items = [
            {"key": key, "stage": _stage(own.get(key)), "conflict": len(outcomes.get(key, ())) > 1}
            for key in self.keys
        ]
        people = [
            {
                "name": name,
                "blind": sum(
                    each.annotator == name and each.outcome is not LabelChoice.NONE for each in labels
                ),
                "informed": sum(
                    each.annotator == name and each.informed_outcome is not LabelChoice.NONE
                    for each in labels
                ),
            }
            for name in names
        ]
        return JSONResponse({"items": items, "annotators": people, "total": len(self.keys)})

    def _item(self, request: Request) -> Response:
        key, annotator = self._address(request.query_params)
        return JSONResponse(self._item_data(key, annotator))

    def _item_data(self, key: str, annotator: str) -> dict[str, Any]:
        label = self._store.find(key, annotator)
        whole, verdict = self._trajectory(key), self._verdict(key)
        hides = self._run.plan.end is EndCriterion.GOAL and not label.revealed
        trajectory = without_report(whole) if self._run.plan.end is EndCriterion.GOAL else whole
        # The offline judge's rubric has the parts of the goal; a model's is made from the instruction alone.
        hides_rubric = self._judge == DEFAULT_JUDGE and not label.revealed
        rubric = [] if verdict is None or verdict.rubric is None or hides_rubric else verdict.rubric.items
        return {
            "key": key,
            "instruction": trajectory.instruction,
            "answer": trajectory.answer,
            "gave_up": trajectory.ending is Ending.GAVE_UP,
            "ending": None if hides else trajectory.ending.value,
            "frames": [
                {
                    "index": frame.index,
                    "step": frame.step,
                    "final": frame.final,
                    "picture": f"/image/{frame.picture_sha256}.png" if frame.picture_sha256 else None,
                    "screen": f"{frame.package}/{frame.activity}",
                }
                for frame in trajectory.frames
            ],
            "steps": [
                {"number": step.number, "action": step.text, "thought": step.thought, "frame": step.before}
                for step in trajectory.steps
            ],
            "history": history_text(trajectory if hides else whole),
            "rubric": [
                {
                    "criterion": item.criterion.criterion,
                    "description": item.criterion.description,
                    "max_points": item.criterion.max_points,
                    "condition": item.criterion.condition,
                }
                for item in rubric
                if not item.criterion.penalty
            ],
            "label": {**asdict(label), "stage": _stage(label)},
            "findings": _findings(verdict) if label.revealed else None,
            "has_verdict": verdict is not None,
            "hides_rubric": hides_rubric,
        }

    async def _save(self, request: Request) -> Response:
        try:
            body = json.loads(await request.body())
        except ValueError as error:
            raise HTTPException(400, "The request is not JSON.") from error
        if not isinstance(body, dict):
            raise HTTPException(400, "The request is not an object.")
        return await run_in_threadpool(self._saved, body)

    def _saved(self, body: Mapping[str, Any]) -> Response:
        key, annotator = self._address(body)
        try:
            match body.get("stage"):
                case "blind":
                    points, score = self._points(key, body.get("points"))
                    self._store.save_blind(
                        key,
                        annotator,
                        self._judge,
                        outcome=LabelChoice(body.get("outcome", "")),
                        points=points,
                        process_score=score,
                        comment=str(body.get("comment", "")),
                    )
                case "reveal":
                    self._store.reveal(key, annotator)
                    return JSONResponse(self._item_data(key, annotator))
                case "informed":
                    self._store.save_informed(
                        key,
                        annotator,
                        outcome=LabelChoice(body.get("outcome", "")),
                        process=LabelChoice(body.get("process", "")),
                        comment=str(body.get("comment", "")),
                    )
                case other:
                    raise HTTPException(400, f"unknown stage {other!r}")
        except InputError as error:
            raise HTTPException(409, str(error)) from error
        except (ValueError, TypeError) as error:
            raise HTTPException(400, f"The label is not valid: {error}") from error
        return JSONResponse({"saved": True, "stage": _stage(self._store.find(key, annotator))})

    def _points(self, key: str, given: object) -> tuple[dict[str, float], float | None]:
        """Return the points by criterion, and the process score if every criterion has points."""
        if not isinstance(given, dict):
            return {}, None
        verdict = self._verdict(key)
        items = [] if verdict is None or verdict.rubric is None else verdict.rubric.items
        most = [item.criterion.max_points for item in items if not item.criterion.penalty]
        points = {str(int(name)): float(value) for name, value in given.items() if value is not None}
        for name, value in points.items():
            if not 0 <= int(name) < len(most) or not 0 <= value <= most[int(name)]:
                raise ValueError(f"criterion {name} cannot have {value:g} points")
        complete = bool(most) and len(points) == len(most)
        return points, sum(points.values()) / sum(most) if complete else None

    def _agreement(self, request: Request) -> Response:
        # A label that can still be changed is left out: its owner would see who agrees with it.
        labels = self._store.label_set({key: name.task for key, name in self.keys.items()}, closed=True)
        people = annotator_agreement(labels)
        outcomes = {key: verdict.outcome for key in self.keys if (verdict := self._verdict(key)) is not None}
        judged = {key: outcome for key, outcome in outcomes.items() if outcome is not None}
        compared = judge_agreement(labels, judged, draws=_DRAWS)
        return JSONResponse(
            {
                "annotators": {**asdict(people), "share": people.share},
                "blind": _kappa(compared.blind.confusion.items, compared.blind.confusion.kappa),
                "informed": None
                if compared.informed is None
                else _kappa(compared.informed.confusion.items, compared.informed.confusion.kappa),
            }
        )

    def _export(self, request: Request) -> Response:
        labels = self._store.label_set({key: name.task for key, name in self.keys.items()}).labels
        lines = "".join(json.dumps(asdict(label), ensure_ascii=False) + "\n" for label in labels)
        headers = {"Content-Disposition": 'attachment; filename="labels.jsonl"'}
        return Response(lines, media_type="application/x-ndjson", headers=headers)

    def _image(self, request: Request) -> Response:
        digest, dot, suffix = request.path_params["name"].partition(".")
        if dot + suffix != ContentKind.PNG.value or not is_hash(digest):
            raise HTTPException(404)
        path = self._run.store.path(digest, ContentKind.PNG)
        if not path.is_file():
            raise HTTPException(404, "The picture is missing.")
        return FileResponse(path, media_type="image/png", headers=_FOREVER)

    def _address(self, values: Mapping[str, Any]) -> tuple[str, str]:
        """Return the trajectory and the annotator that a request names."""
        key, annotator = str(values.get("key", "")), " ".join(str(values.get("annotator", "")).split())
        if key not in self.keys:
            raise HTTPException(404, "There is no such episode.")
        if not 0 < len(annotator) <= _MAX_NAME or not annotator.isprintable():
            raise HTTPException(400, f"A name of 1 to {_MAX_NAME} characters is needed.")
        return key, annotator

    def _trajectory(self, key: str) -> Trajectory:
        episode = self._run.episode(self.keys[key])
        if episode is None:
            raise HTTPException(404, "The episode is gone.")
        return recorded_trajectory(episode)

    def _verdict(self, key: str) -> TrajectoryVerdict | None:
        return self._verdicts.read(key)


def _font(_: Request) -> Response:
    path = importlib.resources.files("pylopdf_fonts_zh_cn") / "NotoSansSC-Regular.otf"
    return FileResponse(str(path), media_type="font/otf", headers=_FOREVER)


def _kappa(items: int, kappa: float | None) -> dict[str, Any]:
    return {"items": items, "kappa": kappa}


def _stage(label: StoredLabel | None) -> str:
    if label is None or label == StoredLabel(label.trajectory, label.annotator):
        return "none"
    if label.informed_outcome is not LabelChoice.NONE:
        return "informed"
    return "draft" if label.outcome is LabelChoice.NONE else "blind"


def _findings(verdict: TrajectoryVerdict | None) -> dict[str, Any] | None:
    """Return what the judge found, for the informed stage."""
    if verdict is None:
        return None
    items = [] if verdict.rubric is None else verdict.rubric.items
    return {
        "state": verdict.state.value,
        "outcome": outcome_word(verdict.outcome),
        "process_score": verdict.process_score,
        "reason": verdict.outcome_reason,
        "criteria": [
            {
                "criterion": item.criterion.criterion,
                "penalty": item.criterion.penalty,
                "max_points": item.criterion.max_points,
                "by_actions": item.earned_points,
                "points": item.points,
                "applies": item.applies,
                "reason": item.post_image_justification or item.justification,
            }
            for item in items
        ],
        "failures": [
            {
                "code": point.error_code.value,
                "title": point.error_code.entry.title,
                "steps": list(point.step_numbers),
                "what": point.what_happened,
                "evidence": point.evidence,
            }
            for point in verdict.failure_points
        ],
    }
