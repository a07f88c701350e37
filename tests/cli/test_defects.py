"""Defects on the command line: the list, and wrong input to their switches and proofs."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.virtual.defects.defect_table import defect_table


def test_the_list_has_every_defect_and_can_be_limited_to_an_app() -> None:
    listed = json.loads(CliRunner().invoke(main, ["phone", "defects", "--json"]).output)
    assert listed.keys() == defect_table().keys()
    row = listed["bili-like-flaky"]
    assert (row["kind"], row["impact"], row["on"]) == ("dead", "flaky", False)
    lines = CliRunner().invoke(main, ["phone", "defects", "--app", "bili"]).output.splitlines()
    assert 0 < len(lines) < len(listed)
    assert all("bili" in line for line in lines)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--app", "bilibilli"], "no app with defects contains 'bilibilli'"),
        (["--app", "bilis"], "Did you mean 'bili'?"),
        (["--app", ""], "Apps with defects: com."),
        (["--on", "bili-like-dea"], "Did you mean 'bili-like-dead'?"),
        (["--off", "bili-like-dea"], "unknown defect 'bili-like-dea'"),
        (["--on", "bili-like-dead:rate=0.5", "--off", "bili-like-dead"], "--on and --off both name"),
    ],
)
def test_wrong_names_are_refused_before_a_phone_is_asked(words: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["phone", "defects", "none-runs", *words])
    assert (result.exit_code, message in result.output) == (2, True), result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--defect", "bili-like-dea"], "unknown defect 'bili-like-dea'"),
        (["--defect", ","], "no defect is named"),
        (["--defect", "bili-like-dead", "--device", "emulator-5554"], "only virtual phones have defects"),
        (["--write", "x.yaml"], "--write needs --defect"),
    ],
)
def test_wrong_proofs_of_defects_are_refused(words: list[str], message: str) -> None:
    result = CliRunner().invoke(main, ["tasks", "prove", "bili-like-song-live", *words])
    assert result.exit_code == 2, result.output
    assert message in result.output


def test_a_defect_is_paired_with_tasks_of_its_app_only() -> None:
    result = CliRunner().invoke(main, ["tasks", "prove", "jd-*", "--defect", "bili-like-dead"])
    assert result.exit_code == 1, result.output
    assert "bili-like-dead: breaks none of these tasks as declared" in result.output
