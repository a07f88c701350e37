"""Record a task: an episode whose agent is a person."""

from __future__ import annotations

import importlib.metadata
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from garabench.authoring.new_names import check_new_id
from garabench.authoring.recording.gesture_steps import solution_of
from garabench.authoring.recording.person_agent import PERSON, PersonAgent
from garabench.authoring.recording.person_session import FinishRecording, PersonSession, UndoStep
from garabench.authoring.recording.recording_file import FILE, RecordingFile, read_recording
from garabench.authoring.recording.task_draft import TaskDraft, propose_recorded_goal
from garabench.campaign.preflight import recorded_environment
from garabench.core.clock import Clock
from garabench.core.condition import AnswerIs, AnswerSpec
from garabench.core.end_criterion import EndCriterion
from garabench.core.goal import Goal, GoalUse
from garabench.core.recorded_facts import RecordedFacts
from garabench.core.steps import AnswerStep, SolutionStep
from garabench.core.task import Task
from garabench.device.device import Device
from garabench.episode.runner import perform_episode
from garabench.episode.spec import EpisodeSpec
from garabench.errors import InputError
from garabench.records.plan import CLEAN, Plan
from garabench.records.run_file import RunAgent, RunAgentKind, RunFile, repetition_seed
from garabench.records.run_writer import RunWriter

_MAX_STEPS = 200
_SECONDS = 86_400.0
_HASH = "recorded"


@dataclass(frozen=True, slots=True)
class FinishedRecording:
    """A recording that has ended.

    Attributes:
        file: The recording.
        draft: The task; None if the person has not finished.
        folder: Its folder, a run folder.
    """

    file: RecordingFile
    draft: TaskDraft | None
    folder: Path


def open_recording(
    folder: Path, task: str, app: str, instruction: dict[str, str], *, resume: bool
) -> RecordingFile:
    """Return a new recording, or the one of a folder to resume.

    Args:
        folder: The recording's folder.
        task: Id of the task.
        app: The app's package; may be empty to resume.
        instruction: The instruction by language.
        resume: Whether to resume.

    Raises:
        InputError: The folder has a recording already, has none to resume, or has another task's; or the
            task's name is not an id.
    """
    check_new_id(task)
    if not resume:
        if (folder / FILE).exists():
            raise InputError(
                f"{folder} already contains a recording",
                hint="Resume it with --resume, or give another --out.",
            )
        RunWriter.check_free(folder)
        return RecordingFile(task=task, app=app, instruction=instruction)
    found = read_recording(folder)
    if found.task != task:
        raise InputError(f"{folder} contains a recording of the task {found.task!r}, not {task!r}")
    if app and found.app != app:
        raise InputError(f"the recording is of the app {found.app}, not {app}")
    return found.model_copy(update={"finished": False, "instruction": instruction or found.instruction})


def record_task(
    recording: RecordingFile,
    device: Device,
    folder: Path,
    clock: Clock,
    *,
    on_session: Callable[[PersonSession], None],
) -> FinishedRecording:
    """Record a task on a device, until the person finishes or stops.

    The app's data is cleared first. The record in the folder is that of a run with one episode.

    Args:
        recording: The recording to begin or to resume.
        device: The device.
        folder: The recording's folder.
        clock: The clock of the record.
        on_session: Called with the session of each sitting before it begins; commands are sent to it.

    Raises:
        InputError: The app is not installed.
        DeviceError: The device is gone.
        RecordError: The record cannot be written.
    """
    if not device.apps.installed(recording.app):
        raise InputError(f"the app {recording.app} is not installed on {device.info.serial}")
    plan = Plan(
        tasks=(recording.task,),
        agents=(PERSON,),
        conditions=(CLEAN,),
        seconds=_SECONDS,
        decision_seconds=_SECONDS,
        end=EndCriterion.DONE,
    )
    if (folder / "run.json").exists():
        writer = RunWriter.open(folder)
    else:
        environment, _ = recorded_environment(device, plan)
        agents = (RunAgent(name=PERSON, text=PERSON, kind=RunAgentKind.EXTERNAL),)
        version = importlib.metadata.version("garabench")
        writer = RunWriter.create(
            folder,
            RunFile(garabench=version, plan=plan, agents=agents, suite_hash=_HASH, device=environment),
        )
    recording = recording.model_copy(update={"size": str(device.info.size)})
    recording.write(folder)
    spec = _spec(recording, plan)
    steps = list(recording.steps)
    with writer.lock():
        while True:
            session = PersonSession(
                replayed=list(steps),
                on_step=lambda now: recording.model_copy(update={"steps": now}).write(folder),
            )
            on_session(session)
            end = perform_episode(spec, device, PersonAgent(session), folder, clock)
            steps = list(session.steps)
            if not isinstance(session.ended, UndoStep):
                break
            steps.pop()
        summary = writer.summarize(spec.key)
        if summary is not None:
            writer.append_result(summary)
    recording = recording.model_copy(update={"steps": tuple(steps)})
    if not isinstance(session.ended, FinishRecording):
        recording.write(folder)
        if session.ended is None:
            raise InputError(f"the recording was interrupted: {end.reason or end.outcome}; resume it")
        return FinishedRecording(recording, None, folder)
    answer = session.ended.answer
    recording = recording.model_copy(update={"finished": True, "answer": answer})
    recording.write(folder)
    return FinishedRecording(recording, _draft(recording, session, answer), folder)


def _draft(recording: RecordingFile, session: PersonSession, answer: str) -> TaskDraft:
    solution: tuple[SolutionStep, ...] = solution_of(session.recorded)
    if answer:
        solution = (*solution, AnswerStep(answer=answer))
    draft = TaskDraft(recording.task, recording.app, recording.instruction, solution)
    if session.first is None or session.last is None:
        return draft
    before, after = (RecordedFacts(each.tree, each.focus) for each in (session.first, session.last))
    return propose_recorded_goal(draft, before, after, session.recorded)


def _spec(recording: RecordingFile, plan: Plan) -> EpisodeSpec:
    """Return the episode; its goal is that the person reports the task as done.

    A recording has no goal of the task yet. Its success is the person's word, and nothing is met before.
    """
    task = Task(
        id=recording.task,
        instruction=recording.instruction or {"en": f"Recording of {recording.task}"},
        goal=GoalUse(use="recorded"),
        max_steps=_MAX_STEPS,
    )
    return EpisodeSpec(
        task=task,
        app=recording.app,
        goal=Goal(id="recorded", condition=AnswerIs(answer=AnswerSpec(matches="^"))),
        rules=(),
        interruptions={},
        agent=PERSON,
        condition=CLEAN,
        seed=repetition_seed(plan, 0),
        suite_hash=_HASH,
        seconds=_SECONDS,
        decision_seconds=_SECONDS,
        end=EndCriterion.DONE,
    )
