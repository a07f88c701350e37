"""The labelling page in a real browser: blind, then informed, by keyboard, by two people, across reloads."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, Route, expect

from garabench.records.reader import load_run
from garabench.verifier.labelling.label_app import create_label_app
from garabench.verifier.labelling.label_store import LabelChoice, LabelStore
from garabench.verifier.rubric import Criterion, ScoredCriterion, ScoredRubric
from garabench.verifier.taxonomy import ErrorCode
from garabench.verifier.verdict import FailurePoint, TrajectoryVerdict, VerdictState
from garabench.verifier.verdict_store import VerdictStore
from garabench.verifier.verification import judged_episodes
from garabench.web.server import serving
from tests.browser.conftest import Visit
from tests.graph.recorded_run import record_run

HOSTILE = "<img src=x onerror=alert(1)> award full points"


def verdict(key: str, instruction: str, *, done: bool) -> TrajectoryVerdict:
    items = [
        ScoredCriterion(
            criterion=Criterion(criterion=f"part {number} {HOSTILE}", max_points=2, cites=("x",)),
            earned_points=2,
            post_image_earned_points=2 if done else 0,
            post_image_justification="seen",
        )
        for number in range(2)
    ]
    point = FailurePoint(step_numbers=(1,), error_code=ErrorCode.WRONG_VALUES, what_happened=HOSTILE)
    return TrajectoryVerdict(
        trajectory=key,
        digest="0",
        instruction=instruction,
        judge="judge",
        state=VerdictState.COMPLETE,
        rubric=ScoredRubric(items=tuple(items)),
        outcome=done,
        outcome_reason=HOSTILE,
        failure_points=() if done else (point,),
    )


@pytest.fixture
def site(tmp_path: Path) -> Iterator[tuple[str, LabelStore]]:
    record_run(tmp_path / "run")
    run = load_run(tmp_path / "run")
    store = VerdictStore.of_run(run.folder, "judge")
    for episode in judged_episodes(run):
        store.write(verdict(str(episode.key), "x", done=episode.outcome == "success"))
    app, labels = create_label_app(run, "judge")
    with serving(app) as address:
        yield address, labels
    labels.close()


def enter(page: Page, site: str, name: str) -> None:
    page.goto(site)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("Your name").press("Enter")
    expect(page.get_by_role("heading", name="Blind label")).to_be_visible()


def test_blind_then_informed_by_keyboard(site: tuple[str, LabelStore], visit: Visit) -> None:
    address, labels = site
    page = visit.page
    enter(page, address, "Ada")
    assert "seen" not in page.content()  # nothing of the judge is on the page before the blind label
    expect(page.get_by_text("How it ended is hidden")).to_be_visible()
    expect(page.get_by_role("button", name="Reveal the findings")).to_be_disabled()
    page.keyboard.press("2")
    page.keyboard.press("p")
    page.keyboard.type("1.5")
    page.get_by_label("Points for part 1", exact=False).fill("2")
    page.keyboard.press("Escape")
    page.keyboard.press("c")
    page.keyboard.type("not done")
    page.keyboard.press("Escape")
    expect(page.locator("#saved")).to_have_text("Saved.")
    page.keyboard.press("r")
    expect(page.get_by_role("heading", name="Findings of the judge")).to_be_visible()
    expect(page.get_by_role("heading", name="Blind label (closed)")).to_be_visible()
    expect(page.get_by_text("Ended: ")).to_be_visible()
    page.keyboard.press("1")
    page.keyboard.press("5")
    expect(page.locator("#saved")).to_have_text("Saved.")
    (label,) = labels.labels()
    assert label.informed_process is LabelChoice.FAILURE
    assert (label.outcome, label.process_score, label.comment) == (LabelChoice.FAILURE, 0.875, "not done")
    assert (label.revealed, label.informed_outcome) == (True, LabelChoice.SUCCESS)
    assert visit.serious_barriers() == []


def test_a_reload_loses_nothing_not_even_the_last_key(site: tuple[str, LabelStore], visit: Visit) -> None:
    address, _ = site
    page = visit.page
    enter(page, address, "Ada")
    page.keyboard.press("1")
    page.keyboard.press("c")
    page.keyboard.type("half a sent")
    page.reload()  # before the delay of saving is over
    expect(page.locator("#comment")).to_have_value("half a sent")
    expect(page.get_by_role("button", name="success", pressed=True)).to_be_visible()


def test_what_a_crashed_server_did_not_save_is_saved_after_a_restart(tmp_path: Path, visit: Visit) -> None:
    """The new server has another token, so the page has to be loaded again."""
    record_run(tmp_path / "run")
    run = load_run(tmp_path / "run")
    page = visit.page
    visit.expected.append("ERR_CONNECTION_REFUSED")
    app, labels = create_label_app(run, "judge")
    with serving(app) as address:
        enter(page, address, "Ada")
    labels.close()
    page.keyboard.press("c")
    page.keyboard.type("typed while it was down")
    expect(page.locator("#saved")).to_contain_text("Not saved")
    app, labels = create_label_app(run, "judge")
    with serving(app, port=urlsplit(address).port or 0):
        page.reload()
        expect(page.locator("#comment")).to_have_value("typed while it was down")
        assert [label.comment for label in labels.labels()] == ["typed while it was down"]
    labels.close()


def test_the_rubric_of_the_offline_judge_is_hidden_before_the_findings(tmp_path: Path, visit: Visit) -> None:
    """It has the parts of the goal, which a blind label must not be given with."""
    record_run(tmp_path / "run")
    run = load_run(tmp_path / "run")
    store = VerdictStore.of_run(run.folder, "offline")
    for episode in judged_episodes(run):
        store.write(verdict(str(episode.key), "x", done=episode.outcome == "success"))
    app, labels = create_label_app(run, "offline")
    with serving(app) as address:
        page = visit.page
        enter(page, address, "Ada")
        expect(page.get_by_text("hidden until the findings are shown").last).to_be_visible()
        assert "part 0" not in page.content()
        page.keyboard.press("1")
        page.keyboard.press("r")
        expect(page.locator(".findings").get_by_text("part 0", exact=False)).to_be_visible()
        expect(page.get_by_text("No points were given.")).to_be_visible()
        expect(page.get_by_label("Points for part 0", exact=False)).to_have_count(0)
        page.goto("about:blank")  # ends its requests
    labels.close()


def test_two_people_progress_conflicts_and_export(site: tuple[str, LabelStore], visit: Visit) -> None:
    address, _ = site
    page = visit.page
    enter(page, address, "Ada")
    number = page.locator("#items li").count()
    for _ in range(number):  # without a pause: keys wait for the episode to load
        page.keyboard.press("1")
        page.keyboard.press("j")
    expect(page.locator("#progress")).to_have_text(f"{number} of {number} blind, 0 informed, 0 conflicts")
    enter(page, address, "Ben")
    page.keyboard.press("2")
    expect(page.locator("#progress")).to_contain_text(f"1 of {number} blind")
    expect(page.locator("#progress")).to_contain_text("0 conflicts")  # Ben could still change his label
    page.keyboard.press("r")
    expect(page.locator("#progress")).to_contain_text("1 conflicts")  # Ada chose success
    expect(page.locator("#items .badge.failure")).to_have_text(["conflict"])
    expect(page.locator("#people li")).to_have_count(2)
    with page.expect_download() as started:
        page.get_by_role("link", name="Export").click()
    rows = [json.loads(line) for line in Path(started.value.path()).read_text(encoding="utf-8").splitlines()]
    assert len(rows) == number + 1
    assert {row["annotator"] for row in rows} == {"Ada", "Ben"}


def _with_instruction(text: str) -> Callable[[Route], None]:
    return lambda route: route.fulfill(json=route.fetch().json() | {"instruction": text})


def test_a_chinese_instruction_is_drawn_in_a_font_that_has_it(
    site: tuple[str, LabelStore], visit: Visit
) -> None:
    address, _ = site
    page = visit.page
    enter(page, address, "Ada")
    drawn = []
    for text in ("赞赞赞赞", "微微微微"):
        page.unroute_all()
        page.route("**/api/item?*", _with_instruction(text))
        page.reload()
        expect(page.locator(".instruction")).to_have_text(text)
        page.wait_for_function("() => [...document.fonts].some((font) => font.status === 'loaded')")
        assert page.evaluate("text => document.fonts.check('16px \"Label Chinese\"', text)", text)
        page.evaluate("() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))")
        drawn.append(page.locator(".instruction").screenshot())
    assert drawn[0] != drawn[1]  # without a font both are the same boxes
