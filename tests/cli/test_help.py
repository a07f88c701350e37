"""Every command's help page has an example, and each example does what it says."""

from __future__ import annotations

import json
import shlex
from collections.abc import Callable, Iterator
from pathlib import Path

import click
import pytest
from click.shell_completion import ShellComplete
from click.testing import CliRunner

from garabench.cli.main import main
from garabench.core.clock import SystemClock
from garabench.records.plan import Plan
from garabench.records.run_writer import RunWriter
from garabench.virtual import standalone
from garabench.virtual.phone_process import VirtualPhone
from tests.cli.asked_run import asked_run
from tests.cli.test_compare import EPISODES
from tests.cli.test_rules import RESULTS
from tests.e2e.test_main_job import adb_server  # noqa: F401  # an adb server of our own
from tests.phones import PhonePool
from tests.small_suite import run_file


def pages(command: click.Command, name: str) -> Iterator[tuple[str, click.Command]]:
    yield name, command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for word in command.list_commands(context):
            each = command.get_command(context, word)
            assert each is not None
            yield from pages(each, f"{name} {word}")


PAGES = dict(pages(main, "garabench"))


def examples(command: click.Command) -> list[str]:
    _, _, below = (command.help or "").partition("Example:")
    return [line.strip() for line in below.splitlines() if line.strip().startswith("garabench")]


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool, adb_server: None) -> Iterator[VirtualPhone]:  # noqa: F811
    with phone_pool.borrow() as running:
        yield running


def _recorded() -> None:
    writer = RunWriter.create(Path("runs/first"), run_file(Plan(tasks=("a",), agents=("ignore",))))
    for item in EPISODES:
        writer.append_result(item)


def _consistent() -> None:
    RunWriter.create(Path("runs/first"), run_file(Plan(tasks=("a",), agents=("ignore",))))


def _kept_screen() -> None:
    Path("screen.xml").write_bytes(RESULTS)


def _replied() -> None:
    Path("reply.txt").write_text('{"thought":"搜索","POINT":[729,69]}', encoding="utf-8")


def _asked() -> None:
    asked_run(Path("runs/models"))


def _started() -> None:
    standalone.start(standalone.PhoneOptions("phone", "android-34", "zh", "instant", 0, False), SystemClock())


def _nothing() -> None:
    pass


SET_UP: dict[str, Callable[[], None]] = {
    "garabench agents parse": _replied,
    "garabench agents replay": _asked,
    "garabench compare": _recorded,
    "garabench rules explain": _kept_screen,
    "garabench runs du": _recorded,
    "garabench runs fsck": _consistent,
    "garabench runs prune": _recorded,
    "garabench runs show": _recorded,
    "garabench phone allow": _started,
    "garabench phone set": _started,
    "garabench phone ui": _started,
    "garabench phone stop": _started,
}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path / "state"))
    yield
    for each in standalone.running():
        standalone.stop(each, SystemClock())


@pytest.mark.parametrize("name", PAGES)
def test_an_example_does_what_it_says(name: str, place: None, phone: VirtualPhone) -> None:
    found = examples(PAGES[name])
    assert found, f"the help page of {name} has no example"
    words = name.split()[1:]
    page = CliRunner().invoke(main, [*words, "-h"])
    assert page.exit_code == 0
    for example in found:
        assert f"    {example}\n" in page.output, "the page breaks the example's line"
        assert example.startswith(name), "an example is one of the command itself"
        SET_UP.get(name, _nothing)()
        argv = [phone.serial if word == "SERIAL" else word for word in shlex.split(example)[1:]]
        done = CliRunner().invoke(main, argv)
        assert done.exit_code == 0, f"{example}\n{done.output}"
        assert done.output.strip()


def test_the_set_up_is_of_commands_that_are_there() -> None:
    assert set(SET_UP) <= set(PAGES)


LISTINGS = [
    name
    for name, page in PAGES.items()
    if name.endswith((" list", " check", " faults"))
    and not any(isinstance(each, click.Argument) and each.required for each in page.params)
]


@pytest.mark.parametrize("name", LISTINGS)
def test_every_listing_is_there_for_programs(name: str, place: None, phone: VirtualPhone) -> None:
    done = CliRunner().invoke(main, [*name.split()[1:], "--json"])
    assert done.exit_code == 0, done.output
    assert isinstance(json.loads(done.output), list | dict)


@pytest.mark.parametrize(
    ("words", "incomplete", "offered"),
    [
        (["run", "--tasks"], "bili", "bilibili"),
        (["run", "--tasks"], "bilibili,jd", "bilibili,jd"),
        (["run", "--tasks"], "com.jing", "com.jingdong.app.mall"),
        (["run", "--agents"], "dismiss,ign", "dismiss,ignore"),
        (["run", "--conditions"], "clean,du", "clean,dual"),
        (["tasks", "show"], "bili-like-song", "bili-like-song-live"),
        (["tasks", "list"], "togg", "toggle"),
        (["rules", "explain"], "bili-video-data", "bili-video-data-usage"),
        (["rules", "explain", "bili-video-crash"], "bili-video-data", "bili-video-data-usage"),
        (["rules", "list"], "j", "jd"),
        (["goals", "list"], "bili-video-like", "bili-video-liked"),
    ],
)
def test_names_are_completed(words: list[str], incomplete: str, offered: str) -> None:
    shell = ShellComplete(main, {}, "garabench", "_GARABENCH_COMPLETE")
    found = [item.value for item in shell.get_completions(words, incomplete)]
    assert offered in found
    assert all(value.startswith(incomplete) for value in found)


def test_a_broken_suite_completes_nothing_and_says_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("garabench.suite.suite.default_root", lambda: tmp_path)
    shell = ShellComplete(main, {}, "garabench", "_GARABENCH_COMPLETE")
    assert shell.get_completions(["tasks", "show"], "bili") == []


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["goals", "list", "bili-video-like"], "Did you mean 'bili-video-liked'?"),
        (["rules", "list", "bilibil"], "Did you mean 'bilibili'?"),
        (["tasks", "show", "bili-like-song-liv"], "Did you mean 'bili-like-song-live'?"),
    ],
)
def test_an_unknown_name_is_told_with_the_nearest(words: list[str], said: str) -> None:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert said in result.output
