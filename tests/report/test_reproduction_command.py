from __future__ import annotations

import shlex
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from lxml import html

from garabench.agents.registry import resolve_lists
from garabench.campaign.planner import make_plan, parse_conditions
from garabench.cli.run import run as run_command
from garabench.records.plan import Plan
from garabench.records.reader import Run, load_run
from garabench.report.html_report import report_html
from garabench.report.report_input import read_input
from garabench.report.reproduction_command import reproduction_command
from garabench.suite.suite import Suite
from tests.report.written_runs import HOSTILE, write_run


@pytest.fixture(scope="module")
def suite() -> Suite:
    return Suite.load()


def run_of(folder: Path, plan: Plan, digest: str) -> Run:
    write_run(folder, [], **{name: getattr(plan, name) for name in Plan.model_fields})
    run = load_run(folder)
    return replace(run, file=run.file.model_copy(update={"suite_hash": digest}))


def plan_of(command: str, suite: Suite) -> Plan:
    """Return the plan of a run that begins with this command."""
    words = shlex.split(command)
    assert words[:2] == ["garabench", "run"]
    given = run_command.make_context("run", words[2:]).params
    return make_plan(
        suite.select(given["selector"]),
        [agent.named.text for agent in resolve_lists(given["agents"])],
        conditions=parse_conditions(given["conditions"]),
        **{
            name: given[name]
            for name in (
                *("seeds", "seed", "shuffle", "limit", "decision_seconds", "start_seconds"),
                *("interruptions", "end", "retries"),
            )
        },
    )


@pytest.mark.parametrize(
    ("selector", "options", "printed"),
    [
        ("all", {}, "--tasks all"),
        ("bilibili", {"seeds": 3, "seed": 7, "conditions": ("clean", "dual")}, "--tasks bilibili"),
        ("bilibili", {"limit": 5, "retries": 0}, "--retries 0"),
        ("bilibili", {"limit": 5, "shuffle": True, "seed": 3}, "--shuffle --limit 5"),
        ("all", {"shuffle": True, "seed": 3}, "--tasks all --shuffle"),
        ("infeasible", {"end": "done"}, "--tasks infeasible"),
        ("jd-answer-waybill,bili-like-song-live", {}, "--tasks bili-like-song-live,jd-answer-waybill"),
        ("all,-jd-*", {"interruptions": 2, "decision_seconds": 0.1234567}, "--interruptions 2"),
    ],
)
def test_the_command_repeats_the_plan(
    tmp_path: Path, suite: Suite, selector: str, options: dict[str, Any], printed: str
) -> None:
    plan = make_plan(suite.select(selector), ["dismiss", "a=process:python 'a, b.py'"], **options)
    command = reproduction_command(run_of(tmp_path / "run", plan, suite.digest))
    assert plan_of(command, suite) == plan
    assert printed in command
    assert "--suite builtin" in command


def test_a_command_is_never_shortened_but_hostile_texts_in_it_are(tmp_path: Path, suite: Suite) -> None:
    plan = make_plan(suite.select("all"), ["dismiss"])
    run_of(tmp_path / "run", plan, suite.digest)  # which the record does not have: each task is listed
    document = html.document_fromstring(report_html(read_input([tmp_path / "run"])))
    shown = str(document.xpath("string(//section[@id='reproduce']//pre)"))
    assert "--suite SUITE --tasks" in shown
    assert plan_of(shown.replace("SUITE", "builtin"), suite) == plan
    listed = str(document.xpath("string(//section[@id='versions'])"))
    assert all(name in listed for name in plan.tasks)
    hostile = Plan(tasks=("y" * 1_000_000,), agents=(HOSTILE + "x" * 1_000_000,))
    command = reproduction_command(run_of(tmp_path / "hostile", hostile, ""))
    assert len(command) < 6_000
    assert shlex.split(command)[-2:] == ["--out", "runs/repeated"]
