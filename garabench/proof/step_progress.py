"""Report the progress of a proof by step, which takes minutes on a phone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from garabench.core.app_state import AppEffects
from garabench.core.evaluate import Facts
from garabench.core.steps import DeviceStep, SolutionStep
from garabench.proof.batching import ExitEpisode, ExitTrial, batch_trials, exit_trials
from garabench.proof.exit_checks import ExitPerformer, OnDecision
from garabench.proof.findings import Variant
from garabench.proof.path_performer import SOLUTION, PathPerformer
from garabench.suite.suite import Suite, SuiteTask


@dataclass(frozen=True, slots=True)
class ProofStep:
    """What a proof is about to do.

    Attributes:
        task: Id of the task.
        path: Number of the path, from 1: a solution, an alternative, a near miss, or an interrupted episode.
        paths: The expected number of paths; failures can add some.
        step: Number of the step within the path; 0 for the reset before it.
        description: A description of the step; of the path before its first step.
    """

    task: str
    path: int
    paths: int
    step: int
    description: str


OnStep = Callable[[ProofStep], None]
"""Receives each step before it is performed."""


def expected_paths(item: SuiteTask, suite: Suite, *, variants: int, exits: bool) -> int:
    """Return how many paths the proof of a task has if everything is proven at once.

    Args:
        item: The task.
        suite: The suite that contains it.
        variants: Number of phones on which the solution is performed.
        exits: Whether interruptions are performed.
    """
    solutions = variants * (2 if item.task.setup else 1)
    episodes = 0
    if exits:
        trials = exit_trials(item, suite)
        batches = batch_trials(trials)
        together = {trial.subject for batch in batches for trial in batch}
        episodes = len(batches) + sum(trial.subject not in together for trial in trials)
    variations = (*item.task.alternatives, *item.task.near_misses)
    return solutions + sum(bool(path.steps) for path in variations) + episodes


class StepReporter:
    """Counts the paths and steps of one task's proof."""

    def __init__(self, task: str, paths: int, on_step: OnStep) -> None:
        """Start before the first path.

        Args:
            task: Id of the task.
            paths: The expected number of paths.
            on_step: Receives the steps.
        """
        self._task = task
        self._paths = paths
        self._on_step = on_step
        self._path = self._step = 0

    def path_begins(self, description: str) -> None:
        """Report that a path begins."""
        self._path += 1
        self._step = 0
        self._report(description)

    def step_begins(self, description: str) -> None:
        """Report that a step of the current path begins."""
        self._step += 1
        self._report(description)

    def _report(self, description: str) -> None:
        paths = max(self._paths, self._path)
        self._on_step(ProofStep(self._task, self._path, paths, self._step, description))


class ReportingPerformer:
    """A performer that reports each step; implements `PathPerformer`."""

    def __init__(self, performer: PathPerformer, reporter: StepReporter, variant: str = "") -> None:
        """Wrap a performer.

        Args:
            performer: The performer.
            reporter: Counts the steps.
            variant: Description of the phone; empty if there is only one.
        """
        self._performer = performer
        self._reporter = reporter
        self._where = f" on {variant}" if variant else ""

    def begin(self, app: str, setup: Sequence[DeviceStep], path: str = SOLUTION) -> None:
        """Reset the device; see `PathPerformer`."""
        self._reporter.path_begins(f"{path}{self._where}")
        self._performer.begin(app, setup, path)

    def facts(self, answer: str | None) -> Facts:
        """Return the facts; see `PathPerformer`."""
        return self._performer.facts(answer)

    def perform(self, step: SolutionStep) -> str:
        """Perform a step; see `PathPerformer`."""
        self._reporter.step_begins(summarize_step(step))
        return self._performer.perform(step)

    def height_dp(self) -> int | None:
        """Return the height of the screen; see `PathPerformer`."""
        return self._performer.height_dp()

    def effects(self) -> tuple[AppEffects, ...]:
        """Return what the path changed; see `PathPerformer`."""
        return self._performer.effects()

    def save_evidence(self, name: str) -> str:
        """Save the current screen; see `PathPerformer`."""
        return self._performer.save_evidence(name)


class ReportingExitPerformer:
    """A performer that reports each interrupted episode; implements `ExitPerformer`."""

    def __init__(self, performer: ExitPerformer, reporter: StepReporter) -> None:
        """Wrap a performer.

        Args:
            performer: The performer.
            reporter: Counts the steps.
        """
        self._performer = performer
        self._reporter = reporter

    def run_exits(
        self,
        item: SuiteTask,
        suite: Suite,
        trials: Sequence[ExitTrial],
        on_decision: OnDecision = lambda decision: None,
    ) -> ExitEpisode:
        """Perform an episode; see `ExitPerformer`."""
        self._reporter.path_begins("interruptions: " + "; ".join(trial.subject for trial in trials))

        def report(decision: str) -> None:
            on_decision(decision)
            self._reporter.step_begins(decision)

        return self._performer.run_exits(item, suite, trials, report)

    def save_evidence(self, name: str) -> str:
        """Save the current screen; see `ExitPerformer`."""
        return self._performer.save_evidence(name)


def reporting_performers(
    item: SuiteTask,
    suite: Suite,
    performers: Sequence[tuple[Variant, PathPerformer]],
    exit_performer: ExitPerformer | None,
    on_step: OnStep,
) -> tuple[list[tuple[Variant, PathPerformer]], ExitPerformer | None]:
    """Return the performers of a task's proof, wrapped so that they report each step."""
    paths = expected_paths(item, suite, variants=len(performers), exits=exit_performer is not None)
    reporter = StepReporter(item.task.id, paths, on_step)
    several = len(performers) > 1
    wrapped: list[tuple[Variant, PathPerformer]] = [
        (variant, ReportingPerformer(performer, reporter, str(variant) if several else ""))
        for variant, performer in performers
    ]
    return wrapped, None if exit_performer is None else ReportingExitPerformer(exit_performer, reporter)


def summarize_step(step: SolutionStep) -> str:
    """Describe a step in a few words: ``tap id=like``."""
    kind, value = next(iter(step))
    if value is None:
        return kind
    return f"{kind} {value.describe() if hasattr(value, 'describe') else value}"
