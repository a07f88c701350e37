"""`garabench compare`: which runs can be compared, and what the tables contain."""

from __future__ import annotations

import csv
import io
import json
import shutil
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from rich.cells import cell_len

from garabench.cli.comparison import comparison_tables
from garabench.cli.main import main
from garabench.cli.table_formats import WIDTH
from garabench.cli.tables import format_rate, format_share
from garabench.core.end_criterion import EndCriterion
from garabench.core.usage import Usage
from garabench.records.aftermath import AfterInterruption, RecoveredTo
from garabench.records.device_environment import DeviceKind, Environment
from garabench.records.plan import Plan
from garabench.records.results import InjectedInterruption, Summary
from garabench.records.run_file import repetition_seed
from garabench.records.run_layout import EpisodeKey
from garabench.records.run_writer import RunWriter
from garabench.stats.rates import Rate
from tests.small_suite import run_file


def episode(task: str, condition: str, outcome: str, **more: Any) -> Summary:
    reason = {"success": "goal_met", "failure": "false_done", "error": "fault"}[outcome]
    interrupted = condition != "clean"
    base = {
        "agent": "ignore",
        "seed": 1,
        "reason": reason,
        "steps": 6,
        "reference": True,
        "solution_steps": 4,
    }
    shown = {"injected": 1, "shown": 1, "exits": ("dismiss",), "recovery": (2,)} if interrupted else {}
    return Summary(**{**base, **shown, "task": task, "condition": condition, "outcome": outcome, **more})


EPISODES = [
    episode("a", "clean", "success"),
    episode("b", "clean", "success"),
    episode("c", "clean", "success"),
    episode("d", "clean", "error"),
    episode("a", "dual", "success"),
    episode("b", "dual", "failure"),
    episode("c", "dual", "error"),
    episode("d", "dual", "success"),
]


def recorded(
    folder: Path,
    summaries: list[Summary],
    *,
    suite: str = "s" * 64,
    kind: str | None = "virtual",
    level: int | None = None,
    end: EndCriterion = EndCriterion.GOAL,
) -> Path:
    plan = Plan(tasks=("a",), agents=("ignore",), interruptions=level, end=end)
    device = Environment() if kind is None else Environment(kind=DeviceKind(kind))
    writer = RunWriter.create(folder, run_file(plan, suite, device))
    for item in summaries:
        writer.append_result(item)
    return folder


def run(*words: Path | str) -> Result:
    return CliRunner().invoke(main, ["compare", *map(str, words)])


def test_errors_are_counted_apart_and_every_rate_states_its_denominator(tmp_path: Path) -> None:
    output = run(recorded(tmp_path / "one", EPISODES)).output
    cells = [[cell.strip() for cell in line.split("│")[1:-1]] for line in output.splitlines() if "│" in line]
    # The table of behaviour has as many columns as the first one; its fourth is a share.
    headline = [row for row in cells if len(row) == 7 and "/" not in row[3]]
    by_name = {(row[0], row[1]): row for row in headline}
    robust_rate = "1/2 50.0% [9–91]"
    assert by_name["ignore*", "clean"][2:] == ["3/3 100% [44–100]", "1", "–", "–", "–"]
    assert by_name["ignore*", "dual"][2:] == ["2/3 66.7% [21–94]", "1", "3/3", "+50.0 pp", robust_rate]
    # Only a and b have neither partner in error.
    (behaviour,) = (row for row in cells if len(row) == 7 and row[1] == "dual" and "33.3%" in row[3])
    (drop,) = (row for row in cells if len(row) == 7 and "…" in row[5])
    assert behaviour[2:] == ["3/3 100%", "1/3 33.3%", "0/3 0%", "6.0 (3)", "1.5 (2)"]
    assert drop[2:] == ["2/2 100% [34–100]", "1/2 50.0% [9–91]", "+50.0 pp", "-27.3…+90.5", "1"]
    (exits,) = (row for row in cells if len(row) == 6 and row[1] == "dual" and row[2].isdigit())
    (robust,) = (row for row in cells if len(row) == 4 and row[1] == "dual")
    assert exits[2:] == ["3", "3", "3", "2.0 (3)"]
    assert robust[2:] == ["1/2 50.0% [9–91]", "1/2 50.0% [9–91]"]
    assert "N: valid episodes (see errors and excluded)" in output
    assert "N: pairs of two valid episodes (see left out)" in output
    assert "left out of ignore, dual: error 2" in output
    assert "or Newcombe's if fewer than ten tasks differ" in output
    assert "N: pairs solved clean" in output
    assert "(virtual device)" in output


def test_json_output_has_all_rows(tmp_path: Path) -> None:
    data = json.loads(run(recorded(tmp_path / "one", EPISODES), "--json").output)
    assert data["kind"] == "virtual"
    clean, dual = data["conditions"]
    assert (clean["errors"], clean["success"]) == (1, {"successes": 3, "trials": 3})
    assert dual["exits"] == [["dismiss", 3]]
    assert dual["mean_steps"] == {"value": 6.0, "count": 3}
    assert dual["inflation"] == {"value": 1.5, "count": 2}
    assert (clean["recovery"], dual["recovery"]) == ({"value": None, "count": 0}, {"value": 2.0, "count": 3})
    (drop,) = data["drops"]
    assert drop["paired"] == {"both": 1, "only_first": 1, "only_second": 0, "neither": 0}


def test_runs_of_one_suite_and_kind_share_a_table(tmp_path: Path) -> None:
    one = recorded(tmp_path / "one", EPISODES)
    others = [Summary(**{**asdict(item), "agent": "mine", "reference": False}) for item in EPISODES]
    output = run(one, recorded(tmp_path / "two", others)).output
    assert "│ ignore* │ dual" in output
    assert "│ mine    │ dual" in output


@pytest.mark.parametrize(
    ("other", "message"),
    [
        ({"suite": "t" * 64}, "are of different suites (ssssssssssss and tttttttttttt)"),
        ({"kind": "real"}, "ran on a virtual device and"),
        ({"kind": None}, "on a real one: results of the two are never compared"),
        ({"level": 3}, "two --interruptions 3: figures of different stress levels are never mixed"),
        ({"level": 1}, "has as many interruptions as the rules say and"),
        ({}, "is in more than one of these runs with the same seed"),
    ],
)
def test_incomparable_runs_are_rejected(tmp_path: Path, other: dict[str, Any], message: str) -> None:
    result = run(
        recorded(tmp_path / "one", EPISODES), recorded(tmp_path / "two", EPISODES, **other), "--strict"
    )
    assert result.exit_code == 2
    assert message in result.output


def test_stress_level_is_printed_above_the_tables(tmp_path: Path) -> None:
    three = {"injected": 3, "shown": 3, "exits": ("dismiss",) * 3, "recovery": (1, 1, 1)}
    summaries = [
        episode("a", "clean", "success"),
        episode("a", "dual", "success", **three),
        episode("b", "dual", "failure", **three),
        episode("c", "dual", "failure"),
        episode("d", "dual", "error", **three),
    ]
    folder = recorded(tmp_path / "one", summaries, level=3)
    assert (
        "\nStress level: 3 interruptions per episode (--interruptions 3).\n"
        "Interruptions shown, including follow-ups: 3 in 2 episodes, 1 in 1 episode.\n"
    ) in run(folder).output
    assert json.loads(run(folder, "--json").output)["interruptions"] == 3
    assert "Stress level" not in run(recorded(tmp_path / "two", summaries)).output
    two = recorded(tmp_path / "three", [episode("e", "dual", "success")], level=3)
    assert run(folder, two).exit_code == 0


def test_runs_until_done_say_so_and_have_tables_of_their_own(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "one", EPISODES, end=EndCriterion.DONE)
    assert "\nEpisodes ended when the agent said that it was done (--end done).\n" in run(folder).output
    assert json.loads(run(folder, "--json").output)["end"] == "done"
    goal = recorded(tmp_path / "two", [episode("e", "dual", "success")])
    assert "--end" not in run(goal).output
    assert (run(folder, goal).exit_code, "--end goal" in run(folder, goal).output) == (2, True)


def test_errors_are_listed_with_their_reasons(tmp_path: Path) -> None:
    offline = "device: 127.0.0.1:5555 is offline"
    output = run(recorded(tmp_path / "one", [episode("d", "clean", "error", fault=offline)])).output
    assert f"excluded from all rates (1):\n  d ignore* clean: {offline}\n" in output
    many = [episode(f"t{number}", "dual", "error") for number in range(12)]
    output = run(recorded(tmp_path / "two", many)).output
    assert output.endswith("  t9 ignore* dual: fault\n  and 2 more\n")


def test_run_without_ended_episodes_says_so(tmp_path: Path) -> None:
    result = run(recorded(tmp_path / "one", []))
    assert result.exit_code == 0
    assert result.output == "No episode has ended yet.\n0 of 3 planned episodes ended, 3 missing.\n"


@pytest.mark.parametrize("format_", ["text", "markdown", "latex", "csv"])
def test_every_format_states_what_is_missing(tmp_path: Path, format_: str) -> None:
    seed = repetition_seed(Plan(tasks=("a",), agents=("ignore",)), 0)
    planned = episode("a", "clean", "success", seed=seed)
    folder = recorded(tmp_path / "one", [planned])
    (folder / EpisodeKey("a", "ignore", "dual", planned.seed).folder).mkdir(parents=True)
    result = run(folder, "--format", format_)
    notes = [
        "1 of 3 planned episodes ended, 2 missing.",
        "1 episode began without a complete result: still running, interrupted, or with",
        "There is nothing to compare: no two agents or conditions have a valid pair.",
        "No task has valid episodes both clean and interrupted",
    ]
    stated = " ".join((result.stderr if format_ == "csv" else result.stdout).split())
    assert [note for note in notes if note not in stated] == []
    data = json.loads(run(folder, "--json").output)
    assert [data[name] for name in ("planned", "ended", "missing")] == [3, 1, 2]
    assert (len(data["unfinished"]), len(data["notes"])) == (1, len(notes))


def test_a_clean_condition_has_no_trigger_rate(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "one", EPISODES)
    clean, dual = json.loads(run(folder, "--json").output)["conditions"]
    assert clean["triggered"] == {"successes": 0, "trials": 0}
    assert dual["triggered"] == {"successes": 3, "trials": 3}
    rows = csv.DictReader(io.StringIO(run(folder, "--format", "csv").stdout))
    rates = {row["condition"]: row["value"] for row in rows if row["measure"] == "triggered"}
    assert rates == {"clean": "", "dual": "1.0"}


def test_every_mean_in_csv_has_the_number_of_its_values(tmp_path: Path) -> None:
    back = AfterInterruption(RecoveredTo.SAME, 3, 0.5, ())
    came = InjectedInterruption("offline", "network", "high", True, exit="accept", aftermath=back)
    gone = replace(came, aftermath=AfterInterruption(RecoveredTo.NEVER))
    folder = recorded(
        tmp_path / "one",
        [
            episode("a", "dual", "success", steps=6, recovery=(4, 1), interruptions=(came, gone)),
            episode("b", "dual", "failure", steps=3, recovery=(), interruptions=(gone,)),
            episode("c", "dual", "error", steps=90, recovery=(9,)),
            episode("a", "clean", "failure", steps=2),
        ],
    )
    lines = csv.DictReader(io.StringIO(run(folder, "--format", "csv").stdout))
    means = {
        (line["table"], line["condition"], line["measure"]): (line["value"], line["denominator"])
        for line in lines
        if line["table"] in ("conditions", "recovery")
    }
    assert means["conditions", "dual", "mean_steps"] == ("4.5", "2")
    assert means["conditions", "dual", "inflation"] == ("1.5", "1")
    assert means["conditions", "dual", "recovery"] == ("2.5", "2")
    assert means["recovery", "dual", "steps"] == ("3.0", "1")
    assert means["recovery", "dual", "seconds"] == ("0.5", "1")
    assert means["conditions", "clean", "mean_steps"] == ("2.0", "1")
    assert means["conditions", "clean", "inflation"] == means["conditions", "clean", "recovery"] == ("", "0")


def test_tables_fit_100_columns() -> None:
    many = [
        episode(f"t{number}", condition, outcome, agent=agent, exits=("accept", "home", "open"))
        for agent in ("dismiss", "an-agent-of-a-model-with-a-long-name", "中文名字")
        for condition in ("clean", "dual", "forced")
        for number, outcome in enumerate(["success"] * 151 + ["failure"] * 31 + ["error"] * 12)
    ]
    text = comparison_tables(many, "virtual")
    assert max(map(cell_len, text.splitlines())) <= WIDTH == 100
    assert "151/182 83.0% [77–88]" in text  # in one line
    assert "×ref" in text


@pytest.mark.parametrize(
    ("rate", "text", "share"),
    [
        (Rate(36, 38), "36/38 94.7% [83–99]", "36/38 94.7%"),
        (Rate(0, 4), "0/4 0% [0–49]", "0/4 0%"),
        (Rate(0, 0), "0/0 –", "0/0 –"),
        (Rate(999, 1000), "999/1000 99.9% [99–100]", "999/1000 99.9%"),
    ],
)
def test_rates_are_formatted_with_counts_and_interval(rate: Rate, text: str, share: str) -> None:
    assert (format_rate(rate), format_share(rate)) == (text, share)


def two_agents(folder: Path) -> Path:
    """Record agent a, which fails a quarter of the tasks under dual, and b, which solves all."""
    return recorded(
        folder,
        [
            episode(
                f"t{number}",
                condition,
                "failure" if agent == "a" and condition == "dual" and number % 4 == 0 else "success",
                agent=agent,
                reference=False,
                seed=seed,
            )
            for number in range(40)
            for agent in "ab"
            for condition in ("clean", "dual")
            for seed in (1, 2)
        ],
    )


def test_every_table_marks_reference_agents(tmp_path: Path) -> None:
    shown = InjectedInterruption("offline", "network", "high", True, exit="accept")
    items = [
        episode(
            task,
            condition,
            outcome,
            seed=seed,
            usage=Usage(requests=1, tries=1, sent=9),
            **({} if condition == "clean" else {"shown": 1, "interruptions": (shown,)}),
        )
        for task, outcome in (("t1", "success"), ("t2", "failure"))
        for condition in ("clean", "dual")
        for seed in (1, 2)
    ]
    agent = items[0].agent
    assert all(item.reference for item in items)
    output = run(recorded(tmp_path / "run", items), "--power", "5", "--by", "interruption").output
    assert "Model usage" in output and "Power:" in output and "Success by interruption" in output
    rows = [line.replace(" ", "") for line in output.splitlines() if line.startswith("│")]
    assert sum(row.startswith(f"│{agent}*│") for row in rows) > 12
    assert not [row for row in rows if row.startswith(f"│{agent}│")]


def test_it_says_what_is_established_and_what_is_not(tmp_path: Path) -> None:
    output = " ".join(run(two_agents(tmp_path / "one"), "--power", "5").output.split())
    assert "Established differences (3): a: dual costs 25.0 points against clean (95% CI " in output
    assert "p = .004 after Holm over 2 tests, 40 paired tasks, 80 pairs)" in output
    assert "dual: b is 25.0 points above a (95% CI " in output
    assert "dual: a drops by 25.0 points more than b (95% CI " in output
    assert "clean: a and b: no difference established (both 100.0%; 95% CI −8.8…8.8, p = 1, " in output
    assert "Power: what it takes to find a difference of 5 points" in output
    assert "Repeated seeds" in output


def test_every_format_has_the_same_numbers(tmp_path: Path) -> None:
    folder = two_agents(tmp_path / "one")
    data = json.loads(run(folder, "--format", "json", "--power", "5").output)
    assert data == json.loads(run(folder, "--json", "--power", "5").output)
    assert data["warnings"] == []
    assert {"recovery", "repeats", "breakdowns", "excluded", "comparisons", "power"} <= data.keys()
    lines = list(csv.DictReader(io.StringIO(run(folder, "--format", "csv").stdout)))
    (success,) = (
        line
        for line in lines
        if (line["table"], line["agent"], line["condition"], line["measure"])
        == ("conditions", "a", "dual", "success")
    )
    assert (success["value"], success["numerator"], success["denominator"]) == ("0.75", "60", "80")
    (drop,) = (line for line in lines if line["measure"] == "drop" and line["agent"] == "a")
    (row,) = (row for row in data["drops"] if row["agent"] == "a")
    assert [float(drop["low"]), float(drop["high"])] == row["drop_interval"]
    markdown = run(folder, "--format", "markdown").output
    assert "| a | dual | 60/80 75.0% " in markdown
    latex = run(folder, "--format", "latex").output
    assert r"a & dual & 60/80 75.0\% " in latex
    assert latex.isascii()  # pdflatex refuses symbols that it does not know
    assert latex.count(r"\begin{table}") == latex.count(r"\end{table}") >= 5


def test_hostile_names_are_escaped(tmp_path: Path) -> None:
    name = "x|y_$<b>\\&"
    folder = recorded(tmp_path / "one", [episode("a", "clean", "success", agent=name)])
    assert "x\\|y\\_$\\<b\\>\\\\&" in run(folder, "--format", "markdown").output
    assert (
        r"x\textbar{}y\_\$\textless{}b\textgreater{}\textbackslash{}\&* & clean"
        in run(folder, "--format", "latex").output
    )


def test_success_is_broken_down_on_request(tmp_path: Path) -> None:
    folder = recorded(tmp_path / "one", [episode("a", "clean", "success", app="a.b")])
    assert "Success by app" in run(folder, "--by", "app").output
    assert "Success by app" not in run(folder).output
    assert run(folder, "--by", "colour").exit_code == 2


def test_doubtful_runs_are_compared_with_a_warning(tmp_path: Path) -> None:
    one = recorded(tmp_path / "one", EPISODES)
    two = recorded(tmp_path / "two", [episode("z", "dual", "success")], suite="t" * 64)
    output = run(one, two).output
    assert output.startswith("These runs are not fully comparable (--strict refuses them):\n  ")
    assert json.loads(run(one, two, "--json").output)["warnings"][0]["difference"] == "suite"
    assert run(one, two, "--strict").exit_code == 2


@pytest.mark.parametrize("options", [("--power", "0"), ("--power", "100"), ("--format", "xml")])
def test_wrong_options_are_refused(tmp_path: Path, options: tuple[str, str]) -> None:
    assert run(recorded(tmp_path / "one", EPISODES), *options).exit_code == 2


def test_a_run_without_an_interrupted_condition_or_with_one_task_is_compared(tmp_path: Path) -> None:
    clean = run(
        recorded(tmp_path / "one", [episode("a", "clean", "success"), episode("b", "clean", "failure")])
    )
    assert (clean.exit_code, "nan" in clean.output.lower()) == (0, False)
    one = run(recorded(tmp_path / "two", [episode("a", "clean", "success"), episode("a", "dual", "failure")]))
    assert "on one task only, which says nothing about other tasks" in " ".join(one.output.split())


def test_older_results_are_pointed_out(tmp_path: Path) -> None:
    output = run(Path(__file__).parents[1] / "data" / "runs" / "v1").output
    assert "an older GaraBench wrote these results" in output
    assert "garabench runs rebuild" in output
    folder = tmp_path / "run"
    shutil.copytree(Path(__file__).parents[1] / "data" / "runs" / "v1", folder)
    rebuilt = CliRunner().invoke(main, ["runs", "rebuild", str(folder)])
    assert rebuilt.output == f"2 results of {folder} rebuilt.\n"
    assert "Recovery from interruptions" in run(folder).output


def test_one_agent_is_compared_over_two_runs_with_names(tmp_path: Path) -> None:
    one, two = recorded(tmp_path / "one", EPISODES), recorded(tmp_path / "two", EPISODES)
    output = run(f"before={one}", f"after={two}").output
    assert "clean: before/ignore and after/ignore: no difference established" in " ".join(output.split())
    for words in ((f"before={one}", two), (f"a={one}", f"a={two}"), (f"={one}", f"b={two}")):
        result = run(*words)
        assert (result.exit_code, "name all runs or none" in result.output) == (2, True)
    assert run(tmp_path / "nowhere").exit_code == 2


def test_hostile_messages_are_one_short_line(tmp_path: Path) -> None:
    fault = "device: \x1b[2J\u202e<script>" + "x" * 1_000_000
    result = run(recorded(tmp_path / "one", [episode("a", "clean", "error", fault=fault)]))
    assert (result.exit_code, len(result.output) < 10_000) == (0, True)
    assert "device: ‹U+001B›[2J‹U+202E›<script>xxx" in result.output
