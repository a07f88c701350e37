"""All mistakes in a suite's folders are reported together."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.lint.suite_check import check_suite
from tests.suite.written_suite import TASKS, Write, assert_reported, errors, first_lines

BILI = "tasks/bili.yaml"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("id: open-song", "id: 5", f"{BILI}:3:9: expected a string (found 5)"),
        ("{use: video-open, with: {title: 稻香}}", "{use: video-open}", "the goal 'video-open' is missing"),
        ("zh: 打开稻香", "zhh: 打开稻香", "a language code has two lower-case letters, such as zh"),
        ("text: 稻香", f"text_matches: {'a' * 5000}", "expected at most 300 characters (found 'aaaaaa"),
        ("- tap: {id: title, text: 稻香}", "- key: entr", "8:14: unknown key name. Did you mean 'enter'?"),
        ("zh: 打开稻香,", "zh: 打开稻香，", "Line 4 has the character FULLWIDTH COMMA"),
        ("    rules", "   \u00a0rules", "Line 6 has the character NO-BREAK SPACE"),
        ("    rules", "\trules", f"{BILI}:6:1: tabs are not allowed for indentation; use spaces"),
        ("en: Open 稻香", "en: Open \x07稻香", "Open \ufffd稻香"),
        ("Open 稻香}", "Open 稻香", "while parsing a flow mapping, which starts on line 4"),
        ("[home-update]", "*rules", "aliases (*name) are not supported"),
    ],
)  # fmt: skip
def test_a_mistake_in_a_file_is_reported_with_its_location(
    write: Write, old: str, new: str, message: str
) -> None:
    reported = [str(error) for error in errors(write(BILI, old, new))]
    assert any(message in each for each in reported), reported
    assert all(each.startswith(f"{BILI}:") and "^" in each for each in reported)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("app: tv.danmaku.bili\ntasks:\n", f"{BILI}:2:7: expected a list"),
        ("app: tv.danmaku.bili\ntasks: {a: 1}\n", f"{BILI}:2:8: expected a list"),
        ("app: tv.danmaku.bili\ntasks: []\n", f"{BILI}:2:8: expected at least 1 item"),
        (TASKS.replace("app: tv.danmaku.bili\n", ""), f"{BILI}:1:1: missing key 'app'"),
        (TASKS.replace("app: tv.danmaku.bili\n", "app: [x]\n"), f"{BILI}:1:6: expected a string"),
        ("[" * 100_000, f"{BILI}:1:61: nested more than 60 levels deep"),
        ("- a\n", f"{BILI}:1:1: expected a mapping at the top level"),
    ],
)  # fmt: skip
def test_an_unreadable_file_is_one_mistake(write: Write, text: str, message: str) -> None:
    root = write()
    (root / BILI).write_text(text, encoding="utf-8")
    assert_reported(root, message)


def a_pipe(root: Path) -> None:
    os.mkfifo(root / "tasks/x.yaml")


def an_endless_device(root: Path) -> None:
    (root / "tasks/x.yaml").symlink_to("/dev/zero")


def a_loop(root: Path) -> None:
    (root / "tasks/x.yaml").symlink_to("x.yaml")


def a_folder(root: Path) -> None:
    (root / "tasks/x.yaml").mkdir()


def a_large_file(root: Path) -> None:
    (root / "tasks/x.yaml").write_bytes(b"#" * 8_000_001)


def a_capital_suffix(root: Path) -> None:
    (root / "tasks/x.YAML").write_text("a: 1")


def a_file_in_a_folder_below(root: Path) -> None:
    (root / "tasks/more").mkdir()
    (root / "tasks/more/x.yaml").write_text("a: 1")


def a_strange_name(root: Path) -> None:
    (root / "tasks/x\n\x1b[31m.yaml").write_text("a: [")


def a_name_that_is_no_text(root: Path) -> None:
    Path(os.fsdecode(os.fsencode(root) + b"/tasks/\xff.yaml")).write_text("a: [")


@pytest.mark.parametrize(
    ("add", "message"),
    [
        (a_pipe, "tasks/x.yaml is not a file"),
        (an_endless_device, "tasks/x.yaml is not a file"),
        (a_loop, "tasks/x.yaml cannot be read: Too many levels of symbolic links"),
        (a_folder, "tasks/x.yaml is a folder, not a file"),
        (a_large_file, "tasks/x.yaml:1:1: the file is larger than 8000000 bytes"),
        (a_capital_suffix, "tasks/x.YAML is not read: the file name must end in .yaml"),
        (a_file_in_a_folder_below, "tasks/more/x.yaml is not read: it must be directly in tasks/"),
        (a_strange_name, "tasks/x\\n\\x1b[31m.yaml:1:5: not valid YAML"),
        (a_name_that_is_no_text, "tasks/\\udcff.yaml:1:5: not valid YAML"),
    ],
)
def test_a_path_that_is_not_a_file_is_reported_next_to_other_mistakes(
    write: Write, add: Callable[[Path], None], message: str
) -> None:
    root = write(BILI, "id: open-song", "id: Song")
    add(root)
    reported = first_lines(root)
    assert len(reported) == 2
    assert any(line.startswith(message) for line in reported), reported
    assert any(line.startswith(f"{BILI}:3:9: an id consists of lower-case") for line in reported)


def test_mistakes_in_screen_texts_are_reported_next_to_other_mistakes(write: Write) -> None:
    root = write(BILI, "id: open-song", "id: Song")
    (root / "texts").mkdir()
    for name in ("a", "b"):
        (root / f"texts/{name}.json").write_text("{", encoding="utf-8")
    reported = first_lines(root)
    assert [line.partition(" ")[0].rpartition("/")[2] for line in reported] == [
        "a.json",
        "b.json",
        "bili.yaml:3:9:",
    ]


def test_other_files_are_ignored(write: Write) -> None:
    root = write()
    (root / "tasks/README.md").write_text("# Tasks\n")
    (root / "tasks/.bili.yaml.swp").write_bytes(b"\0")
    check_suite(root)
