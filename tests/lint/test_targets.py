"""Ids and texts in rules, goals and paths that are on no screen of their app."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from garabench.lint.suite_check import check_suite
from tests.suite.written_suite import APP, OTHER, Write, assert_reported, edit, errors, first_lines

HOLDS = f"        - package: {APP}\n"
NEARER = "garabench tasks texts tv.danmaku.bili --suite ."


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            "tasks/bili.yaml",
            "{id: title, text",
            "{id: titel, text",
            "tasks/bili.yaml:8:19: no screen of tv.danmaku.bili has the id 'titel'",
        ),
        ("tasks/bili.yaml", "{id: title, text", "{id: titel, text", "Did you mean 'title'?"),
        ("tasks/bili.yaml", "{id: title, text", "{id: titel, text", NEARER),
        (
            "tasks/bili.yaml",
            "text: 稻香}",
            "text: 稻香香}",
            "tasks/bili.yaml:8:32: no screen of tv.danmaku.bili shows the text '稻香香'",
        ),
        (
            "tasks/bili.yaml",
            "{title: 稻香}",
            "{title: 稻香香}",
            "tasks/bili.yaml:5:43: no screen of tv.danmaku.bili shows the text '稻香香'",
        ),
        (
            "tasks/bili.yaml",
            "com.jingdong.app.mall:id/title",
            "com.jingdong.app.mall:id/titel",
            f"tasks/bili.yaml:15:19: no screen of {OTHER} has the id 'titel'",
        ),
        ("tasks/bili.yaml", "text: 稻香}", "text_contains: 稻香香}", "shows a text containing '稻香香'"),
        ("tasks/bili.yaml", "text: 稻香}", "text_contains: 稻}", ""),
        ("tasks/bili.yaml", "text: 稻香}", "text_matches: ^稻$}", "shows a text matching '^稻$'"),
        ("tasks/bili.yaml", "text: 稻香}", "text_matches: ^稻}", ""),
        (
            "tasks/bili.yaml",
            "      - tap: {id: title, text: 稻香}",
            "      - type: {text: 香稻稻}\n      - tap: {id: title, text: 香稻稻}",
            "",  # it was typed
        ),
        (
            "goal_schemas/bili.yaml",
            "{id: title,",
            "{id: titel,",
            "goal_schemas/bili.yaml:9:24: no screen of tv.danmaku.bili has the id 'titel'",
        ),
        (
            "goal_schemas/bili.yaml",
            "{id: title,",
            "{desc: 分享了, id: title,",
            "goal_schemas/bili.yaml:9:26: no screen of tv.danmaku.bili shows the text '分享了'",
        ),
        (
            "goal_schemas/bili.yaml",
            HOLDS,
            f"{HOLDS}        - not: {{exists: {{id: offlien}}}}\n",
            "goal_schemas/bili.yaml:9:30: no screen of tv.danmaku.bili has the id",
        ),
        (
            "goal_schemas/bili.yaml",
            HOLDS,
            f"{HOLDS}        - equals: {{select: {{id: title}}, value: 香稻稻}}\n",
            "goal_schemas/bili.yaml:9:48: no screen of tv.danmaku.bili shows the text '香稻稻'",
        ),
        ("goal_schemas/bili.yaml", HOLDS, f"{HOLDS}        - exists: {{id: anything, package: org.x}}\n",
         "this belongs to org.x"),
        (
            "rules/bili.yaml",
            f"- package: {APP}",
            "- exists: {text: 香稻稻}",
            "rules/bili.yaml:8:26: no screen of tv.danmaku.bili shows the text '香稻稻'",
        ),
        ("rules/bili.yaml", f"- package: {APP}", "- exists: {id: titel}", "has the id 'titel'"),
        ("rules/bili.yaml", f"- package: {APP}", "- exists: {id: switch_widget}", ""),  # the system's
    ],
)  # fmt: skip
def test_a_target_on_no_screen_is_reported_with_its_location(
    write: Write, file: str, old: str, new: str, message: str
) -> None:
    assert_reported(write(file, old, new), message)


GUARDED = (
    f"{HOLDS}        - any: [{{exists: {{id: loading_list}}}}, {{exists: {{id: title}}}}]\n",
    "    guards: [{part: '2.1', reason: a real app loads for long}]\n",
)


def test_a_guard_may_name_a_target_on_no_screen(write: Write) -> None:
    parts, guards = GUARDED
    root = write("goal_schemas/bili.yaml", HOLDS, parts)
    assert "goal_schemas/bili.yaml:9:31: no screen of" in str(errors(root)[0])
    edit(root / "goal_schemas/bili.yaml", ("    params:", f"{guards}    params:"))
    check_suite(root)
    edit(root / "goal_schemas/bili.yaml", ("'2.1'", "'2.2'"))
    assert "loading_list" in str(errors(root)[0])


def test_a_filled_guard_may_name_a_target_on_no_screen(write: Write) -> None:
    root = write("tasks/bili.yaml", "{title: 稻香}", "{title: 稻香香}")
    edit(
        root / "goal_schemas/bili.yaml",
        ("    params:", "    guards: [{part: 2, reason: never}]\n    params:"),
    )
    check_suite(root)


def test_the_ids_in_a_faulty_entry_are_checked(write: Write) -> None:
    root = write("tasks/bili.yaml", "{id: title, text", "{id: titel, text")
    edit(
        root / "tasks/bili.yaml",
        ("    instruction: {zh: 打开稻香", "    colour: red\n    instruction: {zh: 打开稻香"),
    )
    edit(
        root / "goal_schemas/bili.yaml",
        ("{id: title,", "{id: titel,"),
        ("    params:", "    colour: red\n    params:"),
    )
    reported = first_lines(root)
    assert sum("unknown key 'colour'" in line for line in reported) == 2
    assert sum("has the id 'titel'" in line for line in reported) == 2


def test_an_app_with_unknown_screens_is_skipped(write: Write) -> None:
    root = write()
    for path in root.rglob("*.yaml"):
        text = path.read_text(encoding="utf-8").replace(APP, "com.example.reader")
        path.write_text(
            text.replace("稻香", "第一章").replace("{id: title", "{id: chapter_name"), encoding="utf-8"
        )
    check_suite(root)


def test_a_suite_can_add_its_own_screen_texts(write: Write) -> None:
    root = write("tasks/bili.yaml", "{id: title, text: 稻香}", "{id: titel, text: 稻香香}")
    _write_texts(root, APP, ["titel", "稻香香"])
    check_suite(root)


def test_an_app_that_a_suite_marks_as_unknown_is_skipped(write: Write) -> None:
    """For example, the real app with the package of a stand-in."""
    root = write("tasks/bili.yaml", "{id: title, text: 稻香}", "{id: titel, text: 稻香香}")
    edit(root / "rules/bili.yaml", ("热门", "热门榜单"))
    assert len(errors(root)) == 3
    _write_texts(root, APP, None)
    check_suite(root)


def _write_texts(root: Path, package: str, texts: list[str] | None) -> None:
    (root / "texts").mkdir(exist_ok=True)
    content = {"package": package, "system": False, "texts": texts}
    (root / "texts" / f"{package}.json").write_text(json.dumps(content), encoding="utf-8")
