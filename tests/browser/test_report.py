"""The report of runs in a browser, opened from disk."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import expect

from garabench.report.html_report import write_report
from tests.browser.conftest import Visit
from tests.report.written_runs import FOUR, HOSTILE, episode, picture, write_log, write_run

OTHERS = [
    episode("app-a", "dismiss", "clean", "success", reference=True),
    episode("app-a", "dismiss", "dual", "success", reference=True),
    episode(
        "web-c", "dismiss", "clean", "error", reference=True, app="com.example.an.app.with.a.long.package"
    ),
    episode("web-c", "dismiss", "dual", "failure", reference=True, shown=0, exits=(), interruptions=()),
]


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("report")
    writer = write_run(folder / "run", [*FOUR, *OTHERS])
    write_log(writer, FOUR[1], screen=picture())
    return write_report(folder / "run", folder / "report.html").as_uri()


@pytest.fixture(scope="module")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("hostile")
    episodes = [
        episode(HOSTILE, HOSTILE, "clean", "error", fault=HOSTILE + "x" * 1_000_000),
        episode(HOSTILE, HOSTILE, "dual", "failure", fault=HOSTILE, exits=(HOSTILE,), reason=HOSTILE),
    ]
    write_run(folder / "run", episodes)
    return write_report(folder / "run", folder / "report.html").as_uri()


def visible_tasks(visit: Visit) -> list[str]:
    return visit.page.locator(".matrix tbody tr:visible th").all_inner_texts()


def test_filters_are_kept_in_the_address(visit: Visit, report: str) -> None:
    page = visit.page
    page.goto(report)
    assert visible_tasks(visit) == ["app-a", "app-b", "web-c"]
    page.get_by_role("searchbox").fill("APP")
    page.get_by_role("combobox", name="Show").select_option("interrupted differs from clean")
    page.get_by_label("dismiss").uncheck()
    expect(page.locator("#count")).to_have_text("1 of 3 tasks")
    assert visible_tasks(visit) == ["app-a"]
    assert page.locator(".matrix thead tr:first-child th:visible").all_inner_texts() == ["Task", "heuristic"]

    page.get_by_label("dismiss").check()
    page.get_by_label("heuristic").uncheck()
    assert visible_tasks(visit) == []  # what differs is hidden
    page.get_by_label("heuristic").check()
    page.get_by_label("dismiss").uncheck()
    page.get_by_role("checkbox", name="clean").uncheck()
    assert visible_tasks(visit) == ["app-a"]
    page.get_by_role("checkbox", name="clean").check()

    address = page.url
    assert "#matrix?task=APP&show=differs&agents=" in address
    page.goto("about:blank")
    page.goto(address)
    assert visible_tasks(visit) == ["app-a"]
    assert not page.get_by_label("dismiss").is_checked()
    page.get_by_role("button", name="Reset").click()
    expect(page.locator("#count")).to_have_text("3 of 3 tasks")
    assert page.url.endswith("#matrix")
    page.get_by_role("searchbox").fill("nothing like it")
    expect(page.get_by_text("No task passes these filters.")).to_be_visible()


def test_addresses_with_wrong_filters_show_everything(visit: Visit, report: str) -> None:
    visit.page.goto(f"{report}#matrix?show=nonsense&group={quote(HOSTILE)}&agents=%7B&conditions=3")
    assert visible_tasks(visit) == ["app-a", "app-b", "web-c"]


def test_a_cell_opens_its_episodes_by_keyboard(visit: Visit, report: str) -> None:
    page = visit.page
    page.goto(report)
    page.locator(".matrix tbody tr:first-child button").nth(1).focus()
    page.keyboard.press("Enter")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("app-a: heuristic, dual")
    expect(dialog).to_contain_text("reported success wrongly")
    expect(dialog).to_contain_text("low-battery")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 360])
def test_both_themes_and_widths_are_accessible(visit: Visit, report: str, scheme: str, width: int) -> None:
    page = visit.page
    page.set_viewport_size({"width": width, "height": 800})
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    page.goto(report)
    page.evaluate("for (const each of document.querySelectorAll('details')) each.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.serious_barriers() == []
    background = page.evaluate("getComputedStyle(document.body).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (scheme == "light")
    drawn = page.locator(".chart .wide svg" if width > 800 else ".chart .narrow svg").first
    expect(drawn).to_be_visible()
    color = drawn.locator("text").first.evaluate("each => getComputedStyle(each).fill")
    assert color not in ("none", background)


def test_everything_is_printed_on_white(visit: Visit, report: str) -> None:
    page = visit.page
    page.emulate_media(color_scheme="dark", media="print")
    page.goto(report)
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    expect(page.locator(".filters")).to_be_hidden()
    expect(page.locator("nav")).to_be_hidden()
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("details:not([open])").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("details:not([open])").count() > 0
    assert page.pdf()[:5] == b"%PDF-"


def test_chinese_texts_are_drawn_without_a_font_of_the_system(visit: Visit, tmp_path: Path) -> None:
    write_run(tmp_path / "run", [replace(FOUR[0], fault="赞微", outcome="error"), *FOUR[1:]])
    page = visit.page
    page.goto(write_report(tmp_path / "run", tmp_path / "report.html").as_uri())
    loaded = "document.fonts.load('16px \"Report Chinese\"', '赞').then(found => found[0].status)"
    assert page.evaluate(loaded) == "loaded"  # the policy allows it
    drawn = []
    for text in ("赞赞赞赞", "微微微微"):
        page.evaluate("text => { document.querySelector('h1').textContent = text }", text)
        page.evaluate("() => new Promise((next) => requestAnimationFrame(() => requestAnimationFrame(next)))")
        drawn.append(page.locator("h1").screenshot())
    assert drawn[0] != drawn[1]  # without a font both are the same boxes


def test_other_scripts_are_blocked_by_the_policy(visit: Visit, report: str) -> None:
    page = visit.page
    page.goto(report)
    page.evaluate(
        """() => {
          const script = document.createElement("script");
          script.textContent = "window.ran = true";
          document.body.append(script);
          document.body.insertAdjacentHTML("beforeend", "<img src=x onerror='window.ran = true'>");
        }"""
    )
    page.wait_for_timeout(200)
    assert page.evaluate("window.ran") is None
    assert all("Content Security Policy" in error for error in visit.errors)
    assert len(visit.errors) == 3  # the script, the handler and the picture
    visit.errors.clear()


def test_without_scripts_everything_but_the_filters_is_there(visit: Visit, report: str) -> None:
    context = visit.page.context.browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report)
    expect(page.locator(".matrix")).to_be_visible()
    expect(page.locator(".filters")).to_be_hidden()
    context.close()


@pytest.mark.parametrize("width", [1280, 360])
def test_hostile_texts_stay_texts(visit: Visit, hostile: str, width: int) -> None:
    page = visit.page
    page.on("dialog", lambda _dialog: pytest.fail("a text of the run was run as a script"))
    page.set_viewport_size({"width": width, "height": 800})
    page.goto(hostile)
    page.locator(".matrix tbody button").first.click()
    expect(page.get_by_role("dialog")).to_contain_text("<script>alert(1)</script>")
    assert page.locator("img").count() == 0
    page.keyboard.press("Escape")
    page.get_by_role("searchbox").fill("<script>")
    assert len(visible_tasks(visit)) == 1
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert visit.serious_barriers() == []
