"""Check, measure and prune a run's folder."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from garabench.core.geometry import Size
from garabench.core.observation import Focus, Observation, Screenshot, TreeSource
from garabench.core.tree import UiNode, UiTree
from garabench.errors import InputError
from garabench.records.campaign_log import CampaignLog
from garabench.records.content_store import ContentKind, ContentStore
from garabench.records.disk_usage import disk_usage
from garabench.records.episode_writer import EpisodeWriter
from garabench.records.fsck import check_run
from garabench.records.lock import locked
from garabench.records.prune import prune
from garabench.records.reader import Run, load_run
from garabench.records.run_layout import CAMPAIGN, EVENTS, REQUESTS, RESULTS, EpisodeKey
from garabench.records.run_writer import RunWriter
from tests.core.test_campaign_events import ALL
from tests.records.test_episode_writer import END
from tests.records.test_reader import V1, key_of, observed, started


def seen(text: str, picture: bytes) -> Observation:
    tree = UiTree((UiNode(text=text, package="a.b"),))
    size = Size(1, 2)
    return Observation(0, tree, Screenshot(picture, size), Focus("p", "A"), TreeSource.U2, "", 0.0, size)


def write_attempt(writer: RunWriter, key: EpisodeKey, *screens: tuple[str, bytes]) -> None:
    with EpisodeWriter(writer.folder / key.folder) as attempt:
        attempt.append([started(key, attempt.attempt)])
        for text, picture in screens:
            stored = attempt.store(seen(text, picture))
            attempt.append([observed(stored.tree, stored.picture)])
        attempt.append([END])


@pytest.fixture
def run(writer: RunWriter) -> Run:
    """A run of two episodes that share a screen; the first one was repeated."""
    first, second = key_of(writer), key_of(writer, 1)
    write_attempt(writer, first, ("home", b"home"), ("broken", b"broken"))
    write_attempt(writer, first, ("home", b"home"), ("page", b"page"))
    write_attempt(writer, second, ("home", b"home"))
    writer.rebuild()
    return load_run(writer.folder)


def found(run: Run) -> list[tuple[str, str]]:
    return [(item.kind.value, item.path) for item in check_run(load_run(run.folder))]


def picture(run: Run, data: bytes) -> Path:
    return run.store.path(run.store.add_picture(data), ContentKind.PNG)


def test_a_complete_run_has_no_inconsistency(run: Run) -> None:
    assert found(run) == []


def test_a_run_of_version_1_has_no_inconsistency(tmp_path: Path) -> None:
    shutil.copytree(V1, tmp_path / "run")
    assert found(load_run(tmp_path / "run")) == []


def test_a_missing_picture_is_found(run: Run) -> None:
    path = picture(run, b"page")
    path.unlink()
    assert found(run) == [("missing", path.relative_to(run.folder).as_posix())]


def test_altered_content_is_found(run: Run) -> None:
    path = picture(run, b"page")
    path.write_bytes(b"Page")
    tree = next(run.store.folder.glob("*/*.xml.gz"))
    tree.write_bytes(tree.read_bytes()[:-4])
    assert sorted(found(run)) == sorted(
        ("altered", each.relative_to(run.folder).as_posix()) for each in (path, tree)
    )


def test_orphans_are_found(run: Run) -> None:
    path = picture(run, b"never seen")
    part = path.with_name("half.png.1.part")
    part.write_bytes(b"")
    unplanned = run.folder / "episodes" / "other-task" / "dismiss" / "clean" / "1"
    unplanned.mkdir(parents=True)
    names = {each.relative_to(run.folder).as_posix() for each in (path, part, unplanned)}
    assert {name for kind, name in found(run) if kind == "orphan"} == names


def test_results_that_differ_from_the_records_are_found(run: Run) -> None:
    results = run.folder / RESULTS
    first, second = results.read_text(encoding="utf-8").splitlines()
    results.write_text(json.dumps(json.loads(first) | {"steps": 77}) + "\n", encoding="utf-8")
    messages = [item.message for item in check_run(load_run(run.folder))]
    assert [message.partition(" ")[2] for message in messages] == [
        "differs from its record",
        "has ended and is missing",
    ]
    results.write_text("nonsense\n", encoding="utf-8")
    assert found(run) == [("broken", RESULTS)]
    results.unlink()
    assert [kind for kind, _ in found(run)] == ["results", "results"]
    results.write_text(f"{first}\n{second}\n", encoding="utf-8")
    assert found(run) == []


def test_a_broken_log_is_found_and_orphans_are_not_reported(run: Run) -> None:
    key = next(run.file.episode_keys())
    (run.folder / key.folder / EVENTS).write_text("{\n", encoding="utf-8")
    picture(run, b"never seen")
    assert found(run) == [("broken", f"{key.folder}/{EVENTS}")]
    with pytest.raises(InputError, match="not a line of JSON"):
        prune(load_run(run.folder))


def test_damage_in_the_campaign_log_is_found(run: Run) -> None:
    log = CampaignLog(run.folder)
    for event in ALL:
        log.append(event)
    assert found(run) == []
    path = run.folder / CAMPAIGN
    path.write_text(path.read_text("utf-8").replace('"attempt":1', '"attempt":2', 1), "utf-8")
    assert [item.message for item in check_run(run)] == [
        "line 2: the line is damaged: its checksum does not match"
    ]


def test_a_picture_named_by_a_transcript_is_not_an_orphan(run: Run) -> None:
    key = next(run.file.episode_keys())
    digest = ContentStore.of_run(run.folder).add_picture(b"sent", ContentKind.JPEG)
    part = {"picture": {"sha256": "0", "media_type": "image/jpeg", "file": f"{digest}.jpg"}}
    data = {"exchanges": [{"request": {"messages": [{"role": "user", "parts": [{"text": "a"}, part]}]}}]}
    folder = run.folder / key.folder / REQUESTS
    folder.mkdir()
    (folder / "000.json").write_text(json.dumps(data), encoding="utf-8")
    assert found(run) == []
    (folder / "001.json").write_text("{}", encoding="utf-8")
    assert [kind for kind, _ in found(run)] == ["broken"]


def test_disk_usage_reports_the_bytes_saved_by_deduplication(run: Run) -> None:
    usage = disk_usage(run)
    tree = next(run.store.folder.glob("*/*.xml.gz")).stat().st_size
    assert usage.named == 10
    assert usage.pictures == len(b"home" + b"broken" + b"page")
    assert abs(usage.saved - 2 * (len(b"home") + tree)) < 20
    assert usage.total == usage.pictures + usage.trees + usage.transcripts + usage.other_files
    assert usage.files == sum(path.is_file() for path in run.folder.rglob("*"))
    old = disk_usage(load_run(V1))
    assert old.saved == 0
    assert old.pictures > 0
    assert old.trees > 0


def test_pruning_removes_orphans_and_the_pictures_of_earlier_attempts(run: Run) -> None:
    orphan, earlier = picture(run, b"never seen"), picture(run, b"broken")
    planned = prune(run, dry_run=True)
    assert (planned.orphans, planned.earlier_pictures) == ((orphan,), (earlier,))
    assert planned.size == len(b"never seen" + b"broken")
    assert orphan.exists()
    assert earlier.exists()
    assert prune(run) == planned
    assert not orphan.exists()
    assert not earlier.exists()
    assert picture(run, b"home").exists()
    assert found(run) == []
    assert prune(run).size == 0


def test_a_run_in_use_is_not_pruned(run: Run) -> None:
    with locked(run.folder), pytest.raises(InputError, match="is in use by another process"):
        prune(run)
