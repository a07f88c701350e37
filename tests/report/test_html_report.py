from __future__ import annotations

import base64
import hashlib
import json
import re
import sys
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
import uharfbuzz
from lxml import html

from garabench.core.sections import Paragraph, Section, Table
from garabench.core.usage import Usage
from garabench.errors import InputError
from garabench.records.aftermath import AfterInterruption, RecoveredTo
from garabench.records.device_environment import DeviceKind
from garabench.records.reader import load_run
from garabench.records.results import InjectedInterruption
from garabench.records.run_layout import RESULTS
from garabench.report.comparison_section import comparison_section
from garabench.report.html_report import report_html, write_report
from garabench.report.overview_section import overview_section
from garabench.report.report_input import read_input
from garabench.report.section_sources import SECTION_SOURCES, SectionSource
from tests.report.written_runs import FOUR, HOSTILE, episode, picture, write_log, write_run


def page(folder: Path) -> html.HtmlElement:
    return html.document_fromstring(report_html(read_input([folder])))


def words(element: html.HtmlElement, section: str) -> str:
    (found,) = element.xpath(f"//section[@id='{section}']")
    return " ".join(found.text_content().split())


def test_every_section_is_there_and_in_the_contents(tmp_path: Path) -> None:
    write_run(tmp_path / "run", FOUR)
    document = page(tmp_path / "run")
    ids = document.xpath("//main/section/@id")
    assert ids == [
        "overview",
        "comparison",
        "matrix",
        "interruptions",
        "failures",
        "cost",
        "methods",
        "versions",
        "reproduce",
    ]
    assert [link[1:] for link in document.xpath("//nav//a/@href")] == ids
    assert "4 of 4 planned episodes ended (3 in success, 1 in failure, 0 in error)" in words(
        document, "overview"
    )
    assert "heuristic dual 2 100% 50.0% 50.0%" in words(document, "comparison")
    assert "reported success wrongly" in words(document, "failures")
    assert "garabench run --device virtual --suite SUITE --tasks app-a,app-b" in words(document, "reproduce")
    # A long command is scrolled, which a keyboard can do only if it has the focus.
    assert document.xpath("//pre/@tabindex") == ["0"]


def test_chinese_characters_are_embedded_as_a_font_of_these_alone(tmp_path: Path) -> None:
    write_run(tmp_path / "latin", FOUR)
    assert "@font-face" not in report_html(read_input([tmp_path / "latin"]))
    write_run(tmp_path / "run", [*FOUR[1:], replace(FOUR[0], fault="设备 lost 连接", outcome="error")])
    text = report_html(read_input([tmp_path / "run"]))
    (encoded,) = re.findall(r'url\("data:font/otf;base64,([\w+/=]+)"\)', text)
    face = uharfbuzz.Face(base64.b64decode(encoded))
    assert {ord(letter) for letter in "设备连接"} == set(face.unicodes)
    document = html.document_fromstring(text)
    style, policy = document.xpath("string(//style)"), document.xpath("string(//meta[@http-equiv]/@content)")
    digest = base64.b64encode(hashlib.sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{digest}'" in policy
    assert "font-src data:" in policy


def test_every_table_marks_reference_agents(tmp_path: Path) -> None:
    usage = Usage(requests=1, tries=1, sent=9)
    items = [replace(each, agent="dismiss", reference=True, usage=usage) for each in FOUR]
    write_run(tmp_path / "run", [*FOUR, *items])
    marked, found = 0, page(tmp_path / "run")
    for table in found.xpath("//section[@id!='versions']//table"):
        titles = [cell.text_content() for cell in table.xpath("thead/tr/th")]
        names = (
            [row[titles.index("Agent")].text_content() for row in table.xpath("tbody/tr")]
            if ("Agent" in titles)
            else titles
        )
        assert "dismiss" not in names, table.xpath("string(caption)")
        marked += "dismiss*" in names
    assert marked >= 8


def test_every_mean_has_the_number_of_its_values(tmp_path: Path) -> None:
    back = AfterInterruption(RecoveredTo.SAME, 3, 0.5, ())
    gone = AfterInterruption(RecoveredTo.NEVER)
    came, never = (
        InjectedInterruption("offline", "network", "high", True, exit="accept", aftermath=each)
        for each in (back, gone)
    )
    episodes = [
        episode("app-a", "x", "dual", "success", steps=6, recovery=(4, 1), interruptions=(came, never)),
        episode("app-b", "x", "dual", "failure", steps=3, recovery=(), interruptions=(never,)),
        episode("app-c", "x", "dual", "error", steps=90, recovery=(9,)),
        episode("app-a", "x", "clean", "failure"),
    ]
    write_run(tmp_path / "run", episodes)
    document = page(tmp_path / "run")

    def row(caption: str) -> dict[str, str]:
        (table,) = document.xpath(f"//table[starts-with(normalize-space(caption), '{caption}')]")
        titles = [cell.text_content() for cell in table.xpath("thead/tr/th")]
        (cells,) = (
            found
            for each in table.xpath("tbody/tr")
            if "dual" in (found := [cell.text_content().replace("\u00a0", " ") for cell in each])
        )
        return dict(zip(titles, cells, strict=True))

    success = row("Success by agent and condition")
    assert (success["Mean actions"], success["× reference"]) == ("4.50 (2)", "1.50 (1)")
    recovery = row("After the interruption")
    assert (recovery["Steps"], recovery["Seconds"]) == ("3.00 (1)", "0.50 (1)")
    assert row("Exits and recovery")["Steps to exit"] == "2.50 (2)"
    clean = [each.text_content() for each in document.xpath("//tr[td='clean'][1]/td")]
    assert not [cell for cell in clean if "(0)" in cell]


def test_the_file_needs_nothing_else_and_is_the_same_each_time(tmp_path: Path) -> None:
    write_run(tmp_path / "run", FOUR)
    text = write_report(tmp_path / "run", tmp_path / "a.html").read_text(encoding="utf-8")
    assert text == write_report([tmp_path / "run"], tmp_path / "b.html").read_text(encoding="utf-8")
    document = html.document_fromstring(text)
    assert document.xpath("//link | //script[@src] | //iframe | //object") == []
    assert not [src for src in document.xpath("//@src") if not src.startswith("data:")]
    assert not re.search(r"url\(\s*['\"]?(?!#)", text)
    assert document.xpath("string(//meta[@http-equiv]/@content)").startswith("default-src 'none'")


def test_hostile_texts_stay_texts(tmp_path: Path) -> None:
    hostile = [
        episode(HOSTILE, HOSTILE, "clean", "error", fault=HOSTILE + "x" * 1_000_000),
        episode(HOSTILE, HOSTILE, "dual", "failure", fault=HOSTILE, exits=(HOSTILE,), reason=HOSTILE),
        episode("y" * 1_000_000, HOSTILE, "dual", "failure"),
    ]
    write_run(tmp_path / "run", hostile)
    text = report_html(read_input([tmp_path / "run"]))
    document = html.document_fromstring(text)
    assert len(document.xpath("//script")) == 2
    assert document.xpath("//@onerror | //img") == []
    assert "\u202e" not in text
    assert len(text) < 500_000
    data = json.loads(document.xpath("string(//script[@id='data'])"))
    assert data["tasks"][0].startswith("\"'><script>alert(1)</script>")


@pytest.mark.parametrize(
    ("summaries", "plan", "section", "said"),
    [
        ([], {"tasks": ["app-a"], "agents": ["heuristic"]}, "overview", "No episode has ended yet."),
        ([], {"tasks": ["app-a"], "agents": ["heuristic"]}, "failures", "No episode has ended yet."),
        (FOUR[::2], {"conditions": ["clean"]}, "overview", "say nothing about interruptions"),
        (FOUR[::2], {"conditions": ["clean"]}, "interruptions", "no interruption was planned"),
        (FOUR[::2], {"conditions": ["clean"]}, "comparison", "There is no pair to compare"),
        (FOUR[2:], {}, "overview", "No effect is established for heuristic."),
        (FOUR[2:], {}, "failures", "No valid episode failed."),
        (FOUR[2:], {}, "methods", "There is one task only"),
        ([episode("a", "x", "dual", "error")], {}, "overview", "Every episode ended in error"),
        ([episode("a", "x", "dual", "error")], {}, "failures", "it went away"),
        (
            [
                episode(
                    "a", "x", "dual", "failure", shown=0, exits=(), missed=("not_shown",), interruptions=()
                )
            ],
            {},
            "interruptions",
            "No interruption was shown in a valid episode.",
        ),
    ],
)
def test_what_is_missing_is_said(
    tmp_path: Path, summaries: list, plan: dict, section: str, said: str
) -> None:
    write_run(tmp_path / "run", summaries, **plan)
    document = page(tmp_path / "run")
    assert said in words(document, section)
    assert not re.search(r"\b(nan|NaN|inf|None)\b", document.xpath("//main")[0].text_content())


@pytest.mark.parametrize(
    ("agents", "said"),
    [
        (1, "Interruptions cost agent-0 100.0 percentage points of success (dual)."),
        (4, "Interruptions cost all 4 agents success: 100.0 to 100.0 percentage points, the most agent-0"),
    ],
)
def test_the_lead_states_what_is_established(tmp_path: Path, agents: int, said: str) -> None:
    episodes = [
        episode(f"app-{task}", f"agent-{agent}", condition, outcome)
        for agent in range(agents)
        for task in range(9)
        for condition, outcome in (("clean", "success"), ("dual", "failure"))
    ]
    write_run(tmp_path / "run", episodes)
    section = overview_section(read_input([tmp_path / "run"]))
    assert isinstance(section.blocks[0], Paragraph)
    assert section.blocks[0].text.startswith(said)


def test_an_agent_without_a_valid_pair_keeps_its_row_and_its_counts(tmp_path: Path) -> None:
    paired = [
        episode(f"app-{task}", "mine", condition, outcome)
        for task in range(3)
        for condition, outcome in (("clean", "success"), ("dual", "failure"))
    ]
    unpaired = [
        episode(f"app-{task}", "unlucky", condition, "failure", **more)
        for task, missed in enumerate(
            ({"unknown": "no tree"}, {"missed": ("x",), "shown": 0}, {"missed": ("x",), "shown": 0})
        )
        for condition, more in (("clean", {}), ("dual", missed))
    ]
    write_run(tmp_path / "run", [*paired, *unpaired])
    given = read_input([tmp_path / "run"])
    text = words(page(tmp_path / "run"), "comparison")
    assert (
        "unlucky: dual against clean: no pair of the same task and seed, so nothing can be compared" in text
    )
    assert "unknown outcome 1, not shown 2" in text
    tables = {block.caption: block for block in comparison_section(given).blocks if isinstance(block, Table)}
    rows = {row[0]: row for row in tables["Clean against interrupted, by agent and condition"].rows}
    assert rows["unlucky"][1:7] == ("dual", 0, None, None, None, None)
    assert rows["mine"][2] == 3
    overview = words(page(tmp_path / "run"), "overview")
    assert "Nothing can be compared for unlucky (dual)" in overview
    assert "Not in the chart, without a valid episode: unlucky (dual)." in overview


def test_a_truncated_last_line_and_missing_screenshots_are_said(tmp_path: Path) -> None:
    writer = write_run(tmp_path / "run", FOUR)
    for summary in FOUR:
        write_log(writer, summary)
    results = tmp_path / "run" / RESULTS
    results.write_bytes(results.read_bytes()[:-20])
    document = page(tmp_path / "run")
    assert "1 episode began without a complete result" in words(document, "overview")
    assert "Picture missing: Last screen of app-a" in words(document, "failures")


def test_last_screens_are_thumbnails_inside_the_page(tmp_path: Path) -> None:
    writer = write_run(tmp_path / "run", FOUR)
    write_log(writer, FOUR[1], screen=picture())
    addresses = page(tmp_path / "run").xpath("//img/@src")
    assert [address[:23] for address in addresses] == ["data:image/webp;base64,"] * 2
    assert "<img" not in report_html(read_input([tmp_path / "run"]), pictures=False)


def test_runs_that_differ_are_named_or_refused(tmp_path: Path) -> None:
    write_run(tmp_path / "a", FOUR)
    write_run(tmp_path / "b", [episode("app-a", "other", "clean", "success")], seconds=30)
    write_run(tmp_path / "c", [episode("app-a", "third", "clean", "success")], kind=DeviceKind.REAL)
    given = read_input([tmp_path / "a", tmp_path / "b"])
    document = html.document_fromstring(report_html(given))
    assert "Not comparable" in document.xpath("string(//p[@class='notice'])")
    with pytest.raises(InputError, match="time limits"):
        read_input([tmp_path / "a", tmp_path / "b"], strict=True)
    with pytest.raises(InputError, match="virtual device and"):
        read_input([tmp_path / "a", tmp_path / "c"])
    with pytest.raises(InputError, match="no run"):
        read_input([])


def test_sections_of_other_packages_come_before_the_methods(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_run(tmp_path / "run", FOUR)
    (tmp_path / "run" / "extra").mkdir()
    section = Section("extra", "Extra & more", (Paragraph(HOSTILE),))

    def broken(_runs: object) -> tuple[Section, ...]:
        raise InputError("the extras are damaged")

    for package, sections in (("whole", lambda _runs: (section,)), ("broken", broken)):
        module = SimpleNamespace(sections=sections)
        monkeypatch.setitem(sys.modules, f"garabench.{package}.report_section", module)
    sources = [SectionSource(package, "extra") for package in ("whole", "broken")]
    text = report_html(read_input([tmp_path / "run"]), sources=[*sources, SectionSource("absent", "absent")])
    document = html.document_fromstring(text)
    ids = document.xpath("//main/section/@id")
    assert ids[ids.index("cost") + 1 : ids.index("methods")] == ["extra", "broken"]
    assert "This section could not be read: the extras are damaged" in words(document, "broken")


def test_every_source_has_a_module_and_reads_a_run_without_results(tmp_path: Path) -> None:
    run = load_run(write_run(tmp_path / "run", FOUR).folder)
    for source in SECTION_SOURCES:
        assert source.sections([run]) == ()
        (run.folder / source.folder).mkdir(exist_ok=True)
        assert source.sections([run]) == ()
