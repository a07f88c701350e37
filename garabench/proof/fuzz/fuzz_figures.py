"""The figures of fuzzed walks by app, and the file in which a suite records them.

``garabench tasks fuzz --write-figures`` writes ``tasks/fuzz_figures.json``, from which the suite's page takes
its section.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from garabench.errors import InputError
from garabench.proof.fuzz.accepted_findings import AcceptedFinding, covering
from garabench.proof.fuzz.walk import FuzzedTask, WalkVerdict

FILE = Path("tasks/fuzz_figures.json")
"""The recorded figures, within a suite."""
NOT_JUDGED = (WalkVerdict.BLOCKED, WalkVerdict.UNKNOWN, WalkVerdict.REFUSED_ELSEWHERE)
"""Verdicts on walks of which it is unknown whether the goal was right."""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class FuzzFigures(_Value):
    """The figures of some tasks.

    Attributes:
        tasks: Number of tasks.
        verdicts: Number of walks by verdict.
        known: Number of judged walks with harmless actions only, whose effects are therefore known.
        exact: How many of these changed exactly what their task asks for.
        findings: Number of different findings.
        accepted: How many of these are accepted.
    """

    tasks: int
    verdicts: dict[WalkVerdict, int]
    known: int
    exact: int
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
        system_milliseconds: Median time of reading the system's settings and the installed apps.
        processor_milliseconds: Processor time of a reading, in the runner and in the phone.
        system_processor_milliseconds: The same of reading the settings and the installed apps.
        episode_processor_seconds: Processor time of an episode of the reference agent, which needs none to
            decide.
    """

    milliseconds: float
    system_milliseconds: float
    processor_milliseconds: float
    system_processor_milliseconds: float
    episode_processor_seconds: float

    @property
    def app_share(self) -> float:
        """Share of the readings of the app's state, before and after the episode, in its processor time."""
        return self._of_episode(self.processor_milliseconds)

    @property
    def share(self) -> float:
        """Share of all readings before and after the episode in its processor time."""
        return self._of_episode(self.processor_milliseconds + self.system_processor_milliseconds)

    def _of_episode(self, milliseconds: float) -> float:
        return 2 * milliseconds / 1000 / max(self.episode_processor_seconds, 1e-9)


class FuzzReport(_Value):
    """The recorded figures of a suite.

    Attributes:
        walks: Number of walks per task.
        seed: Seed of the walks.
        apps: The figures by app.
        states: The cost of reading the state, by app.
    """

    walks: int
    seed: int
    apps: dict[str, FuzzFigures]
    states: dict[str, StateCost] = {}


def fuzz_figures(fuzzed: Sequence[FuzzedTask], accepted: Sequence[AcceptedFinding] = ()) -> FuzzFigures:
    """Return the figures of some tasks.

    Args:
        fuzzed: Their results.
        accepted: The accepted findings.
    """
    walks = [walk for each in fuzzed for walk in each.walks]
    known = [each.exact for each in walks if each.walk.harmless and each.exact is not None]
    findings = [finding for each in fuzzed for finding in each.findings]
    return FuzzFigures(
        tasks=len(fuzzed),
        verdicts=dict(Counter(each.verdict for each in walks)),
        known=len(known),
        exact=sum(known),
        findings=len(findings),
        accepted=sum(covering(finding, accepted) is not None for finding in findings),
    )


def total(figures: Mapping[str, FuzzFigures]) -> FuzzFigures:
    """Return the sums over all apps."""
    verdicts: Counter[WalkVerdict] = Counter()
    for each in figures.values():
        verdicts.update(each.verdicts)
    every = figures.values()
    return FuzzFigures(
        tasks=sum(each.tasks for each in every),
        verdicts=dict(verdicts),
        known=sum(each.known for each in every),
        exact=sum(each.exact for each in every),
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
