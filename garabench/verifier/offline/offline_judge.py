"""The offline judge itself: reads the frames, and puts the verdict together."""

from __future__ import annotations

from collections import OrderedDict

from garabench.errors import InputError
from garabench.suite.suite import Suite
from garabench.verifier.frame_content import frame_tree
from garabench.verifier.offline.decision import decide_outcome
from garabench.verifier.offline.path_evidence import collect
from garabench.verifier.offline.screen_evidence import ScreenEvidence, read_evidence
from garabench.verifier.offline.task_rubric import TaskRubric, make_rubric
from garabench.verifier.offline.verdict_writing import write_verdict
from garabench.verifier.trajectory import Trajectory, TrajectoryFrame
from garabench.verifier.verdict import TrajectoryVerdict, VerdictState

NAME = "offline"
VERSION = "offline-3"
"""Version of the judge's rules."""
_CACHED_READINGS = 4000


class OfflineJudge:
    """Judges trajectories of a suite's tasks without a model."""

    def __init__(self, suite: Suite) -> None:
        """Prepare; nothing is read.

        Args:
            suite: The suite of the tasks.
        """
        self._tasks = suite.every_task
        self._rubrics: dict[tuple[str, str], TaskRubric] = {}
        self._readings: OrderedDict[tuple[str, str, str], ScreenEvidence] = OrderedDict()

    def __call__(self, trajectory: Trajectory) -> TrajectoryVerdict:
        """Judge a trajectory.

        Args:
            trajectory: The trajectory; one of a task that the suite lacks stays undecided.
        """
        if trajectory.task not in self._tasks:
            return TrajectoryVerdict(
                trajectory=trajectory.key,
                digest=trajectory.digest,
                instruction=trajectory.instruction,
                judge=NAME,
                judge_version=VERSION,
                state=VerdictState.UNDECIDED,
                outcome_reason="the suite does not have the task, so there is no typed goal to judge by",
            )
        rubric = self._rubric(trajectory)
        readings = tuple(self._reading(rubric, frame) for frame in trajectory.frames)
        evidence = collect(rubric, trajectory, readings)
        decision = decide_outcome(rubric, trajectory, readings, evidence)
        return write_verdict(NAME, VERSION, rubric, trajectory, readings, evidence, decision)

    def _rubric(self, trajectory: Trajectory) -> TaskRubric:
        key = trajectory.task, trajectory.instruction
        if key not in self._rubrics:
            self._rubrics[key] = make_rubric(self._tasks[trajectory.task], trajectory.instruction)
        return self._rubrics[key]

    def _reading(self, rubric: TaskRubric, frame: TrajectoryFrame) -> ScreenEvidence | None:
        """Return what a frame shows; None if its tree is missing or broken."""
        key = rubric.task, frame.tree_sha256, f"{frame.package}/{frame.activity}"
        if frame.tree_sha256 and key in self._readings:
            self._readings.move_to_end(key)
            return self._readings[key]
        try:
            tree = frame_tree(frame)
        except InputError:
            return None
        if tree is None:
            return None
        reading = read_evidence(rubric, tree, frame.package, frame.activity)
        if frame.tree_sha256:
            self._readings[key] = reading
            if len(self._readings) > _CACHED_READINGS:
                self._readings.popitem(last=False)
        return reading
