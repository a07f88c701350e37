"""Record imported trajectories as a run, which the viewer, graphs and all other analyses read."""

from __future__ import annotations

import importlib.metadata
import re
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image, UnidentifiedImageError

from garabench.core import events as ev
from garabench.core.action import Wait, to_json
from garabench.core.end_criterion import EndCriterion
from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.png import encode_png
from garabench.core.suggestions import did_you_mean
from garabench.core.tree import TreeError, UiTree, parse_tree
from garabench.errors import InputError
from garabench.records.device_environment import Environment
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.plan import CLEAN, Plan
from garabench.records.run_file import RunAgent, RunAgentKind, RunFile, repetition_seed
from garabench.records.run_layout import EpisodeKey
from garabench.records.run_writer import RunWriter
from garabench.verifier.imports.catalog import IMPORTED, REPAIR_HINT, OnBroken, import_trajectories
from garabench.verifier.imports.imported_trajectory import ImportedTrajectory
from garabench.verifier.trajectory import Ending, TrajectoryFrame, TrajectorySource, TrajectoryStep

SUITE_HASH = "imported"
_NOT_ID = re.compile(r"[^a-z0-9]+")
_WORDS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_LONGEST_ID = 80
_LONGEST_TEXT = 500
_NO_PICTURE = Size(108, 240)


@dataclass(frozen=True, slots=True)
class ImportedRun:
    """Trajectories that were recorded as a run.

    Attributes:
        folder: The run's folder.
        episodes: Number of its episodes.
        unknown: Number of those whose outcome the tool did not record.
        actions: Number of actions.
        unconverted: Number of those that have no counterpart here; they are recorded as waiting.
        broken: Why trajectories could not be read; they are left out.
    """

    folder: Path
    episodes: int
    unknown: int
    actions: int
    unconverted: int
    broken: tuple[InputError, ...] = ()


def import_run(
    folder: Path | str, source: TrajectorySource | str, out: Path | str, *, agent: str = ""
) -> ImportedRun:
    """Record the trajectories in a folder of another tool as a run.

    Args:
        folder: The folder.
        source: The tool, or its name.
        out: The run's folder.
        agent: The agent's name; default: as recorded, or else the tool's name.

    Raises:
        InputError: The folder has no trajectory, none can be read, the tool is unknown, or `out` is not
            empty.
        RecordError: The run cannot be written.
    """
    folder, source, out = Path(folder), _source(source), Path(out)
    RunWriter.check_free(out)
    with tempfile.TemporaryDirectory(prefix="garabench-") as temporary:
        broken: list[InputError] = []
        given = import_trajectories(folder, source, Path(temporary), broken.append)
        found = [each for each in given if _is_readable(each, broken.append)]
        if not found:
            raise broken[0]
        groups: defaultdict[tuple[str, str], list[ImportedTrajectory]] = defaultdict(list)
        for each in found:
            task = _identifier(each.trajectory.task or each.trajectory.key) or "task"
            groups[task, _identifier(agent or each.agent) or source.value].append(each)
        agents = tuple(dict.fromkeys(name for _, name in groups))
        plan = Plan(
            tasks=tuple(dict.fromkeys(task for task, _ in groups)),
            agents=agents,
            conditions=(CLEAN,),
            seeds=max(map(len, groups.values())),
            end=EndCriterion.DONE,
        )
        file = RunFile(
            garabench=importlib.metadata.version("garabench"),
            plan=plan,
            agents=tuple(RunAgent(name=name, text=name, kind=RunAgentKind.EXTERNAL) for name in agents),
            suite_hash=SUITE_HASH,
            device=Environment(),
        )
        writer = RunWriter.create(out, file)
        with writer.lock():
            for (task, name), group in groups.items():
                for number, each in enumerate(group):
                    key = EpisodeKey(task, name, CLEAN, repetition_seed(plan, number))
                    with EpisodeWriter(out / key.folder) as episode:
                        for event in _events(each, key, episode):
                            episode.append([event])
            writer.rebuild()
    steps = [step for each in found for step in each.trajectory.steps]
    return ImportedRun(
        out,
        len(found),
        sum(each.outcome is None for each in found),
        len(steps),
        sum(step.action is None for step in steps),
        tuple(broken),
    )


def _is_readable(each: ImportedTrajectory, on_broken: OnBroken) -> bool:
    """Return whether the pictures of a trajectory can be read, before anything of it is recorded."""
    for frame in each.trajectory.frames:
        try:
            _image(frame)
        except InputError as error:
            where = f"{each.trajectory.key}, the screen of step {frame.step}"
            on_broken(InputError(f"{where}: {error.message}", hint=REPAIR_HINT))
            return False
    return True


def _source(name: str) -> TrajectorySource:
    """Return a tool by name.

    Raises:
        InputError: It is unknown.
    """
    if name not in set(TrajectorySource):
        raise InputError(f"unknown source {name!r}", hint=did_you_mean(name, IMPORTED))
    return TrajectorySource(name)


def _identifier(name: str) -> str:
    """Return a name in kebab case: ``SmsSend`` becomes ``sms-send``."""
    words = _NOT_ID.sub("-", _WORDS.sub("-", name).lower()).strip("-")[:_LONGEST_ID].strip("-")
    return words if not words or words[0].isalpha() else f"task-{words}"


def _events(each: ImportedTrajectory, key: EpisodeKey, episode: EpisodeWriter) -> Iterator[ev.Event]:
    """Yield the log of a trajectory, storing its screens; its times are the numbers of the steps."""
    trajectory = each.trajectory
    yield ev.EpisodeStarted(
        step=0,
        t=0,
        task=key.task,
        agent=key.agent,
        condition=key.condition,
        seed=key.seed,
        suite_hash=SUITE_HASH,
        instruction=trajectory.instruction,
        end=EndCriterion.DONE,
        app=trajectory.app,
    )
    for step in trajectory.steps:
        frame = None if step.before is None else trajectory.frames[step.before]
        screen = _screen(frame, step.number, episode)
        yield ev.Observed(step=step.number, t=step.number, **screen)
        yield from _decision(step)
    end = len(trajectory.steps)
    if trajectory.frames and trajectory.frames[-1].final:
        yield ev.FinalObserved(step=end, t=end, **_screen(trajectory.frames[-1], end, episode))
    yield from _ending(each, end)


def _decision(step: TrajectoryStep) -> Iterator[ev.Event]:
    at = step.number
    action = step.action or Wait()
    yield ev.Decided(step=at, t=at, action=to_json(action), thought=step.thought)
    detail = step.detail
    if step.action is None:
        detail = f"recorded as waiting, since it has no counterpart: {step.text[:_LONGEST_TEXT]}"
    yield ev.PerformedEvent(step=at, t=at, ok=step.ok is not False, detail=detail)


def _ending(each: ImportedTrajectory, end: int) -> Iterator[ev.Event]:
    trajectory, source = each.trajectory, each.trajectory.source.value
    if trajectory.ending is Ending.BROKEN:
        message = f"{source} recorded that the episode broke"
        yield ev.FaultEvent(step=end, t=end, at_fault="harness", error="ImportedFault", message=message)
        yield ev.EpisodeEnded(step=end, t=end, outcome="error", reason="fault", steps=end)
        return
    reason = f"{source} recorded no result" if each.outcome is None else f"the result of {source}"
    yield ev.GoalChecked(step=end, t=end, holds=each.outcome, reason=reason)
    if each.outcome:
        yield ev.EpisodeEnded(
            step=end, t=end, outcome="success", reason="goal_met", steps=end, answer=trajectory.answer
        )
        return
    failures = {Ending.DONE: "false_done", Ending.GAVE_UP: "gave_up", Ending.AGENT_FAILED: "agent_failed"}
    yield ev.EpisodeEnded.model_validate(
        {
            "step": end,
            "t": end,
            "outcome": "failure",
            "reason": failures.get(trajectory.ending, "step_limit"),
            "steps": end,
            "answer": trajectory.answer,
        }
    )


def _screen(frame: TrajectoryFrame | None, step: int, episode: EpisodeWriter) -> dict[str, Any]:
    """Store a screen, and return the fields of its event."""
    tree = _tree(frame)
    picture = _picture(frame)
    package = "" if frame is None else frame.package
    activity = "" if frame is None else frame.activity
    focus = Focus(package, activity)
    stored = episode.store(
        Observation(step, tree, picture, focus, TreeSource.UIAUTOMATOR_DUMP, "", float(step), picture.size)
    )
    return {
        "tree": stored.tree,
        "screen": stored.picture,
        "package": package,
        "activity": activity,
        "source": "imported",
        "signature": tree.signature,
    }


def _tree(frame: TrajectoryFrame | None) -> UiTree:
    if frame is None or frame.tree is None:
        return UiTree(())
    try:
        return parse_tree(frame.tree.read_bytes())
    except (OSError, TreeError):
        return UiTree(())


def _picture(frame: TrajectoryFrame | None) -> Screenshot:
    """Return a frame's picture as PNG; a small grey one if it has none.

    Raises:
        InputError: The picture is broken.
    """
    image = None if frame is None else _image(frame)
    if image is None:
        image = Image.new("RGB", (_NO_PICTURE.width, _NO_PICTURE.height), (128, 128, 128))
    return Screenshot(encode_png(image), Size(image.width, image.height))


def _image(frame: TrajectoryFrame) -> Image.Image | None:
    """Return a frame's decoded picture; None if it has none.

    Raises:
        InputError: The picture is broken.
    """
    if frame.picture is None:
        return None
    try:
        with Image.open(frame.picture) as opened:
            return opened.convert("RGB")
    except (OSError, SyntaxError, ValueError, Image.DecompressionBombError) as error:
        reason = "unknown format" if isinstance(error, UnidentifiedImageError) else error
        raise InputError(f"the picture {frame.picture.name} cannot be read: {reason}") from error
