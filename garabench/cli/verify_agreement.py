"""``garabench verify agreement``."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import click

from garabench.cli.command_classes import Command
from garabench.cli.error_exits import report_errors
from garabench.cli.tables import render
from garabench.cli.verdict_tables import agreement_measures, interval_cell
from garabench.errors import InputError
from garabench.verifier.agreement import DRAWS, Agreement, agreement_data
from garabench.verifier.label_agreement import (
    AnnotatorAgreement,
    annotator_agreement,
    annotator_confusion,
    judge_agreement,
    pooled,
)
from garabench.verifier.label_files import LabelSet, read_labels
from garabench.verifier.verification import run_outcomes

_FILE = click.Path(path_type=Path, dir_okay=False, exists=True)
_COLUMNS = ("measure", "value", "95%")
_MOST_GROUPS = 30


@click.command(cls=Command)
@click.argument("labels", metavar="LABELS...", type=_FILE, nargs=-1, required=True)
@click.option(
    "--trajectories",
    type=_FILE,
    metavar="FILE",
    help="Read the verifier's labels from FILE, CUAVerifierBench's table of trajectories.",
)
@click.option(
    "--run",
    "run_folders",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    metavar="RUN",
    multiple=True,
    help="Compare LABELS with the verdicts on RUN and with its goals; once for each LABELS.",
)
@click.option("--judge", metavar="NAME", help="Use the verdicts of this judge on RUN.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@report_errors
def agreement(
    labels: tuple[Path, ...],
    trajectories: Path | None,
    run_folders: tuple[Path, ...],
    judge: str | None,
    as_json: bool,
) -> None:
    """Measure how people agree with each other and with a judge.

    LABELS are label files of AgentRewardBench, CUAVerifierBench or GaraBench, as CSV, JSON Lines, JSON or
    Parquet.

    \b
    Example:
        garabench verify agreement annotations.csv
    """
    if (not run_folders) != (judge is None):
        raise InputError("--run and --judge belong together")
    if run_folders and len(run_folders) != len(labels):
        raise InputError(f"--run is given {len(run_folders)} times, for {len(labels)} label files")
    if trajectories is not None and (run_folders or len(labels) > 1):
        raise InputError("--trajectories needs exactly one LABELS and cannot be combined with --run")
    parts_of_judge = [read_labels(each, trajectories) for each in labels]
    parts_of_goals: list[LabelSet] = []
    if judge is not None:
        outcomes = [run_outcomes(folder, judge) for folder in run_folders]
        pairs = list(zip(parts_of_judge, outcomes, strict=True))
        parts_of_goals = [LabelSet(part.labels, goals) for part, (_, goals) in pairs]
        parts_of_judge = [LabelSet(part.labels, judged) for part, (judged, _) in pairs]
    found = pooled(parts_of_judge)
    annotators = annotator_agreement(found, draws=DRAWS)
    confusion = annotator_confusion(found)
    judged, goals = found.judged_outcome, pooled(parts_of_goals).judged_outcome if parts_of_goals else {}
    compared = judge_agreement(found, judged, draws=DRAWS) if judged else None
    by_goals = judge_agreement(found, goals, draws=DRAWS) if goals else None
    if as_json:
        data: dict[str, Any] = {
            "labels": len(found.labels),
            "annotators": {
                **asdict(annotators),
                "share": annotators.share,
                "confusion": [
                    {"first": _label(first), "second": _label(second), "pairs": pairs}
                    for (first, second), pairs in confusion.items()
                ],
            },
        }
        if compared is not None:
            data["blind"] = agreement_data(compared.blind)
            data["informed"] = None if compared.informed is None else agreement_data(compared.informed)
            data["flips"] = None if compared.flips is None else asdict(compared.flips)
            data["groups"] = {name: agreement_data(each) for name, each in compared.groups.items()}
        if by_goals is not None:
            data["goals"] = agreement_data(by_goals.blind)
        click.echo(json.dumps(data, ensure_ascii=False, indent=2))
        return
    parts = ["No trajectory has labels of two annotators."]
    if annotators.pairs:
        parts = [_annotators(annotators), _confusion(confusion)]
    if compared is not None:
        rows = agreement_measures(compared.blind)
        parts.append(render("Judge against blind labels", _COLUMNS, rows, []))
        if len(compared.groups) > 1:
            parts.append(_groups(compared.groups))
        if compared.informed is not None:
            rows = agreement_measures(compared.informed)
            parts.append(render("Judge against informed labels", _COLUMNS, rows, []))
        if compared.flips is not None:
            flips = compared.flips
            parts.append(
                f"{flips.to_judge + flips.from_judge} of {flips.labels} labels changed after the annotator"
                f" saw the judge's: {flips.to_judge} to it, {flips.from_judge} away from it"
            )
    if by_goals is not None:
        parts.append(render("Goals against blind labels", _COLUMNS, agreement_measures(by_goals.blind), []))
    click.echo("\n\n".join(parts))


def _label(outcome: bool | None) -> str:
    return "unsure" if outcome is None else "success" if outcome else "failure"


def _confusion(found: Mapping[tuple[bool | None, bool | None], int]) -> str:
    labels = (True, False, None)
    rows = [(_label(first), *(str(found.get((first, second), 0)) for second in labels)) for first in labels]
    return render("First annotator against second, by label", ("first", *map(_label, labels)), rows, [])


def _groups(groups: Mapping[str, Agreement]) -> str:
    rows = [
        (
            name or "–",
            str(each.confusion.true_positive),
            str(each.confusion.false_positive),
            str(each.confusion.false_negative),
            str(each.confusion.true_negative),
        )
        for name, each in list(groups.items())[:_MOST_GROUPS]
    ]
    left_out = len(groups) - len(rows)
    return render(
        "Judge against blind labels, by group",
        ("group", "TP", "FP", "FN", "TN"),
        rows,
        [f"{left_out} more groups: --json has all"] if left_out else [],
    )


def _annotators(found: AnnotatorAgreement) -> str:
    def number(value: float | None) -> str:
        return "–" if value is None else f"{value:.4f}"

    return render(
        "Annotators of the same trajectory",
        ("trajectories", "pairs", "equal", "agreement", "Cohen's kappa", "95%", "Krippendorff's alpha"),
        [
            (
                str(found.trajectories),
                str(found.pairs),
                str(found.equal),
                number(found.share),
                number(found.kappa),
                interval_cell(found.kappa_interval),
                number(found.alpha),
            )
        ],
        ["unsure is a separate label"],
    )
