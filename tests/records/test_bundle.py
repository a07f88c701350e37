from __future__ import annotations

import hashlib
import json
import stat
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from garabench.errors import InputError
from garabench.records.bundle import MANIFEST, BundledStore, open_bundle, read_bundle, write_bundle
from garabench.records.fsck import check_run
from garabench.records.lock import locked
from garabench.records.reader import Run, load_run
from tests.report.written_runs import FOUR, picture, write_log, write_run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    writer = write_run(tmp_path / "run", FOUR)
    for summary in FOUR:
        write_log(writer, summary, screen=picture())
    return load_run(tmp_path / "run")


def contents(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.name != ".lock"
    }


def test_a_bundle_opens_elsewhere_unchanged(run: Run, tmp_path: Path) -> None:
    written = write_bundle(run, tmp_path / "a" / "run.zip")
    write_bundle(run, tmp_path / "b.zip")
    assert (tmp_path / "a" / "run.zip").read_bytes() == (tmp_path / "b.zip").read_bytes()
    opened = open_bundle(tmp_path / "b.zip", tmp_path / "elsewhere" / "run")
    assert contents(opened.folder) == contents(run.folder)
    assert list(check_run(opened)) == list(check_run(run))
    assert opened.summaries == run.summaries
    assert read_bundle(tmp_path / "b.zip") == written
    assert {path.name for path in (tmp_path / "elsewhere").iterdir()} == {"run"}


def test_pictures_or_the_whole_store_can_be_left_out(run: Run, tmp_path: Path) -> None:
    trees = write_bundle(run, tmp_path / "trees.zip", store=BundledStore.TREES)
    none = write_bundle(run, tmp_path / "none.zip", store=BundledStore.NONE)
    assert [name[-7:] for name in trees.files if name.startswith("store/")] == [".xml.gz"]
    assert not [name for name in none.files if name.startswith("store/")]
    assert open_bundle(tmp_path / "none.zip", tmp_path / "out").summaries == run.summaries


def test_runs_in_progress_and_links_are_refused(run: Run, tmp_path: Path) -> None:
    with locked(run.folder), pytest.raises(InputError, match="in use"):
        write_bundle(run, tmp_path / "x.zip")
    (run.folder / "link").symlink_to("/etc/hostname")
    with pytest.raises(InputError, match="symbolic link"):
        write_bundle(run, tmp_path / "x.zip")
    assert not list(tmp_path.glob("x.zip*"))


Edit = Callable[[dict[str, bytes], dict[str, int]], None]


def rewritten(run: Run, tmp_path: Path, edit: Edit, *, relist: bool = True) -> Path:
    """Write a bundle, change its entries, and list them in the manifest as an attacker would."""
    write_bundle(run, tmp_path / "good.zip")
    with zipfile.ZipFile(tmp_path / "good.zip") as good:
        entries = {name: good.read(name) for name in good.namelist()}
    kinds: dict[str, int] = {}
    manifest = json.loads(entries.pop(MANIFEST))
    edit(entries, kinds)
    if relist:
        manifest["files"] = {
            name: {"sha256": hashlib.sha256(data).hexdigest(), "size": len(data)}
            for name, data in entries.items()
        }
    with zipfile.ZipFile(tmp_path / "bad.zip", "w", zipfile.ZIP_DEFLATED) as bad:
        bad.writestr(MANIFEST, json.dumps(manifest))
        for name, data in entries.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = kinds.get(name, stat.S_IFREG | 0o644) << 16
            bad.writestr(entry, data)
    return tmp_path / "bad.zip"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("../evil", "could leave the folder"),
        ("episodes/../../evil", "could leave the folder"),
        ("/etc/evil", "could leave the folder"),
        ("a//b", "could leave the folder"),
        ("./a", "could leave the folder"),
        ("C:\\evil", "could leave the folder"),
        ("C:evil", "could leave the folder"),
        ("..\\evil", "could leave the folder"),
        ("nul", "could leave the folder"),
        ("RUN.JSON", "two files called 'RUN.JSON'"),
        ("run.json/b/c", "'run.json' cannot be both a file and a folder"),
    ],
)
def test_unsafe_names_are_refused_before_anything_is_written(
    run: Run, tmp_path: Path, name: str, message: str
) -> None:
    bad = rewritten(run, tmp_path, lambda entries, _kinds: entries.update({name: b"x"}))
    before = set(tmp_path.iterdir())
    with pytest.raises(InputError, match=message):
        open_bundle(bad, tmp_path / "out")
    assert set(tmp_path.iterdir()) == before


def test_links_bombs_and_altered_files_are_refused(run: Run, tmp_path: Path) -> None:
    def link(entries: dict[str, bytes], kinds: dict[str, int]) -> None:
        entries["link"] = b"/etc/passwd"
        kinds["link"] = stat.S_IFLNK | 0o777

    def bomb(entries: dict[str, bytes], _kinds: dict[str, int]) -> None:
        entries["bomb"] = bytes(100_000_000)

    def alter(entries: dict[str, bytes], _kinds: dict[str, int]) -> None:
        entries["results.jsonl"] = entries["results.jsonl"].replace(b"failure", b"success")

    def add(entries: dict[str, bytes], _kinds: dict[str, int]) -> None:
        entries["more"] = b"x"

    def drop(entries: dict[str, bytes], _kinds: dict[str, int]) -> None:
        del entries["run.json"]

    for edit, relist, message in (
        (link, True, "special file"),
        (bomb, True, "zip bomb"),
        (alter, False, "'results.jsonl' was altered"),
        (add, False, "do not match its manifest: 'more'"),
        (drop, True, "has no run.json"),
    ):
        bad = rewritten(run, tmp_path, edit, relist=relist)
        with pytest.raises(InputError, match=message):
            open_bundle(bad, tmp_path / "out")
        assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", ["../../etc", "..", "a/b", "x" * 300])
def test_names_of_a_foreign_run_are_names_of_files(run: Run, tmp_path: Path, name: str) -> None:
    def rename(entries: dict[str, bytes], _kinds: dict[str, int]) -> None:
        entries["run.json"] = entries["run.json"].replace(b'"app-b"', json.dumps(name).encode())

    with pytest.raises(InputError, match="cannot be a file's"):
        open_bundle(rewritten(run, tmp_path, rename), tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_broken_run_file_is_reported_of_the_bundle(run: Run, tmp_path: Path) -> None:
    bad = rewritten(run, tmp_path, lambda entries, _kinds: entries.update({"run.json": b"{}"}))
    with pytest.raises(InputError) as refused:
        open_bundle(bad, tmp_path / "out")
    assert str(refused.value).startswith(f"{bad}: run.json is broken: ")
    assert ".import-" not in str(refused.value)
    assert not (tmp_path / "out").exists()


def test_other_files_and_newer_bundles_are_refused(run: Run, tmp_path: Path) -> None:
    (tmp_path / "text.zip").write_text("no zip")
    with zipfile.ZipFile(tmp_path / "plain.zip", "w") as plain:
        plain.writestr("run.json", "{}")
    with zipfile.ZipFile(tmp_path / "newer.zip", "w") as newer:
        newer.writestr(MANIFEST, json.dumps({"version": 2, "files": {}}))
    write_bundle(run, tmp_path / "good.zip")
    (tmp_path / "cut.zip").write_bytes((tmp_path / "good.zip").read_bytes()[:-50])
    for name, message in (
        ("text.zip", "is not a bundle"),
        ("plain.zip", "has no MANIFEST.json"),
        ("newer.zip", "bundle version 2"),
        ("cut.zip", "is not a bundle"),
        ("missing.zip", "no such file"),
    ):
        with pytest.raises(InputError, match=message):
            open_bundle(tmp_path / name, tmp_path / "out")
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").touch()
    with pytest.raises(InputError, match="is not a run"):
        open_bundle(tmp_path / "good.zip", tmp_path / "taken")
