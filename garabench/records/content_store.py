"""The content store of a run: each picture and tree once, named by the SHA-256 of its content.

The hash is that of the content before compression: of a tree's XML, and of a PNG's header and image data.
Compressors do not guarantee the same bytes each time (ISA-L, which the virtual phone uses, does not produce
them), and equal runs must have equal records. A JPEG's hash is that of its file.
"""

from __future__ import annotations

import enum
import functools
import gzip
import hashlib
import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from isal import igzip_lib

from garabench.core.tree import MAX_BYTES
from garabench.errors import InputError
from garabench.records.disk import write_atomic
from garabench.records.run_layout import STORE, run_folder

_GZIP_LEVEL = 6
_PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"
_CHUNK_FRAME = 12
"""Bytes of a PNG chunk around its content."""
_MAX_PICTURE_BYTES = 1 << 29
"""A small file can claim to be a huge picture."""
_BAND_BYTES = 1 << 18
"""Bytes of a picture that are inflated at a time; they stay in the CPU cache."""
_CACHED_HASHES = 16
"""Number of the last stored pictures whose hash is cached: agents return to screens, and screens stay."""
_HASH = re.compile(r"[0-9a-f]{64}")


class ContentKind(enum.StrEnum):
    """The content of a stored file; the value is its suffix."""

    PNG = ".png"
    JPEG = ".jpg"
    TREE = ".xml.gz"


_MEDIA_TYPES = {"image/png": ContentKind.PNG, "image/jpeg": ContentKind.JPEG}


def picture_kind(media_type: str) -> ContentKind:
    """Return the kind of a picture by its media type.

    Raises:
        InputError: Pictures of this type are not stored.
    """
    kind = _MEDIA_TYPES.get(media_type)
    if kind is None:
        raise InputError(f"pictures of type {media_type!r} cannot be stored", hint="Use PNG or JPEG.")
    return kind


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file of the store.

    Attributes:
        path: Path of the file.
        sha256: The hash in its name, which its content must have.
        kind: Kind of content.
    """

    path: Path
    sha256: str
    kind: ContentKind


@dataclass(frozen=True, slots=True)
class ContentStore:
    """The pictures and trees of a run.

    Attributes:
        folder: The store's folder, created with the first file.
    """

    folder: Path

    @classmethod
    def of_run(cls, run: Path) -> ContentStore:
        """Return the store of the run in a folder."""
        return cls(run / STORE)

    @classmethod
    def of_episode(cls, episode: Path) -> ContentStore:
        """Return the store for an episode's files: the run's, or its own if it belongs to no run."""
        return cls.of_run(run_folder(episode) or episode)

    def add_tree(self, xml: bytes) -> str:
        """Store a tree unless the store already has it.

        Returns:
            The SHA-256 of the XML.

        Raises:
            RecordError: It cannot be written.
        """
        digest = hashlib.sha256(xml).hexdigest()
        path = self.path(digest, ContentKind.TREE)
        if not path.exists():
            # No time stamp: equal trees must be equal files.
            write_atomic(path, gzip.compress(xml, _GZIP_LEVEL, mtime=0))
        return digest

    def add_picture(self, data: bytes, kind: ContentKind = ContentKind.PNG) -> str:
        """Store a picture unless the store already has it.

        Returns:
            The SHA-256 of its content, see `picture_hash`.

        Raises:
            RecordError: It cannot be written.
        """
        digest = _recent_picture_hash(data)
        path = self.path(digest, kind)
        if not path.exists():
            write_atomic(path, data)
        return digest

    def path(self, sha256: str, kind: ContentKind) -> Path:
        """Return the path of a file with this hash, whether it exists or not."""
        return self.folder / sha256[:2] / f"{sha256}{kind}"

    def read_picture(self, sha256: str) -> bytes | None:
        """Return a picture; None if the name is not a hash, or the picture is missing or cannot be read."""
        if not is_hash(sha256):
            return None  # log version 2 and before names files of the episode instead
        for kind in (ContentKind.PNG, ContentKind.JPEG):
            try:
                return self.path(sha256, kind).read_bytes()
            except OSError:
                continue
        return None

    def files(self) -> Iterator[StoredFile]:
        """Iterate over the files of the store by hash; other files in its folders are skipped."""
        for path in sorted(self.folder.glob("??/*")):
            digest, dot, suffix = path.name.partition(".")
            if is_hash(digest) and dot + suffix in tuple(ContentKind) and path.is_file():
                yield StoredFile(path, digest, ContentKind(dot + suffix))


def is_hash(name: str) -> bool:
    """Return whether a name is a SHA-256 in lower-case hexadecimal digits."""
    return _HASH.fullmatch(name) is not None


def content_hash(file: StoredFile) -> str | None:
    """Compute the SHA-256 of a stored file's content; None if a tree cannot be decompressed.

    Raises:
        OSError: It cannot be read.
    """
    data = file.path.read_bytes()
    if file.kind is not ContentKind.TREE:
        return picture_hash(data)
    try:
        return hashlib.sha256(decompress(data)).hexdigest()
    except (zlib.error, EOFError, ValueError):
        return None


def picture_hash(data: bytes) -> str:
    """Compute the SHA-256 of a picture: of a PNG's header and uncompressed image data, else of its bytes."""
    content = _hash_png(data) if data.startswith(_PNG_SIGNATURE) else None
    return content or hashlib.sha256(data).hexdigest()


_recent_picture_hash = functools.lru_cache(maxsize=_CACHED_HASHES)(picture_hash)


def _hash_png(data: bytes) -> str | None:
    """Hash the header and the uncompressed image data of a PNG; return None if it is damaged.

    It inflates in bands: allocating memory for a whole image costs as much as hashing it.
    """
    header, parts, at = b"", [], len(_PNG_SIGNATURE)
    while at + _CHUNK_FRAME <= len(data):
        length, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8 : at + 8 + length]
        if kind == b"IHDR":
            header = body
        elif kind == b"IDAT":
            parts.append(body)
        at += _CHUNK_FRAME + length
    inflater = igzip_lib.IgzipDecompressor(igzip_lib.DECOMP_ZLIB)
    digest, compressed, left = hashlib.sha256(header), b"".join(parts), _MAX_PICTURE_BYTES
    try:
        while left and not inflater.eof and (band := inflater.decompress(compressed, min(_BAND_BYTES, left))):
            digest.update(band)
            compressed, left = b"", left - len(band)
    except igzip_lib.IsalError:  # type: ignore[misc]  # its stub calls the class an instance
        return None
    return digest.hexdigest() if header and inflater.eof else None


def decompress(data: bytes) -> bytes:
    """Decompress gzip up to the size limit of a tree; a small file can expand to a very large one.

    Raises:
        EOFError: The data is truncated.
        ValueError: It exceeds the size limit of a tree.
        zlib.error: It is not gzip.
    """
    decompressor = zlib.decompressobj(wbits=31)
    content = decompressor.decompress(data, MAX_BYTES + 1)
    if len(content) > MAX_BYTES:
        raise ValueError(f"it is larger than {MAX_BYTES} bytes")
    if not decompressor.eof:
        raise EOFError("the compressed data is truncated")
    return content
