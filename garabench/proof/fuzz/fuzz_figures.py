"""The figures of fuzzed walks by app, and the file in which a suite records them.

``garabench tasks fuzz --write-figures`` writes ``tasks/fuzz_figures.json``, from which the suite's page takes
its section.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from garabench.core.yaml_text import flow
from garabench.errors import InputError
from garabench.proof.fuzz.accepted_findings import AcceptedFinding, covering, step_data
from garabench.proof.fuzz.walk import Elsewhere, FuzzedTask, Insertion, WalkVerdict
from garabench.suite.suite import SuiteTask

FILE = Path("tasks/fuzz_figures.json")
"""The recorded figures, within a suite."""
UNDECIDED = (WalkVerdict.BLOCKED, WalkVerdict.UNKNOWN, WalkVerdict.REFUSED_ELSEWHERE)
"""Verdicts on walks of which it is unknown whether the goal was right."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FuzzFigures(_Value):
    """The figures of some tasks.

    Attributes:
        tasks: Number of tasks.
        verdicts: Number of walks by verdict.
        known: Number of decided walks with other tasks and otherwise harmless actions, whose changes are
            therefore known: those of all their tasks.
        exact: How many of these changed exactly that.
        harmless: Number of decided walks with harmless actions only.
        unchanged: How many of these changed exactly what their task asks for.
        asked: The kinds of changes that the tasks ask for, such as ``added like``.
        tried: Those of them that occurred in a walk without being asked for.
        elsewhere: Number of walks that are refused elsewhere, by the reason.
        findings: Number of different findings.
        accepted: How many of these are accepted.
    """

    tasks: int
    verdicts: dict[WalkVerdict, int]
    known: int
    exact: int
    harmless: int
    unchanged: int
    asked: tuple[str, ...] = ()
    tried: tuple[str, ...] = ()
    elsewhere: dict[Elsewhere, int] = {}
    findings: int
    accepted: int

    @property
    def walks(self) -> int:
        """Number of walks."""
        return sum(self.verdicts.values())

    def count(self, *verdicts: WalkVerdict) -> int:
        """Return the number of walks with these verdicts."""
        return sum(self.verdicts.get(each, 0) for each in verdicts)


class StateCost(_Value):
    """What reading an app's state costs.

    Attributes:
        milliseconds: Median time of a reading over adb.
        both_milliseconds: Median time of reading it with the system's settings and the installed apps, by one
            command, as an episode does.
        processor_milliseconds: Processor time of a reading, in the runner and in the phone.
        both_processor_milliseconds: The same of reading it with the system's.
        episode_processor_seconds: Processor time of an episode of the reference agent, which needs none to
            decide.
    """

    milliseconds: float
    both_milliseconds: float
    processor_milliseconds: float
    both_processor_milliseconds: float
    episode_processor_seconds: float

    @property
    def app_share(self) -> float:
        """Share of the readings of the app's state, before and after the episode, in its processor time."""
        return self._of_episode(self.processor_milliseconds)

    @property
    def share(self) -> float:
        """Share of all readings before and after the episode in its processor time."""
        return self._of_episode(self.both_processor_milliseconds)

    def _of_episode(self, milliseconds: float) -> float:
        return 2 * milliseconds / 1000 / max(self.episode_processor_seconds, 1e-9)


class RefusedElsewhere(_Value):
    """A walk that is refused with exactly the expected changes, and why.

    Attributes:
        task: The task.
        walk: Its number among the task's walks.
        reason: Why it is rightly refused.
        actions: Its acting actions, with the elements they act on.
        differences: How its last page differs from that of the correct path.
    """

    task: str
    walk: int
    reason: Elsewhere
    actions: tuple[str, ...]
    differences: tuple[str, ...]


class FuzzReport(_Value):
    """The recorded figures of a suite.

    Attributes:
        walks: Number of walks per task.
        seed: Seed of the walks.
        apps: The figures by app.
        refused: The walks that are refused elsewhere.
        states: The cost of reading the state, by app.
    """

    walks: int
    seed: int
    apps: dict[str, FuzzFigures]
    refused: tuple[RefusedElsewhere, ...] = ()
    states: dict[str, StateCost] = {}


def fuzz_figures(
    fuzzed: Sequence[FuzzedTask],
    accepted: Sequence[AcceptedFinding] = (),
    items: Iterable[SuiteTask] = (),
) -> FuzzFigures:
    """Return the figures of some tasks.

    Args:
        fuzzed: Their results.
        accepted: The accepted findings.
        items: The tasks, for the kinds of changes that they ask for.
    """
    walks = [walk for each in fuzzed for walk in each.walks]
    predicted = [each.predicted for each in walks if each.predicted is not None]
    harmless = [each.exact for each in walks if each.walk.harmless and each.exact is not None]
    findings = [finding for each in fuzzed for finding in each.findings]
    expected = [change for item in items for variant in item.effects.variants or () for change in variant]
    asked = {change.name for change in expected}
    return FuzzFigures(
        tasks=len(fuzzed),
        verdicts=dict(Counter(each.verdict for each in walks)),
        known=len(predicted),
        exact=sum(predicted),
        harmless=len(harmless),
        unchanged=sum(harmless),
        asked=tuple(sorted(asked)),
        tried=tuple(sorted(asked & {change.name for walk in walks for change in walk.unasked})),
        elsewhere=dict(Counter(each.elsewhere for each in walks if each.elsewhere is not None)),
        findings=len(findings),
        accepted=sum(covering(finding, accepted) is not None for finding in findings),
    )


def refused_elsewhere(fuzzed: Sequence[FuzzedTask]) -> tuple[RefusedElsewhere, ...]:
    """Return the walks that are refused with exactly the expected changes, in order."""
    return tuple(
        RefusedElsewhere(
            task=each.task,
            walk=walk.number,
            reason=walk.elsewhere,
            actions=tuple(_action(insertion) for insertion in walk.walk.inserted if not insertion.harmless),
            differences=walk.differences,
        )
        for each in fuzzed
        for walk in each.walks
        if walk.elsewhere is not None
    )


def _action(insertion: Insertion) -> str:
    """Return an inserted action in words: its kind, and its first step or its task."""
    if insertion.task is not None:
        return f"{insertion.kind.value} {insertion.task}"
    return f"{insertion.kind.value} {flow(step_data(insertion.steps[0])) if insertion.steps else ''}".strip()


def total(figures: Mapping[str, FuzzFigures]) -> FuzzFigures:
    """Return the sums over all apps."""
    verdicts: Counter[WalkVerdict] = Counter()
    elsewhere: Counter[Elsewhere] = Counter()
    for each in figures.values():
        verdicts.update(each.verdicts)
        elsewhere.update(each.elsewhere)
    every = figures.values()
    return FuzzFigures(
        tasks=sum(each.tasks for each in every),
        verdicts=dict(verdicts),
        known=sum(each.known for each in every),
        exact=sum(each.exact for each in every),
        harmless=sum(each.harmless for each in every),
        unchanged=sum(each.unchanged for each in every),
        asked=tuple(f"{group}: {name}" for group, each in figures.items() for name in each.asked),
        tried=tuple(f"{group}: {name}" for group, each in figures.items() for name in each.tried),
        elsewhere=dict(elsewhere),
        findings=sum(each.findings for each in every),
        accepted=sum(each.accepted for each in every),
    )


def read_report(root: Path) -> FuzzReport | None:
    """Read the recorded figures of a suite; None if there are none.

    Raises:
        InputError: The file is malformed.
    """
    path = root / FILE
    if not path.is_file():
        return None
    try:
        return FuzzReport.model_validate_json(path.read_bytes())
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"]))
        hint = "Write it anew: garabench tasks fuzz --write-figures"
        raise InputError(f"{path}: {where}: {first['msg']}", hint=hint) from error
