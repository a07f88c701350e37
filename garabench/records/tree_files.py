"""Read UI trees from files: those of a record, and dumps."""

from __future__ import annotations

import zlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from garabench.core.file_errors import unreadable
from garabench.core.tree import TreeError, UiTree, parse_tree
from garabench.errors import InputError
from garabench.records.content_store import ContentKind, ContentStore, decompress, is_hash

if TYPE_CHECKING:
    from garabench.core.events import FinalObserved, Observed

_CACHED_TREES = 200


def read_tree(path: Path, *, allow_empty: bool = False) -> UiTree:
    """Read a UI tree, ``.xml`` or ``.xml.gz``.

    Args:
        path: The file.
        allow_empty: Whether to accept a tree without elements, as in imported runs, whose tools record some
            screens as pictures only.

    Raises:
        InputError: The file is not readable or not a UI tree, or the tree has no elements.
    """
    try:
        data = path.read_bytes()
        tree = parse_tree(decompress(data) if path.suffix == ".gz" else data)
    except OSError as error:
        raise unreadable(path, error) from error
    except EOFError as error:
        raise InputError(f"{path} is not a UI tree: the compressed file is truncated") from error
    except TreeError as error:
        if error.line:
            message = f"{path}:{error.line}:{error.column}: not a UI tree: {error}"
            raise InputError(message) from error
        raise InputError(f"{path} is not a UI tree: {error}") from error
    except (zlib.error, ValueError) as error:
        raise InputError(f"{path} is not a UI tree: {error}") from error
    if not tree.nodes and not allow_empty:
        raise InputError(f"{path} is an empty UI tree")
    return tree


@dataclass(frozen=True)
class TreeOpener:
    """Opens the trees of a run; the last few are cached, since most screens appear several times.

    Attributes:
        store: The run's store.
    """

    store: ContentStore
    _cache: OrderedDict[Path, UiTree | None] = field(default_factory=OrderedDict, init=False, repr=False)

    @classmethod
    def of_run(cls, run: Path) -> TreeOpener:
        """Return the opener of a run's trees."""
        return cls(ContentStore.of_run(run))

    def of_episode(self, folder: Path) -> Callable[[Observed | FinalObserved], UiTree | None]:
        """Return a function that opens the tree of an observation of an episode.

        The function returns None if the tree cannot be read.
        """

        def open_tree(event: Observed | FinalObserved) -> UiTree | None:
            if is_hash(event.tree):
                return self._open(self.store.path(event.tree, ContentKind.TREE))
            path = folder / event.tree  # up to log version 2
            return self._open(path) if path.resolve().is_relative_to(folder.resolve()) else None

        return open_tree

    def _open(self, path: Path) -> UiTree | None:
        if path in self._cache:
            self._cache.move_to_end(path)
            return self._cache[path]
        try:
            tree = read_tree(path)
        except InputError:
            tree = None
        self._cache[path] = tree
        if len(self._cache) > _CACHED_TREES:
            self._cache.popitem(last=False)
        return tree
