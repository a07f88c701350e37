"""Sources of the UI tree, tried in order; why one was passed over is kept.

The uiautomator2 server is quick and dumps busy screens; ``uiautomator dump`` needs nothing on the device,
and is slow, refuses a screen that never rests, and on a failure leaves the *old* file in place with exit
status 0. It is therefore removed first, and its output is believed only with the success line.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from garabench.core.observation import TreeSource
from garabench.core.tree import TreeError, UiTree, parse_tree
from garabench.device.adb import Adb
from garabench.device.u2 import U2Server
from garabench.errors import DeviceError, DeviceLost, DeviceTimeout, TreeUnavailable

_DUMP_FILE = "/data/local/tmp/garabench-tree.xml"
_DUMP_LIMIT = 25.0


@dataclass(frozen=True, slots=True)
class TreeReading:
    """A UI tree and where it came from.

    Attributes:
        tree: The tree, never empty.
        source: Which source gave it.
        reason: Why earlier sources did not, one clause each; empty for the first source.
    """

    tree: UiTree
    source: TreeSource
    reason: str = ""


class Source(Protocol):
    """One way to get a tree."""

    kind: TreeSource

    def read(self) -> UiTree:
        """Read the tree.

        Raises:
            DeviceError, TreeError: It cannot.
        """
        ...


class U2Source:
    """The on-device server of uiautomator2: all windows, also of a busy screen."""

    kind = TreeSource.U2

    def __init__(self, server: U2Server) -> None:
        self._server = server

    def read(self) -> UiTree:
        """Read the tree; see `Source.read`."""
        xml = self._server.call("dumpWindowHierarchy", [False, 50])
        if not isinstance(xml, str) or not xml.strip():
            raise TreeError("the server returned no hierarchy")
        return _not_empty(parse_tree(xml))


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
            said = result.output.strip().splitlines()[-1:] or ["it printed nothing"]
            raise TreeError(said[0])
        return _not_empty(parse_tree(self._adb.pull(_DUMP_FILE)))


def _not_empty(tree: UiTree) -> UiTree:
    if not tree.nodes:
        raise TreeError("the hierarchy is empty")
    return tree


class TreeReader:
    """Reads a tree from the first source that works, with a bounded number of tries."""

    def __init__(self, sources: Sequence[Source], *, rounds: int = 2) -> None:
        """Prepare.

        Args:
            sources: In order of preference; not empty.
            rounds: How often the whole list is tried.
        """
        if not sources or rounds < 1:
            raise ValueError("a tree reader needs a source and a round")
        self._sources = tuple(sources)
        self._rounds = rounds

    def read(self) -> TreeReading:
        """Read the tree.

        Raises:
            TreeUnavailable: Every source failed in every round; the message has each reason.
            DeviceLost: The device is gone.
        """
        reasons: list[str] = []
        for _ in range(self._rounds):
            for source in self._sources:
                try:
                    return TreeReading(source.read(), source.kind, "; ".join(reasons))
                except DeviceLost:
                    raise
                except (DeviceError, TreeError) as error:
                    reasons.append(f"{source.kind.value}: {error}")
                    if isinstance(error, DeviceTimeout) and len(reasons) >= len(self._sources):
                        break
        raise TreeUnavailable("no source gave a UI tree: " + "; ".join(reasons))
