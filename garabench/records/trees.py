"""Read UI trees from files: those of a record, and dumps."""

from __future__ import annotations

import zlib
from pathlib import Path

from garabench.core.tree import TreeError, UiTree, parse_tree
from garabench.errors import InputError
from garabench.records.content_store import decompress


def read_tree(path: Path) -> UiTree:
    """Read a UI tree, ``.xml`` or ``.xml.gz``.

    Raises:
        InputError: The file is not readable or not a UI tree.
    """
    try:
        data = path.read_bytes()
        tree = parse_tree(decompress(data) if path.suffix == ".gz" else data)
    except OSError as error:
        raise InputError(f"cannot read {path}: {error.strerror or error}") from error
    except EOFError as error:
        raise InputError(f"{path} is not a UI tree: the compressed file is truncated") from error
    except (zlib.error, ValueError, TreeError) as error:
        raise InputError(f"{path} is not a UI tree: {error}") from error
    if not tree.nodes:
        raise InputError(f"{path} is an empty UI tree")
    return tree
