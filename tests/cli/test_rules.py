"""`garabench rules`: lists, checks, and explanations of recorded screens."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from garabench.cli.main import main
from garabench.core.events import Decided, Event, InterruptionInjected, Observed, PerformedEvent, to_line

RULES = """
app: com.example.reader
rules:
  - id: results
    description: On the list of results
    when:
      all:
        - keywords: {of: [综合, 作者, 年代, 筛选], threshold: 0.75}
      any:
        - exists: {id: filter}
        - exists: {id: sort}
      min_step: 1
    inject: low-battery
  - id: poem
    description: On a poem's page, while the sound is on
    when:
      all:
        - exists: {id: like}
        - setting: {namespace: system, key: volume, equals: "5"}
        - not: {absent: {id: like}}
    inject: low-battery
    probability: 0.5
"""
INTERRUPTIONS = """
interruptions:
  - id: low-battery
    description: The battery is nearly empty
    category: resource
    style: battery
    title: {en: Low battery}
    message: {en: Turn on Battery Saver.}
    buttons:
      - {key: dismiss, role: dismiss, easy: true, label: {en: Got it}}
      - {key: accept, role: accept, label: {en: Turn on}, follow_up: [relaunch]}
"""


def tree(*nodes: tuple[str, str], package: str = "com.example.reader") -> bytes:
    inner = "".join(
        f'<node index="{n}" text="{text}" resource-id="{package}:id/{name}" class="android.widget.TextView" '
        f'package="{package}" content-desc="" bounds="[0,{n * 10}][100,{n * 10 + 10}]"/>'
        for n, (text, name) in enumerate(nodes)
    )
    return f"<?xml version='1.0' encoding='UTF-8'?><hierarchy rotation='0'>{inner}</hierarchy>".encode()


RESULTS = tree(("综合", "tab"), ("作者", "tab"), ("筛选", "filter"))


@pytest.fixture
def suite(tmp_path: Path) -> Path:
    root = tmp_path / "suite"
    for folder in ("tasks", "goal_schemas", "rules"):
        (root / folder).mkdir(parents=True)
    (root / "rules" / "reader.yaml").write_text(RULES, encoding="utf-8")
    (root / "rules" / "interruptions.yaml").write_text(INTERRUPTIONS, encoding="utf-8")
    return root


def run(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["rules", *map(str, words)])


def explain(suite: Path, rule: str, where: Path) -> list[dict[str, Any]]:
    result = run("explain", rule, where, "--suite", suite, "--json")
    assert result.exit_code == 0, result.output
    rows: list[dict[str, Any]] = json.loads(result.output)
    return rows


@pytest.mark.parametrize("name", ["screen.xml", "screen.xml.gz"])
def test_tree_file_is_explained(suite: Path, tmp_path: Path, name: str) -> None:
    file = tmp_path / name
    file.write_bytes(gzip.compress(RESULTS) if name.endswith("gz") else RESULTS)
    (row,) = explain(suite, "results", file)
    parts = {(part["name"], part["needed"], part["reason"]): part for part in row["parts"]}
    assert row["fires"] is True
    keywords = next(part["keywords"] for part in parts.values() if part["name"] == "keywords")
    assert keywords == {
        "found": ["综合", "作者", "筛选"],
        "missing": ["年代"],
        "threshold": 0.75,
        "share": 0.75,
    }
    held = [(part["name"], part["needed"], part["holds"]) for part in row["parts"]]
    assert held == [
        ("app", "all", True),
        ("min_step", "all", True),
        ("keywords", "all", True),
        ("exists", "any", True),
        ("exists", "any", False),
    ]


def test_rule_that_does_not_fire_is_explained_in_words(suite: Path, tmp_path: Path) -> None:
    file = tmp_path / "screen.xml"
    file.write_bytes(tree(("综合", "tab"), ("别的", "x")))
    output = run("explain", "results", file, "--suite", suite).output
    assert "results: On the list of results" in output
    assert "screen.xml: does not fire" in output
    assert "no  keywords     1/4 = 25%, needs 75%; found 综合; missing 作者, 年代, 筛选" in output
    assert "no  or exists    id=filter is not on the screen" in output


def test_other_app_in_the_foreground_is_reported(suite: Path, tmp_path: Path) -> None:
    file = tmp_path / "screen.xml"
    file.write_bytes(tree(("综合", "filter"), package="com.example.other"))
    (row,) = explain(suite, "results", file)
    assert row["fires"] is False
    assert row["parts"][0]["reason"] == "com.example.other is in the foreground, not com.example.reader"


def test_unrecorded_facts_are_unknown(suite: Path, tmp_path: Path) -> None:
    file = tmp_path / "screen.xml"
    file.write_bytes(tree(("点赞", "like")))
    (row,) = explain(suite, "poem", file)
    assert (row["fires"], row["probability"]) == (None, 0.5)
    assert [part["holds"] for part in row["parts"]] == [True, True, True, None, True]
    assert row["parts"][4]["parts"][0]["name"] == "absent"
    assert "unknown: not recorded" in run("explain", "poem", file, "--suite", suite).output


def _observed(step: int, number: int) -> Observed:
    return Observed(
        step=step,
        t=step,
        tree=f"trees/{number:03d}.xml.gz",
        screen="screens/x.png",
        package="com.example.reader",
        activity=".Results",
        source="u2",
        signature="s",
    )


def episode(folder: Path, events: list[Event], *trees: bytes) -> Path:
    (folder / "trees").mkdir(parents=True)
    for number, data in enumerate(trees):
        (folder / "trees" / f"{number:03d}.xml.gz").write_bytes(gzip.compress(data))
    (folder / "events.jsonl").write_text("".join(map(to_line, events)), encoding="utf-8")
    return folder


def test_all_trees_of_an_episode_are_explained(suite: Path, tmp_path: Path) -> None:
    injected = InterruptionInjected(
        step=1, t=1, rule="results", interruption="low-battery", category="resource", mode="dual", token="t"
    )
    events: list[Event] = [_observed(0, 0), _observed(1, 1), injected, _observed(2, 2)]
    folder = episode(tmp_path / "episode", events, RESULTS, RESULTS, RESULTS)
    rows = explain(suite, "results", folder)
    assert [(row["step"], row["fires"], row["injected"]) for row in rows] == [
        (0, False, False),
        (1, True, True),
        (2, False, False),
    ]
    output = run("explain", "results", folder, "--suite", suite).output
    assert "step 0, trees/000.xml.gz: does not fire" in output
    assert "no  min_step     step 0, due from step 1 on" in output
    assert "step 1, trees/001.xml.gz: fires; it injected here" in output
    assert "no  once         it has fired in this episode" in output


def test_log_cannot_refer_to_files_outside_its_folder(suite: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.xml").write_bytes(RESULTS)
    event = _observed(0, 0).model_copy(update={"tree": "../secret.xml"})
    folder = episode(tmp_path / "episode", [event], RESULTS)
    result = run("explain", "results", folder, "--suite", suite)
    assert result.exit_code == 2
    assert "outside of its folder" in result.output


@pytest.mark.parametrize(
    ("name", "data", "message"),
    [
        ("x.xml", b"<hierarchy", "x.xml:1:1: not a UI tree"),
        ("x.xml.gz", b"no gzip", "is not a UI tree"),
        ("x.xml.gz", gzip.compress(RESULTS)[:-20], "truncated"),
        ("x.xml.gz", gzip.compress(b" " * 80_000_000), "larger than"),
    ],
)
def test_files_that_are_not_trees_are_rejected(
    suite: Path, tmp_path: Path, name: str, data: bytes, message: str
) -> None:
    file = tmp_path / name
    file.write_bytes(data)
    result = run("explain", "results", file, "--suite", suite)
    assert result.exit_code == 2, result.output
    assert message in result.output


def test_on_a_screen_without_elements_nothing_can_match(suite: Path, tmp_path: Path) -> None:
    file = tmp_path / "x.xml"
    file.write_bytes(b"<hierarchy/>")
    result = run("explain", "results", file, "--suite", suite)
    assert result.exit_code == 0
    assert "x.xml: does not fire" in result.output
    assert "has no elements, so nothing can match" in result.output
    assert "no rule can match" in run("explain", file, "--suite", suite).output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("explain", "result", "."), "Did you mean 'results'?"),
        (("explain", "results", "nowhere"), "no such file or folder: nowhere"),
        (("explain", "results", "."), "not a recorded episode"),
        (("list", "resuts"), "Did you mean 'results'?"),
    ],
)
def test_wrong_arguments_are_reported_with_the_nearest_name(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    result = run(*words, "--suite", suite)
    assert result.exit_code == 2
    assert message in result.output


def test_rules_are_listed_and_checked(suite: Path) -> None:
    rows = json.loads(run("list", "--suite", suite, "--json").output)
    assert [row["id"] for row in rows] == ["results", "poem"]
    assert rows[0]["app"] == "com.example.reader"
    assert [row["id"] for row in json.loads(run("list", "po*", "--suite", suite, "--json").output)] == [
        "poem"
    ]
    checked = run("check", suite)
    assert checked.output == ("2 rules and 1 interruption are valid.\nUnused: results, poem\n")
    assert json.loads(run("check", suite, "--json").output)["unused"] == ["results", "poem"]


def test_of_many_mistakes_the_first_are_printed(tmp_path: Path) -> None:
    file = tmp_path / "many.yaml"
    wrong = "\n".join(
        f"  - {{id: r{n}, description: d, when: {{text: a}}, inject: low-battery}}" for n in range(250)
    )
    file.write_text(f"app: com.example.reader\nrules:\n{wrong}\n", encoding="utf-8")
    checked = run("check", file)
    assert checked.exit_code == 2
    assert checked.output.count("many.yaml:") == 200
    assert "more; correct these first" in checked.output
    found = json.loads(run("check", file, "--json").output)
    assert len(found["findings"]) > 200
    assert found["rules"] == 250


SCHEDULED = """
app: com.example.reader
rules:
  - id: due
    description: At a step, two in a row
    when:
      at_step: 2
      after_action: {kind: tap, at_least: 2}
    inject: [low-battery, low-battery]
  - id: late
    description: After some device time
    when: {after_seconds: 20}
    inject: low-battery
"""


def action_events(step: int, kind: str, *, ok: bool = True) -> list[Event]:
    """Return the recorded events of an action."""
    return [Decided(step=step, t=0, action={"type": kind}), PerformedEvent(step=step, t=0, ok=ok)]


def test_schedule_is_explained_by_earlier_events_of_the_episode(suite: Path, tmp_path: Path) -> None:
    (suite / "rules" / "reader.yaml").write_text(SCHEDULED, encoding="utf-8")
    folder = tmp_path / "episode"
    (folder / "trees").mkdir(parents=True)
    events: list[Event] = []
    for step in range(5):
        (folder / "trees" / f"{step}.xml").write_bytes(RESULTS)
        events.append(
            Observed(
                step=step,
                t=0,
                tree=f"trees/{step}.xml",
                screen="",
                package="com.example.reader",
                activity=".Main",
                source="u2",
                signature="x",
            )
        )
        if step == 3:
            for place in (1, 2):
                events.append(
                    InterruptionInjected(
                        step=3,
                        t=0,
                        rule="due",
                        interruption="low-battery",
                        category="resource",
                        mode="dual",
                        token=f"{place}",
                        sequence=place,
                    )
                )
        events += action_events(step, "tap", ok=step != 1)
    (folder / "events.jsonl").write_text("".join(map(to_line, events)), encoding="utf-8")
    rows = explain(suite, "due", folder)
    held = [[part["holds"] for part in row["parts"] if part["name"].startswith(("at", "af"))] for row in rows]
    assert held == [[False, False], [False, False], [True, False], [True, True], [True, False]]
    assert [row["fires"] for row in rows] == [False, False, False, True, False]
    assert [row["injected"] for row in rows] == [False, False, False, True, False]
    (late, *_) = explain(suite, "late", folder)
    assert late["fires"] is None
    assert late["parts"][-1]["reason"] == "the time on the device is unknown, due after 20 s"


def test_schedule_is_unknown_for_a_single_tree(suite: Path, tmp_path: Path) -> None:
    (suite / "rules" / "reader.yaml").write_text(SCHEDULED, encoding="utf-8")
    file = tmp_path / "screen.xml"
    file.write_bytes(RESULTS)
    output = run("explain", "due", file, "--suite", suite).output
    assert "screen.xml: unknown: not recorded" in output
    assert "?   at_step      a single tree has no step, due at step 2" in output
    assert "?   after_action a single tree has no earlier actions" in output
    assert "low-battery + low-battery" in run("list", "due", "--suite", suite).output
