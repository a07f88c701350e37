"""The accepted findings of a suite: walks that a reader has reviewed, each with the reason.

They are in ``tasks/fuzz_accepted.yaml``. An entry covers one finding: of its task and path, with its verdict,
kinds of actions, kinds of changes and trace. Its walk is performed again whenever its task is fuzzed, so an
entry that is no longer a finding is noticed.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path

from pydantic import BaseModel, ConfigDict, Field

from garabench.core.identifiers import KebabId
from garabench.core.suggestions import did_you_mean
from garabench.core.yaml_text import flow
from garabench.core.yamlmodel import load_model
from garabench.errors import CombinedInputError, InputError
from garabench.proof.fuzz.walk import FuzzFinding, FuzzWalk, Insertion, WalkVerdict, kinds_of
from garabench.suite.files import FUZZ_ACCEPTED

_MIN_REASON = 10
_HEADER = """# Findings of `garabench tasks fuzz` that a reader has accepted, each with the reason.
# `garabench tasks fuzz --accept FINDING --reason TEXT` adds one.
# An entry whose walk is not decided wrongly any more is an error.
accepted:
"""


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class AcceptedFinding(_Value):
    """An accepted finding.

    Attributes:
        task: The task.
        verdict: What became of its walk.
        changes: The kinds of its unasked changes: ``added like``.
        trace: Texts on its last page that name these changes.
        reason: Why it is accepted.
        path: Name of the alternative that it walks along; empty for the solution.
        inserted: The inserted actions.
    """

    task: KebabId
    verdict: WalkVerdict
    changes: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()
    reason: str = Field(min_length=_MIN_REASON)
    path: str = ""
    inserted: tuple[Insertion, ...] = Field(min_length=1)

    @property
    def walk(self) -> FuzzWalk:
        """Its walk."""
        return FuzzWalk(task=self.task, path=self.path, inserted=self.inserted)

    def covers(self, finding: FuzzFinding) -> bool:
        """Return whether a finding is the accepted one."""
        return _sort(self) == _sort_of(finding)


class AcceptedFindings(_Value):
    """The file of accepted findings.

    Attributes:
        accepted: The entries.
    """

    accepted: tuple[AcceptedFinding, ...] = ()


def read_accepted(root: Path, tasks: Collection[str]) -> tuple[AcceptedFinding, ...]:
    """Read the accepted findings of a suite; none if there is no file.

    Args:
        root: The suite's folder.
        tasks: The ids of its tasks.

    Raises:
        CombinedInputError: The mistakes in the file: unknown tasks, duplicates, malformed entries.
    """
    path = root / FUZZ_ACCEPTED
    if not path.is_file():
        return ()
    made, doc = load_model(path.read_text(encoding="utf-8"), str(path), AcceptedFindings)
    errors: list[InputError] = []
    for place, entry in enumerate(made.accepted):
        if entry.task not in tasks:
            hint = did_you_mean(entry.task, tasks)
            errors.append(doc.error(("accepted", place, "task"), f"unknown task {entry.task!r}", hint=hint))
        if not entry.verdict.finding:
            at = ("accepted", place, "verdict")
            errors.append(doc.error(at, f"{entry.verdict.value} is not a finding"))
        if any(_sort(entry) == _sort(other) for other in made.accepted[:place]):
            errors.append(doc.error(("accepted", place), "an earlier entry covers the same findings"))
    if errors:
        raise CombinedInputError(tuple(errors))
    return made.accepted


def covering(finding: FuzzFinding, accepted: Sequence[AcceptedFinding]) -> AcceptedFinding | None:
    """Return the entry that covers a finding, or None."""
    return next((entry for entry in accepted if entry.covers(finding)), None)


def with_accepted(text: str, finding: FuzzFinding, reason: str) -> str:
    """Return the file's text with an entry for a finding.

    Args:
        text: The present text; empty for a new file.
        finding: The finding.
        reason: Why it is accepted.

    Raises:
        InputError: The reason is too short.
    """
    if len(reason.strip()) < _MIN_REASON:
        raise InputError("the reason is too short", hint="Say why the goal is right, in a sentence.")
    walk = finding.result.walk
    lines = [
        f"  - task: {finding.task}",
        f"    verdict: {finding.result.verdict.value}",
        *([f"    changes: {flow(list(finding.changes))}"] if finding.changes else []),
        *([f"    trace: {flow(list(finding.result.trace))}"] if finding.result.trace else []),
        f"    reason: {flow(reason.strip())}",
        *([f"    path: {walk.path}"] if walk.path else []),
        "    inserted:",
        *(f"      - {flow(insertion_data(each))}" for each in walk.inserted),
    ]
    return (text.rstrip("\n") + "\n" if text else _HEADER) + "\n".join(lines) + "\n"


def insertion_data(insertion: Insertion) -> dict[str, object]:
    """Return an inserted action as it is written in YAML."""
    data = {"before": insertion.before, "kind": insertion.kind.value}
    task = {} if insertion.task is None else {"task": insertion.task}
    steps = [step_data(step) for step in insertion.steps]
    return {**data, **task, **({"steps": steps} if steps else {})}


def step_data(step: BaseModel) -> object:
    """Return a step as it is written in YAML: ``back``, or a mapping with one key."""
    data = step.model_dump(mode="json", by_alias=True, exclude_defaults=True)
    return data or str(next(iter(type(step).model_fields.keys())))


def _sort(entry: AcceptedFinding) -> tuple[object, ...]:
    return (
        entry.task,
        entry.path,
        entry.verdict,
        kinds_of(entry.inserted),
        tuple(sorted(entry.changes)),
        tuple(sorted(entry.trace)),
    )


def _sort_of(finding: FuzzFinding) -> tuple[object, ...]:
    result = finding.result
    return (
        finding.task,
        result.walk.path,
        result.verdict,
        kinds_of(result.walk.inserted),
        finding.changes,
        tuple(sorted(result.trace)),
    )
