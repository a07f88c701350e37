from __future__ import annotations

import hashlib
import io
import threading
from pathlib import Path

import pytest
from PIL import Image

from garabench.errors import InputError
from garabench.records.content_store import (
    ContentKind,
    ContentStore,
    content_hash,
    decompress,
    picture_hash,
    picture_kind,
)
from tests.waits import AMPLE


def png(colour: str, level: int = 6, size: tuple[int, int] = (30, 40)) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, "PNG", compress_level=level)
    return out.getvalue()


def test_the_same_picture_compressed_twice_is_one_file(tmp_path: Path) -> None:
    store = ContentStore.of_run(tmp_path)
    assert png("red", 0) != png("red", 9)
    assert store.add_picture(png("red", 0)) == store.add_picture(png("red", 9))
    assert store.add_picture(png("blue")) != store.add_picture(png("red"))
    assert store.add_picture(png("red", size=(40, 30))) != store.add_picture(png("red"))
    assert [content_hash(file) == file.sha256 for file in store.files()] == [True] * 3


@pytest.mark.parametrize("cut", [9, 40, -24])
def test_a_damaged_picture_is_named_by_its_bytes(cut: int) -> None:
    data = png("red")[:cut]
    assert picture_hash(data) == hashlib.sha256(data).hexdigest()
    assert picture_hash(b"no picture") == hashlib.sha256(b"no picture").hexdigest()


def test_a_tree_has_the_hash_of_its_xml(tmp_path: Path) -> None:
    store = ContentStore.of_run(tmp_path)
    digest = store.add_tree(b"<a/>")
    assert digest == hashlib.sha256(b"<a/>").hexdigest()
    (file,) = store.files()
    assert (file.path, file.kind) == (tmp_path / "store" / digest[:2] / f"{digest}.xml.gz", ContentKind.TREE)
    assert decompress(file.path.read_bytes()) == b"<a/>"


def test_threads_can_store_the_same_content_concurrently(tmp_path: Path) -> None:
    store, together = ContentStore.of_run(tmp_path), threading.Barrier(8)

    def add() -> None:
        together.wait(AMPLE)
        for number in range(20):
            store.add_tree(b"<a>%d</a>" % number)

    threads = [threading.Thread(target=add) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert all(content_hash(file) == file.sha256 for file in store.files())
    assert len([path for path in (tmp_path / "store").glob("*/*") if path.is_file()]) == 20


def test_unknown_picture_types_are_refused() -> None:
    assert picture_kind("image/jpeg") is ContentKind.JPEG
    with pytest.raises(InputError, match="'image/webp' cannot be stored"):
        picture_kind("image/webp")
