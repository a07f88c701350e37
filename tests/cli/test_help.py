"""Every help page has an example, and every example runs."""

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
from garabench.core import campaign_events as ev
from garabench.core.clock import SystemClock
from garabench.device.emulators.emulator import running_avds, stop_emulator
from garabench.device.emulators.fleet import PREFIX
from garabench.device.emulators.sdk import AndroidSdk
from garabench.records.bundle import write_bundle
from garabench.records.campaign_log import CampaignLog
from garabench.records.plan import Plan
from garabench.records.reader import load_run
from garabench.records.remote_runs import copy_run_to
from garabench.records.run_writer import RunWriter
from garabench.report.leaderboard import make_submission
from garabench.testing.sdk_stand_in.install import install_stand_in
from garabench.virtual import standalone
from garabench.virtual.phone_process import VirtualPhone
from tests.authoring.d_gara.test_import_suite import write_released
from tests.cli.recorded_replies import record_reply
from tests.cli.test_compare import EPISODES
from tests.cli.test_rules import RESULTS
from tests.docs.test_guides import BLOCK, GUIDES, ROOT
from tests.graph.recorded_run import record_run
from tests.phones import PhonePool
from tests.report.written_runs import episode, write_log, write_run
from tests.small_suite import run_file
from tests.verifier.imports import test_imported_run as androidworld
from tests.verifier.test_imports import write_aitk

pytestmark = pytest.mark.usefixtures("adb_server")


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


def commands_of_guides() -> frozenset[str]:
    """Return the commands that `tests.docs.test_guides` runs, in the same step of CI."""
    blocks = [block for name in GUIDES for block in BLOCK.findall((ROOT / name).read_text(encoding="utf-8"))]
    return frozenset(line for _, kind, _, body in blocks if kind == "run" for line in body.splitlines())


RUN_BY_GUIDES = commands_of_guides()


@pytest.fixture(scope="module")
def phone(phone_pool: PhonePool, adb_server: None) -> Iterator[VirtualPhone]:
    with phone_pool.borrow() as running:
        yield running


def _record_episodes() -> None:
    writer = RunWriter.create(Path("runs/first"), run_file(Plan(tasks=("a",), agents=("ignore",))))
    for item in EPISODES:
        writer.append_result(item)


def _record_graph_run() -> None:
    record_run(Path("runs/first"))


def _write_bundle() -> None:
    _record_episodes()
    write_bundle(load_run("runs/first"), Path("run.zip"))


def _write_submission() -> None:
    solved = episode("a", "heuristic", "clean", "success")
    writer = write_run(Path("runs/first"), [solved], conditions=["clean"])
    write_log(writer, solved)
    writer.rebuild()
    Path("submission.json").write_text(
        make_submission([load_run("runs/first")], "me").model_dump_json(), encoding="utf-8"
    )


def _record_empty_run() -> None:
    RunWriter.create(Path("runs/first"), run_file(Plan(tasks=("a",), agents=("ignore",))))


def _save_labels() -> None:
    header = "benchmark,task_id,model_name,annotator_name,trajectory_success"
    rows = [f"webarena,webarena.1,model,{name},Successful" for name in ("a", "b")]
    Path("annotations.csv").write_text("\n".join((header, *rows)) + "\n", encoding="utf-8")


def _save_screen() -> None:
    Path("screen.xml").write_bytes(RESULTS)


def _save_two_screens() -> None:
    Path("before.xml").write_bytes(RESULTS)
    Path("after.xml").write_bytes(RESULTS.replace(b'resource-id="', b'selected="true" resource-id="', 1))


def _save_reply() -> None:
    Path("reply.txt").write_text('{"thought":"搜索","POINT":[729,69]}', encoding="utf-8")


def _record_reply() -> None:
    record_reply(Path("runs/models"))


def _start_phone() -> None:
    standalone.start_phone(
        standalone.PhoneOptions("phone", "android-34", "zh", "instant", 0, False), SystemClock()
    )


def _create_avd() -> None:
    sdk = AndroidSdk.find()
    sdk.create(f"{PREFIX}1", sdk.choose_image())


def _record_campaign() -> None:
    _record_empty_run()
    log, now = CampaignLog(Path("runs/first")), SystemClock().now()
    log.append(ev.RunBegun(time=now, planned=1))
    log.append(
        ev.AttemptEnded(
            time=now, device="a", episode="a", attempt=1, outcome="success", reason="goal", seconds=1
        )
    )


def _save_checkpoint() -> None:
    androidworld.checkpoint(Path("results/SmsSend_0.pkl.gz"), [androidworld.episode()])


def _set_up_nothing() -> None:
    pass


def _copy_run() -> None:
    _record_empty_run()
    copy_run_to(Path("runs/first"), "memory://runs/first")


SET_UP: dict[str, Callable[[], None]] = {
    "garabench agents parse": _save_reply,
    "garabench agents replay": _record_reply,
    "garabench bundle": _record_episodes,
    "garabench compare": _record_episodes,
    "garabench diagnose": _record_empty_run,
    "garabench emulators start": _create_avd,
    "garabench export": _record_episodes,
    "garabench leaderboard": _write_submission,
    "garabench leaderboard create": _write_submission,
    "garabench leaderboard validate": _write_submission,
    "garabench report": _record_episodes,
    "garabench graph": _record_graph_run,
    "garabench goals new": _save_two_screens,
    "garabench goals test": _save_screen,
    "garabench rules explain": _save_screen,
    "garabench rules new": _save_screen,
    "garabench rules replay": _record_graph_run,
    "garabench runs copy": _record_empty_run,
    "garabench runs du": _record_episodes,
    "garabench runs fetch": _copy_run,
    "garabench runs fsck": _record_empty_run,
    "garabench runs rebuild": _record_empty_run,
    "garabench runs import": _write_bundle,
    "garabench runs merge": _record_empty_run,
    "garabench runs predict": _record_campaign,
    "garabench runs prune": _record_episodes,
    "garabench runs show": _record_episodes,
    "garabench runs watch": _record_empty_run,
    "garabench tasks import": _save_checkpoint,
    "garabench tasks import aitk": lambda: write_aitk(Path("saves/cnn_1")),
    "garabench tasks import androidworld": _save_checkpoint,
    "garabench tasks import d-gara": lambda: write_released(Path("released")),
    "garabench tasks new": lambda: Path("my-suite").mkdir(),
    "garabench view": _record_episodes,
    "garabench verify": _record_graph_run,
    "garabench verify agreement": _save_labels,
    "garabench verify label": _record_graph_run,
    "garabench verify run": _record_graph_run,
    "garabench phone allow": _start_phone,
    "garabench phone set": _start_phone,
    "garabench phone ui": _start_phone,
    "garabench phone stop": _start_phone,
}
UNDECIDED = frozenset({"garabench verify"})
"""Pages whose example ends with 1: no suite has the tasks of the written run, so no verdict is reached."""


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("GARABENCH_STATE", str(tmp_path / "state"))
    monkeypatch.setenv("ANDROID_HOME", str(install_stand_in(tmp_path / "sdk")))
    monkeypatch.setenv("ANDROID_AVD_HOME", str(tmp_path / "avds"))
    monkeypatch.setattr("platform.machine", lambda: "x86_64")
    yield
    for emulator in running_avds(SystemClock()):
        if emulator.avd.startswith(PREFIX):
            stop_emulator(emulator, SystemClock(), save=False)
    for each in standalone.running_phones():
        standalone.stop_phone(each, SystemClock())


@pytest.mark.parametrize("name", PAGES)
def test_examples_run(name: str, place: None, phone: VirtualPhone) -> None:
    found = examples(PAGES[name])
    assert found, f"the help page of {name} has no example"
    expected = 1 if name in UNDECIDED else 0
    words = name.split()[1:]
    page = CliRunner().invoke(main, [*words, "-h"])
    assert page.exit_code == 0
    for example in found:
        assert f"    {example}\n" in page.output, "the page wraps the example"
        assert example.startswith(name), "an example calls the command of its page"
        if example in RUN_BY_GUIDES:
            continue
        SET_UP.get(name, _set_up_nothing)()
        argv = [phone.serial if word == "SERIAL" else word for word in shlex.split(example)[1:]]
        done = CliRunner().invoke(main, argv)
        assert done.exit_code == expected, f"{example}\n{done.output}"
        assert done.output.strip()


def test_set_up_names_existing_commands() -> None:
    assert set(SET_UP) <= set(PAGES)


def test_every_command_accepts_the_log_options() -> None:
    commands = {name: page for name, page in PAGES.items() if not isinstance(page, click.Group)}
    for name, command in commands.items():
        options = {option for parameter in command.params for option in parameter.opts}
        assert options >= {"-v", "--log-file"}, name


@pytest.mark.parametrize("name", [name for name, page in PAGES.items() if isinstance(page, click.Group)])
def test_summaries_of_commands_are_not_cut_off(name: str) -> None:
    page = CliRunner().invoke(main, [*name.split()[1:], "-h"]).output
    _, _, commands = page.partition("\nCommands:\n")
    assert commands and "..." not in commands


LISTINGS = [
    name
    for name, page in PAGES.items()
    if name.endswith((" list", " check", " faults"))
    and not any(isinstance(each, click.Argument) and each.required for each in page.params)
]


@pytest.mark.parametrize("name", LISTINGS)
def test_every_listing_has_json_output(name: str, place: None, phone: VirtualPhone) -> None:
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


def test_broken_suite_completes_nothing_and_prints_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("garabench.suite.suite.default_root", lambda: tmp_path)
    shell = ShellComplete(main, {}, "garabench", "_GARABENCH_COMPLETE")
    assert shell.get_completions(["tasks", "show"], "bili") == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["goals", "list", "bili-video-like"], "Did you mean 'bili-video-liked'?"),
        (["rules", "list", "bilibil"], "Did you mean 'bilibili'?"),
        (["tasks", "show", "bili-like-song-liv"], "Did you mean 'bili-like-song-live'?"),
    ],
)
def test_unknown_name_is_reported_with_the_nearest(words: list[str], message: str) -> None:
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 2
    assert message in result.output
