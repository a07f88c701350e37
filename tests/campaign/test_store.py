from __future__ import annotations

import errno
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from garabench.campaign.plan import Plan, episodes
from garabench.campaign.store import LOCK, RESULTS, RUN_FILE, RUN_VERSION, RunFile, RunStore, read_results
from garabench.campaign.suite import Suite
from garabench.core.events import EpisodeEnded
from garabench.episode.recorder import EVENTS
from garabench.errors import InputError, RecordError

Record = Callable[..., EpisodeEnded]


def changed(store: RunStore, **changes: Any) -> None:
    path = store.folder / RUN_FILE
    data = json.loads(path.read_text(encoding="utf-8"))
    path.write_text(json.dumps(data | changes), encoding="utf-8")


def test_a_run_is_opened_as_it_was_made(store: RunStore) -> None:
    again = RunStore.open(store.folder)
    assert again == store
    assert [path.name for path in store.folder.iterdir()] == [RUN_FILE]


def test_a_run_is_never_begun_over_another(store: RunStore) -> None:
    with pytest.raises(InputError, match="holds a run already") as caught:
        RunStore.create(store.folder, store.run)
    assert "--resume" in caught.value.hint


def test_a_run_begins_in_an_empty_or_a_new_folder_only(tmp_path: Path, store: RunStore) -> None:
    (tmp_path / "empty").mkdir()
    assert RunStore.create(tmp_path / "empty", store.run).run == store.run
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "letter.txt").write_text("dear", encoding="utf-8")
    (tmp_path / "file").write_text("x", encoding="utf-8")
    for name in ("other", "file"):
        with pytest.raises(InputError, match="is there already and is no run"):
            RunStore.create(tmp_path / name, store.run)
    assert (tmp_path / "other" / "letter.txt").read_text(encoding="utf-8") == "dear"


def test_a_run_that_cannot_be_written_is_told(
    tmp_path: Path, store: RunStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_text", full)
    with pytest.raises(RecordError, match="the disk is full"):
        RunStore.create(tmp_path / "new", store.run)
    assert not (tmp_path / "new" / RUN_FILE).exists()


def test_there_is_no_run_in_any_folder(tmp_path: Path) -> None:
    for folder in (tmp_path, tmp_path / "nothing"):
        with pytest.raises(InputError, match=r"holds no run: there is no run\.json"):
            RunStore.open(folder)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is broken"),
        (b'{"version": 1, "garabench"', "is broken"),
        (b"\xff\xfe", "is broken"),
        (b"[]", r"run\.json is broken: Input should be"),
        (b"{}", r"is broken: garabench: Field required"),
    ],
)
def test_a_broken_run_file_is_told(store: RunStore, content: bytes, message: str) -> None:
    (store.folder / RUN_FILE).write_bytes(content)
    with pytest.raises(InputError, match=message):
        RunStore.open(store.folder)


def test_a_wrong_value_in_a_run_file_is_named(store: RunStore) -> None:
    changed(store, plan={**store.run.plan.model_dump(mode="json"), "seeds": 0})
    with pytest.raises(InputError, match=r"is broken: plan\.seeds: Input should be greater"):
        RunStore.open(store.folder)


def test_a_run_from_before_there_were_stress_levels_has_none(store: RunStore) -> None:
    plan = store.run.plan.model_dump(mode="json")
    del plan["interruptions"]
    changed(store, plan=plan)
    assert RunStore.open(store.folder).run.plan.interruptions is None


def test_a_newer_run_is_refused_by_its_version(store: RunStore) -> None:
    changed(store, version=RUN_VERSION + 1, what_is_new=True)
    with pytest.raises(InputError, match=f"is of version {RUN_VERSION + 1}, and this GaraBench") as caught:
        RunStore.open(store.folder)
    assert caught.value.hint == "Use a newer GaraBench to read it."


def test_the_same_plan_and_suite_may_go_on(store: RunStore, plan: Plan, suite: Suite) -> None:
    before = (store.folder / RUN_FILE).read_bytes()
    RunStore.open(store.folder).check_resumable(plan, suite)
    assert (store.folder / RUN_FILE).read_bytes() == before


def test_another_suite_may_not(store: RunStore, plan: Plan, suite: Suite) -> None:
    changed(store, suite_hash="0" * 64)
    with pytest.raises(InputError) as caught:
        RunStore.open(store.folder).check_resumable(plan, suite)
    assert "was made with another version of the suite (000000000000, now " in caught.value.message
    assert suite.digest[:12] in caught.value.message


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("seeds", 2),
        ("seed", 7),
        ("conditions", ("clean",)),
        ("tasks", ("like-a",)),
        ("retries", 3),
        ("interruptions", 2),
    ],
)
def test_another_plan_may_not_and_the_difference_is_named(
    store: RunStore, plan: Plan, suite: Suite, name: str, value: object
) -> None:
    with pytest.raises(InputError, match=f"was planned with other {name}: "):
        store.check_resumable(plan.model_copy(update={name: value}), suite)


def test_only_one_at_a_time_performs_a_run(store: RunStore) -> None:
    other = RunStore.open(store.folder)
    busy = pytest.raises(InputError, match="is being performed by another process")
    with store.held(), busy, other.held():
        raise AssertionError("it was held twice")
    with other.held():
        assert (store.folder / LOCK).exists()


def test_results_of_the_two_kinds_of_device_are_never_mixed(store: RunStore) -> None:
    store.check_kind("virtual")
    with pytest.raises(InputError, match="was made on a virtual device, and this is a real one"):
        store.check_kind("real")


def test_a_run_goes_on_on_a_device_like_the_one_before(store: RunStore) -> None:
    device = {"kind": "virtual", "model": "Pixel 8", "size": "1080x2400", "fingerprint": "a/b"}
    changed(store, device=device)
    begun = RunStore.open(store.folder)
    begun.check_device(device | {"serial": "another"})
    with pytest.raises(InputError, match="of another size: 1080x2400, now 720x1280"):
        begun.check_device(device | {"size": "720x1280"})


@pytest.mark.parametrize(
    ("before", "now", "said"),
    [
        ("aa11", "bb22", "an APK with the SHA-256 aa11, now an APK with the SHA-256 bb22"),
        ("", "bb22", "a virtual phone's own, now an APK with the SHA-256 bb22"),
        ("aa11", "", "an APK with the SHA-256 aa11, now a virtual phone's own"),
    ],
)
def test_a_run_with_interruptions_goes_on_with_the_same_companion_app_only(
    store: RunStore, plan: Plan, before: str, now: str, said: str
) -> None:
    device = {"kind": "real", "companion": before}
    changed(store, device=device)
    begun = RunStore.open(store.folder)
    begun.check_device(device)
    with pytest.raises(InputError, match=f"another build of the companion app: {said}") as caught:
        begun.check_device(device | {"companion": now})
    assert "Go on with the GaraBench that it was begun with, 0.1.0," in caught.value.hint
    clean = plan.model_copy(update={"conditions": ("clean",)})
    changed(store, plan=clean.model_dump(mode="json"))
    RunStore.open(store.folder).check_device(device | {"companion": now})  # it shows none


def test_a_run_that_kept_no_build_of_the_companion_app_goes_on(store: RunStore) -> None:
    changed(store, device={"kind": "real"})
    RunStore.open(store.folder).check_device({"kind": "real", "companion": "aa11"})


def test_only_an_episode_that_ended_otherwise_than_by_a_fault_has_ended(
    store: RunStore, plan: Plan, suite: Suite, record: Record
) -> None:
    won, lost, broken, cut, never, *_ = episodes(plan, suite)
    record(store.folder, won, "success")
    record(store.folder, lost, "failure")
    record(store.folder, broken, "error")
    record(store.folder, cut, "success")
    log = store.folder / cut.folder / EVENTS
    log.write_bytes(log.read_bytes()[:-5])
    assert [store.has_ended(spec) for spec in (won, lost, broken, cut, never)] == [True, True] + [False] * 3
    assert store.summarize(cut) is None
    assert store.summarize(never) is None
    summary = store.summarize(won)
    assert summary is not None
    assert (summary.task, summary.reference, summary.solution_steps) == ("like-a", True, 1)


def test_results_are_rebuilt_from_the_episodes_in_the_plans_order(
    store: RunStore, plan: Plan, suite: Suite, record: Record
) -> None:
    specs = episodes(plan, suite)
    for spec in reversed(specs[1:]):
        record(store.folder, spec, "success")
        summary = store.summarize(spec)
        assert summary is not None
        store.append_result(summary)
    appended = read_results(store.folder)
    assert [(item.task, item.condition) for item in appended] == [
        (spec.task.id, spec.condition) for spec in reversed(specs[1:])
    ]
    (store.folder / RESULTS).write_text("nonsense\n", encoding="utf-8")
    rebuilt = store.rebuild(specs)
    assert rebuilt == read_results(store.folder) == tuple(reversed(appended))
    (store.folder / RESULTS).unlink()
    assert store.rebuild(specs) == rebuilt
    assert not list(store.folder.glob("*.part"))


def test_the_last_result_of_an_episode_counts(
    store: RunStore, plan: Plan, suite: Suite, record: Record
) -> None:
    first, second, *_ = episodes(plan, suite)
    for spec, outcome in ((first, "error"), (second, "failure"), (first, "success")):
        record(store.folder, spec, outcome)
        summary = store.summarize(spec)
        assert summary is not None
        store.append_result(summary)
    found = read_results(store.folder)
    assert [(item.condition, item.outcome) for item in found] == [("dual", "failure"), ("clean", "success")]


def test_a_result_that_a_kill_cut_off_is_left_out(
    store: RunStore, plan: Plan, suite: Suite, record: Record
) -> None:
    specs = episodes(plan, suite)
    for spec in specs[:2]:
        record(store.folder, spec, "success")
    one, two = store.rebuild(specs)
    whole = (store.folder / RESULTS).read_bytes()
    for cut in (len(whole) - 1, len(whole) - 30):
        (store.folder / RESULTS).write_bytes(whole[:cut])
        assert read_results(store.folder) == (one,)
    assert store.rebuild(specs) == read_results(store.folder) == (one, two)


@pytest.mark.parametrize("line", ["{", "[]", "{}", '{"task": "t", "exits": [], "recovery": []}', "3"])
def test_a_broken_result_is_told_with_its_place(store: RunStore, line: str) -> None:
    (store.folder / RESULTS).write_text(line + "\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"results\.jsonl:1:1: not a result"):
        read_results(store.folder)


def test_a_run_without_results_has_none(tmp_path: Path) -> None:
    assert read_results(tmp_path) == ()


def test_a_result_that_cannot_be_kept_stops_the_run(
    store: RunStore, plan: Plan, suite: Suite, record: Record
) -> None:
    (spec, *_) = specs = episodes(plan, suite)
    record(store.folder, spec, "success")
    summary = store.summarize(spec)
    assert summary is not None
    (store.folder / RESULTS).mkdir()
    with pytest.raises(RecordError, match=r"results\.jsonl could not be written"):
        store.append_result(summary)
    with pytest.raises(RecordError, match="could not be written"):
        store.rebuild(specs)


def test_a_run_file_tells_its_version(store: RunStore) -> None:
    data = json.loads((store.folder / RUN_FILE).read_text(encoding="utf-8"))
    assert data["version"] == RUN_VERSION
    assert RunFile.model_validate(data) == store.run
