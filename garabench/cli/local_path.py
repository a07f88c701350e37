"""Option types: a local path or file, never a remote URL; and a run's folder, which may be at a URL."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import click

_SCHEME = "://"


class PathError(click.ClickException):
    """A path that the user gave is wrong: one sentence, without the usage of the command."""

    exit_code = 2


def _refuse_missing(path: str, kind: str) -> None:
    """Fail if there is nothing at a path, in the words of the library's errors.

    Raises:
        PathError: There is no such file or folder.
    """
    from garabench.core.file_errors import missing_path

    if not os.access(path, os.F_OK):  # also if a folder on the way cannot be read
        raise PathError(str(missing_path(path, kind)))


def _without_file_scheme(value: Any) -> Any:
    """Return the path of a ``file:`` URL of this computer, as fsspec reads it; other values as they are."""
    if isinstance(value, str):
        for start in ("file:///", "file://localhost/"):
            if value.startswith(start):
                return "/" + value.removeprefix(start)
    return value


class LocalPath(click.Path):
    """A local path, or a ``file:`` URL. As a path, another URL would be a folder named after its protocol."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, also that of a ``file:`` URL, or fail if it is another URL."""
        value = _without_file_scheme(value)
        if isinstance(value, str) and _SCHEME in value:
            from garabench.records.remote_runs import shown_url

            self.fail(
                f"{shown_url(value)} is a URL, and this is done in a local folder or file. Copy a run with "
                "garabench runs copy DIR URL or garabench runs fetch URL --out DIR.",
                param,
                ctx,
            )
        if isinstance(value, str | os.PathLike):
            path = Path(value)
            if self.exists:
                kinds = (("file", self.file_okay), ("folder", self.dir_okay))
                _refuse_missing(str(path), " or ".join(kind for kind, allowed in kinds if allowed))
            if not self.file_okay and path.is_file():
                raise PathError(f"{path} is a file, not a folder")
            if not self.dir_okay and path.is_dir():
                raise PathError(f"{path} is a folder, not a file")
        return super().convert(value, param, ctx)


class LocalFile(click.File):
    """A file that is read, or - for standard input."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the opened file, or fail if there is none."""
        if isinstance(value, str) and value != "-":
            _refuse_missing(value, "file")
            if Path(value).is_dir():
                raise PathError(f"{value} is a folder, not a file")
        return super().convert(value, param, ctx)


class RunFolder(LocalPath):
    """The folder of a run that is only read; one at a URL is first copied to the cache folder."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the local folder, or fail if the run at a URL cannot be fetched."""
        if isinstance(value, str) and _SCHEME in value:
            resilient = ctx is not None and ctx.resilient_parsing
            return Path(value) if resilient else super().convert(self._fetched(value), param, ctx)
        return super().convert(value, param, ctx)

    def _fetched(self, url: str) -> Path:
        from garabench.cli.error_exits import print_error
        from garabench.errors import GaraError
        from garabench.records.remote_runs import fetch_to_cache

        try:
            return fetch_to_cache(url).folder
        except GaraError as error:
            print_error(error)
            raise click.exceptions.Exit(error.exit_status) from error


class RunTarget(LocalPath):
    """The folder in which a run is recorded, as a path, or its URL as a text."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the path, also that of a ``file:`` URL, or the text of another URL."""
        value = _without_file_scheme(value)
        if isinstance(value, str) and _SCHEME in value:
            return value
        return super().convert(value, param, ctx)


RUN_FOLDER = RunFolder(path_type=Path, file_okay=False)


def local(path: click.Path) -> LocalPath:
    """Return the same type of path, which refuses URLs."""
    return LocalPath(
        exists=path.exists,
        file_okay=path.file_okay,
        dir_okay=path.dir_okay,
        writable=path.writable,
        readable=path.readable,
        resolve_path=path.resolve_path,
        allow_dash=path.allow_dash,
        path_type=path.type,
        executable=path.executable,
    )
