"""Sources of the UI tree, tried in order, with the reason why each earlier one failed.

The uiautomator2 server is fast and dumps busy screens. ``uiautomator dump`` needs nothing on the device, but
is slow, rejects a screen that is never idle, and on failure leaves the *old* file in place with exit status
0. The file is therefore removed first, and the output accepted only with the success line.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from garabench.core.observation import TreeSource
from garabench.core.tree import TreeError, UiTree, parse_tree
from garabench.device.adb import Adb
from garabench.device.u2_client import U2Client
from garabench.errors import DeviceError, DeviceLostError, DeviceTimeoutError, TreeUnavailableError

_DUMP_FILE = "/data/local/tmp/garabench-tree.xml"
_DUMP_LIMIT = 25.0
_CACHED_TREES = 32
"""Number of trees that are cached, of some 0.3 MB each; a reset or Back returns to earlier screens."""


@dataclass(frozen=True, slots=True)
class TreeReading:
    """A UI tree and where it came from.

    Attributes:
        tree: The tree, never empty.
        source: The source that returned it.
        reason: Why earlier sources failed, one clause each; empty for the first source.
    """

    tree: UiTree
    source: TreeSource
    reason: str = ""


class Source(Protocol):
    """A source of trees."""

    kind: TreeSource

    def read(self) -> UiTree:
        """Read the tree.

        Raises:
            DeviceError, TreeError: The source failed.
        """
        ...


class U2Source:
    """The on-device server of uiautomator2: all windows, even of a busy screen."""

    kind = TreeSource.U2

    def __init__(self, server: U2Client) -> None:
        self._server = server
        self._parsed = functools.lru_cache(_CACHED_TREES)(_parsed)

    def read(self) -> UiTree:
        """Read the tree; see `Source.read`. A screen that was read lately is not parsed again."""
        xml = self._server.call("dumpWindowHierarchy", [False, 50])
        if not isinstance(xml, str) or not xml.strip():
            raise TreeError("the server returned no hierarchy")
        return self._parsed(xml)


class DumpSource:
    """Android's own ``uiautomator dump``: the active window only."""

    kind = TreeSource.UIAUTOMATOR_DUMP

    def __init__(self, adb: Adb) -> None:
        self._adb = adb

    def read(self) -> UiTree:
        """Read the tree; see `Source.read`."""
        self._adb.shell(["rm", "-f", _DUMP_FILE])
        result = self._adb.shell(["uiautomator", "dump", _DUMP_FILE], timeout=_DUMP_LIMIT)
        # "hierchary" is Android's own spelling.
        if "dumped to" not in result.output:
            last_line = result.output.strip().splitlines()[-1:] or ["it printed nothing"]
            raise TreeError(last_line[0])
        return _not_empty(parse_tree(self._adb.pull(_DUMP_FILE)))


def _parsed(xml: str) -> UiTree:
    return _not_empty(parse_tree(xml))


def _not_empty(tree: UiTree) -> UiTree:
    if not tree.nodes:
        raise TreeError("the hierarchy is empty")
    return tree


class TreeReader:
    """Reads a tree from the first source that works, with a bounded number of attempts.

    Attributes:
        failures: Number of sources that returned no tree, or an empty one.
    """

    def __init__(self, sources: Sequence[Source], *, rounds: int = 2) -> None:
        """Set up the reader.

        Args:
            sources: In order of preference; not empty.
            rounds: How often the whole list is tried.
        """
        if not sources or rounds < 1:
            raise ValueError("a tree reader needs at least one source and one round")
        self._sources = tuple(sources)
        self._rounds = rounds
        self.failures = 0

    def read(self) -> TreeReading:
        """Read the tree.

        Raises:
            TreeUnavailableError: Every source failed in every round; the message lists the reasons.
            DeviceLostError: The device is gone.
        """
        reasons: list[str] = []
        for _ in range(self._rounds):
            for source in self._sources:
                try:
                    return TreeReading(source.read(), source.kind, "; ".join(reasons))
                except DeviceLostError:
                    raise
                except (DeviceError, TreeError) as error:
                    self.failures += isinstance(error, TreeError)
                    reasons.append(f"{source.kind.value}: {error}")
                    if isinstance(error, DeviceTimeoutError) and len(reasons) >= len(self._sources):
                        break
        raise TreeUnavailableError("cannot read the UI tree: " + "; ".join(reasons))
