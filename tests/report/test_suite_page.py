from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image

from garabench.errors import InputError
from garabench.proof.fuzz.fuzz_figures import (
    FILE,
    FuzzFigures,
    FuzzReport,
    RefusedElsewhere,
    StateCost,
    read_report,
)
from garabench.proof.fuzz.walk import Elsewhere, WalkVerdict
from garabench.report.suite_page import PICTURES, suite_page
from garabench.report.suite_page_texts import KINDS
from tests.bundled import bundled_suite
from tests.proof.test_infeasible import SEEN_GOAL, a_task
from tests.suite.suites import goal, interruption, rule, suite, task

DOCS = Path(__file__).parents[2] / "docs"
PAGE = suite_page(
    suite(
        [goal("open", {"exists": {"id": "title"}}), goal("said", {"answer": {"equals": "42"}})],
        [
            task(
                "short",
                "open",
                tags=["search", "sort"],
                rules=["fires"],
                near_misses=[{"name": "other", "kind": "wrong-object", "steps": ["back"]}],
            ),
            task("long", "open", solution=["back"] * 9, tags=["cross-app"], rules=["fires"]),
            task(
                "answer",
                "said",
                app="com.sina.weibo",
                solution=["back", {"answer": "42"}],
                instruction={"zh": "问", "en": "Ask"},
                near_misses=[{"name": "undone", "kind": "undone", "steps": ["back"]}],
            ),
        ],
        [rule("fires", "first"), rule("idle", "unused")],
        [interruption("first"), interruption("unused")],
    )
)


def row(name: str) -> list[str]:
    found = re.findall(rf"^\| {re.escape(name)} \| (.*) \|$", PAGE, re.MULTILINE)[
        0
    ]  # a later table has walks
    return str(found).split(" | ")


def test_tasks_are_counted_by_app() -> None:
    # tasks, zh, en, steps, nine or more, answers, two apps
    assert row("com.example.reader") == ["2", "0", "2", "1–9 (5)", "1", "0", "1"]
    assert row("Weibo") == ["1", "1", "0", "2–2 (2)", "0", "1", "0"]
    assert row("**all**") == ["**3**", "**1**", "**2**", "", "**1**", "**1**", "**1**"]


def test_kinds_lengths_and_near_misses_are_counted_by_app() -> None:
    assert row("search") == row("set an option") == ["1", "0", "1"]
    assert row("1–3") == ["1", "1", "2"]
    assert row("9–11") == ["1", "0", "1"]
    assert row("wrong-object") == ["1", "0", "1"]
    assert row("undone") == ["0", "1", "1"]
    assert "| overdone |" not in PAGE  # rows of zeros are omitted


def test_rules_count_once_for_each_task_that_names_them() -> None:
    assert row("network") == ["2", "0", "2", "100%"]
    assert row("`first`") == ["network", "2", "100%", "1", "1", "3", "1"]
    assert "`unused`" not in PAGE


def test_exits_are_counted_by_the_mode_that_offers_them() -> None:
    assert row("interruptions in either mode") == ["2", "0", "2"]
    assert row("exits in dual mode") == ["6", "0", "6"]
    assert row("exits in forced mode") == ["2", "0", "2"]


def test_infeasible_tasks_have_their_own_table() -> None:
    assert "Infeasible" not in PAGE
    item = a_task("sold-out", "!")
    page = suite_page(replace(suite([goal("seen", SEEN_GOAL)], []), infeasible={"buy-it": item}))
    assert "1 more task over 1 app asks for something that is impossible" in page
    assert f"| `buy-it` | {item.app} | 2 | 0 | 3 | It is sold out. |" in page
    assert "0 tasks over 0 apps" in page


def test_each_tag_belongs_to_one_kind() -> None:
    tags = [tag for kind in KINDS.values() for tag in kind]
    assert len(tags) == len(set(tags))


def test_the_generated_page_is_up_to_date() -> None:
    written = (DOCS / "suite.md").read_text(encoding="utf-8")
    assert written == suite_page(bundled_suite()), "run: garabench tasks page"


def test_each_app_has_its_picture() -> None:
    groups = {item.group for item in bundled_suite().tasks.values()}
    missing = [name for name in sorted(groups) if not (DOCS / PICTURES / f"{name}.png").is_file()]
    assert not missing, "run: garabench tasks page --pictures"
    for name in groups:
        with Image.open(DOCS / PICTURES / f"{name}.png") as picture:
            assert picture.size == (300, 667)


def test_every_task_has_a_kind() -> None:
    every = frozenset[str]().union(*KINDS.values())
    assert [name for name, item in bundled_suite().tasks.items() if every.isdisjoint(item.task.tags)] == []


def test_the_figures_of_fuzzed_walks_have_a_section(tmp_path: Path) -> None:
    figures = FuzzFigures(
        tasks=2,
        verdicts={WalkVerdict.ACCEPTED: 30, WalkVerdict.BLOCKED: 9, WalkVerdict.ACCEPTED_SEEN: 1},
        known=8,
        exact=8,
        harmless=5,
        unchanged=5,
        asked=("added follow", "added like"),
        tried=("added like",),
        elsewhere={Elsewhere.PAGE: 1},
        findings=1,
        accepted=1,
    )
    cost = StateCost(
        milliseconds=8.04,
        both_milliseconds=9,
        processor_milliseconds=4,
        both_processor_milliseconds=5.2,
        episode_processor_seconds=1,
    )
    refused = RefusedElsewhere(
        task="one", walk=3, reason=Elsewhere.PAGE, actions=("press {tap: {id: a_b}}",), differences=("+ <b>",)
    )
    apps = {"jd": figures, "weibo": figures}
    report = FuzzReport(walks=20, seed=1, apps=apps, refused=(refused,), states={"jd": cost})
    (tmp_path / "tasks").mkdir()
    (tmp_path / FILE).write_text(report.model_dump_json(), encoding="utf-8")
    page = suite_page(replace(suite([goal("seen", SEEN_GOAL)], []), root=tmp_path))
    assert "| jd | 2 | 40 | 30 | 0 | 0 | 0 | 9 | 0 | 8 of 8 | 5 of 5 | 1 | 1 |" in page
    assert "made 2 of the 4 kinds" in page
    assert "Not tried: jd: added follow, weibo: added follow." in " ".join(page.split())
    assert "| `another-page` | 1 | Another page is in front" in page
    assert "| `one` | 3 | `another-page` | press {tap: {id: a\\_b}} | + \\<b\\> |" in page
    assert "| **all** | **4** | **80** | **60** |" in page
    assert "| jd | 8.0 | 9.0 | 4.0 | 5.2 | 0.8% | 1.0% |" in page
    (tmp_path / FILE).write_text('{"walks": 20}', encoding="utf-8")
    with pytest.raises(InputError, match=r"fuzz_figures\.json: seed: Field required"):
        read_report(tmp_path)
