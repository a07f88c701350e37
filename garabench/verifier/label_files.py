"""Read label files: those of AgentRewardBench, CUAVerifierBench, and GaraBench's own export.

AgentRewardBench's ``annotations.csv`` has a row for each annotator and trajectory, identified by benchmark,
task and model. CUAVerifierBench has two tables: trajectories with the verifier's labels, and annotations with
blind labels, and whether the annotator agreed with the verifier after seeing it. Tables are read as CSV, JSON
Lines, a JSON list or Parquet, which needs ``garabench[export]``.
"""

from __future__ import annotations

import csv
import enum
import io
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from garabench.core.file_errors import unreadable
from garabench.errors import InputError
from garabench.verifier.rubric import PROCESS_THRESHOLD

_SUCCESS = {
    "successful": True,
    "success": True,
    "correct": True,
    "yes": True,
    "true": True,
    "1": True,
    "unsuccessful": False,
    "failure": False,
    "incorrect": False,
    "no": False,
    "false": False,
    "0": False,
}
_UNKNOWN = {"", "unsure", "unknown", "n/a", "na", "none", "null", "nan", "partial", "partially correct"}
_AGREE = {
    "agree": True,
    "yes": True,
    "true": True,
    "1": True,
    "disagree": False,
    "no": False,
    "false": False,
    "0": False,
}
_PARQUET_COLUMNS = frozenset(
    {
        *("task_id", "annotator", "outcome_comment"),
        *("human_judgement_outcome", "human_judgement_process", "human_process_score"),
        *("informed_outcome_agreement", "informed_process_agreement"),
        *("uv_outcome_success", "uv_rubric_score"),
    }
)
"""The columns of CUAVerifierBench's tables, which are published as Parquet, that are read."""


class LabelFormat(enum.StrEnum):
    """The format of a label file."""

    AGENT_REWARD_BENCH = "agent-reward-bench"
    CUA_VERIFIER_BENCH = "cua-verifier-bench"
    GARABENCH = "garabench"


@dataclass(frozen=True, slots=True)
class HumanLabel:
    """One annotator's label of one trajectory.

    Attributes:
        trajectory: What identifies the trajectory.
        annotator: Name of the annotator.
        outcome: The outcome; None if the annotator was unsure.
        process: The process; None if it was not labelled.
        process_score: The process score, 0 to 1; None if it was not given.
        informed_outcome, informed_process: The labels after the annotator saw the verifier's; None without.
        side_effect, looping: Whether there were side effects, and whether the agent went in circles.
        group: The benchmark or the app.
        comment: The annotator's comment.
        informed_comment: The annotator's comment on what the verifier found.
    """

    trajectory: str
    annotator: str
    outcome: bool | None = None
    process: bool | None = None
    process_score: float | None = None
    informed_outcome: bool | None = None
    informed_process: bool | None = None
    side_effect: bool | None = None
    looping: bool | None = None
    group: str = ""
    comment: str = ""
    informed_comment: str = ""


@dataclass(frozen=True, slots=True)
class LabelSet:
    """The labels of a file, and the verifier's labels if the file has them.

    Attributes:
        labels: The labels.
        judged_outcome, judged_process_score: The verifier's labels by trajectory.
    """

    labels: tuple[HumanLabel, ...]
    judged_outcome: Mapping[str, bool] = field(default_factory=dict)
    judged_process_score: Mapping[str, float] = field(default_factory=dict)

    def by_trajectory(self) -> dict[str, list[HumanLabel]]:
        """Return the labels of each trajectory, in the order of the file."""
        found: dict[str, list[HumanLabel]] = {}
        for label in sorted(self.labels, key=lambda each: each.trajectory):
            found.setdefault(label.trajectory, []).append(label)
        return found


def read_labels(file: Path, trajectories: Path | None = None) -> LabelSet:
    """Read a label file; its format is recognized by its columns.

    Args:
        file: The labels.
        trajectories: CUAVerifierBench's table of trajectories, with the verifier's labels; None without it.

    Raises:
        InputError: A file cannot be read, or a row is malformed.
    """
    rows = read_rows(file)
    columns = set(rows[0]) if rows else set()
    if "trajectory_success" in columns:
        return LabelSet(tuple(_agent_reward_bench(rows, file)))
    if "human_judgement_outcome" in columns:
        judged = read_rows(trajectories) if trajectories is not None else []
        return _cua_verifier_bench(rows, judged, file)
    if {"trajectory", "annotator"} <= columns:
        return LabelSet(tuple(_own(rows, file)))
    raise InputError(
        f"{file} is not a label file: no column trajectory_success, human_judgement_outcome or trajectory"
    )


def read_rows(file: Path) -> list[dict[str, Any]]:
    """Read a table: CSV, JSON Lines, a JSON list of objects, or Parquet.

    Args:
        file: The file.

    Raises:
        InputError: It cannot be read or is malformed, or Parquet needs a package that is not installed.
    """
    if file.suffix == ".parquet":
        return _parquet_rows(file)
    try:
        text = file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        raise unreadable(file, error) from error
    try:
        if file.suffix == ".csv":
            return [dict(row) for row in csv.DictReader(io.StringIO(text), strict=True)]
        rows = json.loads(text) if text.lstrip().startswith("[") else _json_lines(text, file)
    except (ValueError, csv.Error) as error:
        raise InputError(f"{file} is malformed: {error}") from error
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InputError(f"{file} is not a table of objects")
    return rows


def _json_lines(text: str, file: Path) -> list[Any]:
    """Read JSON Lines; an error names the line of the file, which the parser of one line does not know."""
    rows = []
    # Only line feeds end a line here: a text may have other separators, such as U+2028, inside.
    for number, line in enumerate(text.split("\n"), start=1):
        if not line.strip():
            continue
        try:
            rows.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise InputError(f"{file}:{number}:{error.colno}: malformed JSON: {error.msg}") from error
    return rows


def _parquet_rows(file: Path) -> list[dict[str, Any]]:
    """Read the columns of a Parquet file that labels need: trajectories also have every screenshot."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise InputError(
            f"{file}: Parquet needs the package pyarrow", hint="Install it: pip install 'garabench[export]'"
        ) from None
    try:
        with pyarrow.parquet.ParquetFile(file) as table:
            columns = [name for name in table.schema_arrow.names if name in _PARQUET_COLUMNS]
            rows: list[dict[str, Any]] = table.read(columns=columns).to_pylist()
    except (OSError, pyarrow.ArrowException) as error:
        raise unreadable(file, error) from error
    return rows


def _agent_reward_bench(rows: Iterable[Mapping[str, Any]], file: Path) -> Iterator[HumanLabel]:
    for number, row in enumerate(rows, start=1):
        where = f"{file}, row {number}"
        names = [_text(row, name, where) for name in ("benchmark", "task_id", "model_name")]
        yield HumanLabel(
            trajectory="/".join(names),
            annotator=_text(row, "annotator_name", where),
            outcome=_label(row.get("trajectory_success"), _SUCCESS, where),
            side_effect=_label(row.get("trajectory_side_effect"), _SUCCESS, where),
            looping=_label(row.get("trajectory_looping"), _SUCCESS, where),
            group=names[0],
        )


def _cua_verifier_bench(
    rows: Iterable[Mapping[str, Any]], trajectories: Iterable[Mapping[str, Any]], file: Path
) -> LabelSet:
    outcomes: dict[str, bool] = {}
    scores: dict[str, float] = {}
    for row in trajectories:
        name = _text(row, "task_id", str(file))
        outcome = _label(row.get("uv_outcome_success"), _SUCCESS, name)
        if outcome is not None:
            outcomes[name] = outcome
        score = _number(row.get("uv_rubric_score"), name)
        if score is not None:
            scores[name] = score
    labels = []
    for number, row in enumerate(rows, start=1):
        where = f"{file}, row {number}"
        name = _text(row, "task_id", where)
        agrees = _label(row.get("informed_outcome_agreement"), _AGREE, where)
        agrees_process = _label(row.get("informed_process_agreement"), _AGREE, where)
        judged_process = scores[name] >= PROCESS_THRESHOLD if name in scores else None
        labels.append(
            HumanLabel(
                trajectory=name,
                annotator=_text(row, "annotator", where),
                outcome=_label(row.get("human_judgement_outcome"), _SUCCESS, where),
                process=_label(row.get("human_judgement_process"), _SUCCESS, where),
                process_score=_number(row.get("human_process_score"), where),
                informed_outcome=_informed(outcomes.get(name), agrees),
                informed_process=_informed(judged_process, agrees_process),
                group=str(row.get("split") or ""),
                comment=str(row.get("outcome_comment") or ""),
            )
        )
    return LabelSet(tuple(labels), outcomes, scores)


def _informed(judged: bool | None, agrees: bool | None) -> bool | None:
    """Return an informed label: the verifier's if the annotator agrees with it, else the other one."""
    return None if judged is None or agrees is None else judged is agrees


def _own(rows: Iterable[Mapping[str, Any]], file: Path) -> Iterator[HumanLabel]:
    for number, row in enumerate(rows, start=1):
        where = f"{file}, row {number}"
        yield HumanLabel(
            trajectory=_text(row, "trajectory", where),
            annotator=_text(row, "annotator", where),
            outcome=_label(row.get("outcome"), _SUCCESS, where),
            process=_label(row.get("process"), _SUCCESS, where),
            process_score=_number(row.get("process_score"), where),
            informed_outcome=_label(row.get("informed_outcome"), _SUCCESS, where),
            informed_process=_label(row.get("informed_process"), _SUCCESS, where),
            group=str(row.get("group") or ""),
            comment=str(row.get("comment") or ""),
            informed_comment=str(row.get("informed_comment") or ""),
        )


def _text(row: Mapping[str, Any], name: str, where: str) -> str:
    value = row.get(name)
    if value is None or not str(value).strip():
        raise InputError(f"{where}: {name} is missing")
    return str(value).strip()


def _label(value: object, words: Mapping[str, bool], where: str) -> bool | None:
    text = str(int(value) if isinstance(value, bool) else "" if value is None else value).strip().casefold()
    text = text.removesuffix(".0")  # a table with empty cells has its whole numbers as 1.0 and 0.0
    if text in _UNKNOWN:
        return None
    if text not in words:
        raise InputError(f"{where}: unknown label {value!r}")
    return words[text]


def _number(value: object, where: str) -> float | None:
    if value is None or str(value).strip().casefold() in _UNKNOWN:
        return None
    try:
        number = float(str(value))
    except ValueError:
        raise InputError(f"{where}: {value!r} is not a number") from None
    if not 0 <= number <= 1:
        raise InputError(f"{where}: the process score {number:g} is not from 0 to 1")
    return number
