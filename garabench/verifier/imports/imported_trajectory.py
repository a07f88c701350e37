"""An imported trajectory, and what all importers share: rows, files, frames."""

from __future__ import annotations

import base64
import binascii
import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from garabench.core.file_errors import unreadable
from garabench.core.tree import MAX_BYTES, UiTree
from garabench.errors import InputError
from garabench.records.disk import write_atomic
from garabench.verifier.trajectory import Trajectory, TrajectoryFrame

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
_BASE64_BYTES = 256
"""A shorter text is a path, not an encoded picture."""
_MAX_TEXT = 20_000
_MAX_PIXEL = 100_000
_TREE_END = b"</hierarchy>"


@dataclass(frozen=True, slots=True)
class ImportedTrajectory:
    """A trajectory of another tool.

    Attributes:
        trajectory: The trajectory.
        outcome: The tool's own result; None if it is not recorded. No judge sees it.
        agent: The agent's name; empty if it is not recorded.
    """

    trajectory: Trajectory
    outcome: bool | None = None
    agent: str = ""


def read_json(file: Path) -> Any:
    """Read a JSON file.

    Raises:
        InputError: It cannot be read or is malformed.
    """
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except json.JSONDecodeError as error:
        raise InputError(f"{file}:{error.lineno}: not JSON: {error.msg}") from error
    except (OSError, ValueError, RecursionError) as error:
        raise unreadable(file, error) from error


def read_json_lines(file: Path) -> list[dict[str, Any]]:
    """Read the objects of a JSON Lines file; a truncated last line is ignored.

    Raises:
        InputError: It cannot be read or is malformed.
    """
    try:
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
    except (OSError, UnicodeError) as error:
        raise unreadable(file, error) from error
    rows: list[dict[str, Any]] = []
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError) as error:
            if number == len(lines) and not line.endswith("\n"):
                break
            raise InputError(f"{file}:{number}: not JSON: {error}") from error
        if not isinstance(row, dict):
            raise InputError(f"{file}:{number}: expected an object")
        rows.append(row)
    return rows


def bounded_text(value: object) -> str:
    """Return a value of a row as text, compact and of bounded length; empty for None."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value[:_MAX_TEXT]
    return json.dumps(value, ensure_ascii=False, default=str)[:_MAX_TEXT]


def first_text(row: Mapping[str, Any], *names: str) -> str:
    """Return the first of several keys whose value is not empty, as text.

    Args:
        row: The row.
        names: The keys, in order.
    """
    return next((text for name in names if (text := bounded_text(row.get(name)).strip())), "")


def pixel(value: object) -> int | None:
    """Return a coordinate in pixels; None if the value is none."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return round(value) if 0 <= value <= _MAX_PIXEL else None


def digest_of_files(*files: Path) -> str:
    """Return the SHA-256 of files' bytes."""
    digest = hashlib.sha256()
    for file in files:
        digest.update(file.read_bytes())
    return digest.hexdigest()


class Frames:
    """Collects the frames of one trajectory."""

    def __init__(self, folder: Path, pictures: Path, above: Path | None = None) -> None:
        """Start without frames.

        Args:
            folder: The trajectory's folder; pictures and trees outside of it are not read.
            pictures: Where pictures and trees that are encoded in a file are written.
            above: A folder above in which a row may name files as well, by the end of a path; None for none.
        """
        self._folder = folder
        self._above = above
        self._pictures = pictures
        self._frames: list[TrajectoryFrame] = []

    @property
    def frames(self) -> tuple[TrajectoryFrame, ...]:
        """The frames so far."""
        return tuple(self._frames)

    def add(
        self,
        step: int,
        picture: object,
        *,
        tree: object = None,
        text: str = "",
        package: str = "",
        activity: str = "",
        final: bool = False,
    ) -> int | None:
        """Add a frame and return its index; None if it shows nothing.

        Args:
            step: Number of the step.
            picture: A path, a picture's bytes, or these in Base64.
            tree: The path of a UI tree, or a tree.
            text: The screen's text.
            package: Package of the focused window.
            activity: Its activity, or the URL.
            final: Whether it was observed after the last action.
        """
        image, sha = self._picture(picture)
        xml = self._tree(tree)
        tree_sha = digest_of_files(xml) if xml is not None else ""
        if not tree_sha and text:
            tree_sha = hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
        if not sha and not tree_sha:
            return None
        self._frames.append(
            TrajectoryFrame(
                index=len(self._frames),
                step=step,
                picture_sha256=sha,
                picture=image,
                tree_sha256=tree_sha,
                tree=xml,
                text=text[:_MAX_TEXT],
                package=package,
                activity=activity,
                final=final,
            )
        )
        return len(self._frames) - 1

    def _picture(self, value: object) -> tuple[Path | None, str]:
        if isinstance(value, bytes):
            return self._stored(value)
        if not isinstance(value, str) or not value:
            return None, ""
        if len(value) > _BASE64_BYTES:
            return self._decoded(value)
        file = self._file(value)
        return (file, digest_of_files(file)) if file is not None else (None, "")

    def _decoded(self, value: str) -> tuple[Path | None, str]:
        try:
            data = base64.b64decode(value.rpartition(",")[2], validate=True)
        except (ValueError, binascii.Error):
            return None, ""
        return self._stored(data)

    def _stored(self, data: bytes) -> tuple[Path | None, str]:
        suffix = ".png" if data.startswith(_PNG) else ".jpg" if data.startswith(_JPEG) else ""
        if not suffix:
            return None, ""
        sha = hashlib.sha256(data).hexdigest()
        file = self._pictures / f"{sha}{suffix}"
        if not file.exists():
            write_atomic(file, data)
        return file, sha

    def _tree(self, value: object) -> Path | None:
        """Return the file of a tree; the words that ``uiautomator dump`` prints after it are cut off."""
        if isinstance(value, UiTree):
            return self._written(value.to_xml())
        file = self._file(value) if isinstance(value, str) else None
        if file is None or file.stat().st_size > MAX_BYTES:
            return None
        data = file.read_bytes()
        end = data.rfind(_TREE_END) + len(_TREE_END)
        return file if end < len(_TREE_END) or not data[end:].strip() else self._written(data[:end])

    def _written(self, xml: bytes) -> Path:
        file = self._pictures / f"{hashlib.sha256(xml).hexdigest()}.xml"
        if not file.exists():
            write_atomic(file, xml)
        return file

    def _file(self, name: str) -> Path | None:
        """Return a file that a row names: below the folder, else by its bare name in or below it."""
        root = self._folder.resolve()
        direct = (root / name).resolve()
        if direct.is_relative_to(root) and direct.is_file():
            return direct
        bare = Path(name.replace("\\", "/")).name
        if not bare:
            return None
        found = next((file for file in self._below(root, bare) if file.is_file()), None)
        return self._file_above(name) if found is None else found.resolve()

    def _file_above(self, name: str) -> Path | None:
        """Return a file of the folder above whose path there is the end of a name."""
        if self._above is None:
            return None
        root = self._above.resolve()
        parts = PurePosixPath(name.replace("\\", "/")).parts
        ends = ((root / Path(*parts[at:])).resolve() for at in range(len(parts) - 1))
        return next((file for file in ends if file.is_relative_to(root) and file.is_file()), None)

    @staticmethod
    def _below(root: Path, name: str) -> Iterator[Path]:
        yield root / name
        for folder in sorted(path for path in root.iterdir() if path.is_dir() and not path.is_symlink()):
            yield folder / name
