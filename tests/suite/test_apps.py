"""A misspelled app is reported once, at its cause."""

from __future__ import annotations

import pytest

from tests.suite.written_suite import APP, TASKS, Write, edit, errors


def test_a_misspelled_app_of_tasks_is_reported_once_without_consequences(write: Write) -> None:
    root = write("tasks/bili.yaml", f"app: {APP}", "app: tv.danmaku.bil")
    (error,) = errors(root)
    assert str(error.place) == "tasks/bili.yaml:1:6"
    assert error.message == "no goal or rule of the suite is for the app 'tv.danmaku.bil'"
    assert error.hint == f"Did you mean {APP!r}?"


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        (["goal_schemas/bili.yaml"], "no task or rule of the suite is for the app 'tv.danmaku.bil'"),
        (["rules/bili.yaml"], "no task or goal of the suite is for the app 'tv.danmaku.bil'"),
    ],
)
def test_a_misspelled_app_of_goals_or_rules_is_reported_once(
    write: Write, files: list[str], expected: str
) -> None:
    root = write(files[0], f"app: {APP}", "app: tv.danmaku.bil")
    (error,) = errors(root)
    assert (str(error.place), error.message, error.hint) == (
        f"{files[0]}:1:6",
        expected,
        f"Did you mean {APP!r}?",
    )


def test_a_misspelled_app_of_one_rule_is_reported_once(write: Write) -> None:
    root = write(
        "rules/bili.yaml", "    description: A new", "    app: tv.danmaku.bilibi\n    description: A new"
    )
    (error,) = errors(root)
    assert str(error.place) == "rules/bili.yaml:4:10"
    assert error.hint == f"Did you mean {APP!r}?"


def test_misspelled_apps_in_several_files_are_each_reported_once(write: Write) -> None:
    root = write("goal_schemas/bili.yaml", f"app: {APP}", "app: tv.danmaku.bilii")
    edit(root / "rules/bili.yaml", (f"app: {APP}", "app: tv.danmaku.bil"))
    (root / "tasks" / "more.yaml").write_text(
        TASKS.replace("open-", "more-").replace("打开", "再打开").replace("Open", "Open again"),
        encoding="utf-8",
    )
    assert [(str(error.place), error.hint) for error in errors(root)] == [
        ("goal_schemas/bili.yaml:1:6", f"Did you mean {APP!r}?"),
        ("rules/bili.yaml:1:6", f"Did you mean {APP!r}?"),
    ]


def test_other_mistakes_next_to_a_misspelled_app_are_reported(write: Write) -> None:
    root = write("tasks/bili.yaml", f"app: {APP}", "app: tv.danmaku.bil")
    first = "title: 稻香}}\n    rules: [home-updat"
    edit(root / "tasks/bili.yaml", (f"{first}e]", f"{first}]"))
    assert [str(error.place) for error in errors(root)] == [
        "tasks/bili.yaml:1:6",
        "tasks/bili.yaml:6:13",
    ]


def test_an_app_unlike_any_other_is_reported_where_its_tasks_use_foreign_names(
    write: Write,
) -> None:
    root = write("tasks/bili.yaml", f"app: {APP}", "app: org.wikipedia.reader")
    messages = [error.message for error in errors(root)]
    assert f"the goal 'video-open' is for {APP}, the task for org.wikipedia.reader" in messages
