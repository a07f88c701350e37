"""Screens that are known by their pictures: what a played model has in the place of eyes.

A played model gets no word from the device. It knows what a picture shows because it has seen the same
screen in the record of a run, where each picture stands beside its tree: in the record of a run before, or in
that of the very run that it plays in, which is written before the agent is asked. A picture that no screen
ever showed (black, cut, of something else) is not known, and a stale one is known for what it is.
"""

from __future__ import annotations

import functools
import gzip
import hashlib
import io
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image, ImageChops, ImageStat

from garabench.agents.naming import read_name
from garabench.campaign.store import RUN_FILE, RunStore
from garabench.core.events import EpisodeEnded, Observed, read_lines
from garabench.core.geometry import Size
from garabench.core.observation import Focus
from garabench.core.tree import UiTree, parse_tree
from garabench.errors import GaraError, InputError

_THUMB = (54, 120)
_NEAR = 12.0
"""Mean difference of two thumbs, of 255, up to which pictures may show the same screen."""
_LIKE = 3.0
"""Mean difference of two pictures of the same size, of 255, up to which they show the same screen."""
_TRIED = 12
_TOLD = 500
"""Screens, the latest ones, that a text may tell of: to tell one takes some milliseconds."""
_ALIKE = 0.8
"""Share of rows that two texts have in common which tell of the same screen."""
_MOST = 5_000
"""Screens that are kept in mind, the latest ones; a thumb takes 20 kB."""

Redraw = Callable[["Screen", Image.Image], Image.Image]
"""Draws what a client draws on a screen's picture at the size that it sends."""


@dataclass(frozen=True, slots=True, eq=False)
class Screen:
    """A screen that is known.

    Attributes:
        file: Its picture.
        sha256: Of the file's bytes.
        size: The picture's size: the device's own.
        thumb: A small copy, to find it by.
        focus: Which window had the focus.
        packed: Its tree, as gzip packs its XML.
    """

    file: Path
    sha256: str
    size: Size
    thumb: Image.Image = field(repr=False)
    focus: Focus
    packed: bytes = field(repr=False)

    @property
    def tree(self) -> UiTree:
        """Its tree.

        Raises:
            TreeError: The record is broken.
        """
        return parse_tree(gzip.decompress(self.packed))


class KnownScreens:
    """The screens of some runs' records, those among them that are still being written."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        """Prepare.

        Args:
            folders: Folders of runs; they need not be there yet.
        """
        self._folders = tuple(folders)
        self._lock = threading.Lock()
        self._read: dict[Path, tuple[int, int]] = {}  # of each log: which file it is, and how much was read
        self._screens: dict[str, Screen] = {}  # by hash, the latest last
        # what each episode has shown that has not ended: of each step the latest screen, by hash
        self._shown: dict[str, dict[int, str]] = {}

    def refresh(self) -> tuple[Screen, ...]:
        """Read what has been recorded since; all known screens, the latest first."""
        with self._lock:
            for folder in self._folders:
                for log in _logs(folder):
                    self._follow(log)
            for digest in list(self._screens)[:-_MOST]:
                del self._screens[digest]
            return tuple(reversed(self._screens.values()))

    def _follow(self, log: Path) -> None:
        """Read what was added to a log, or all of it where another attempt has begun."""
        try:
            stat = log.stat()
            inode, start = self._read.get(log, (stat.st_ino, 0))
            if inode != stat.st_ino or stat.st_size < start:
                start = 0
            if stat.st_size == start:
                return
            with log.open("rb") as file:
                file.seek(start)
                new = file.read()
        except OSError:
            return  # it was moved aside just now
        whole = new[: new.rfind(b"\n") + 1]
        self._read[log] = (stat.st_ino, start + len(whole))
        try:
            events = read_lines(whole.decode("utf-8").splitlines(keepends=True), str(log))
        except (InputError, UnicodeError):
            return  # a record that nobody can read shows nothing
        place = f"{log.parent}#{stat.st_ino}"  # another attempt at an episode is another one
        for event in events:
            if isinstance(event, Observed):
                self._learn(log.parent, event, place)
            elif isinstance(event, EpisodeEnded):
                self._shown.pop(place, None)

    def _learn(self, folder: Path, event: Observed, place: str) -> None:
        file = folder / event.screen
        try:
            data, packed = file.read_bytes(), (folder / event.tree).read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            known = self._screens.pop(digest, None)
            thumb, size = (known.thumb, known.size) if known else _thumb_of(data)
        except OSError:
            return
        self._shown.setdefault(place, {})[event.step] = digest
        focus = Focus(event.package, event.activity)
        self._screens[digest] = Screen(file, digest, size, thumb, focus, packed)

    def showing(self, screen: Screen, task: str, agent: str) -> dict[str, tuple[Screen, ...]]:
        """The episodes, among those that have not ended, that show a screen at present.

        Args:
            screen: The screen.
            task: Only episodes of this task.
            agent: Only episodes of this agent, as its profile calls it, where their run says whose they are.

        Returns:
            Of each of them what it has shown: one screen for each step, this one the last.
        """
        with self._lock:
            there = {
                place: tuple(self._screens[digest] for digest in shown.values() if digest in self._screens)
                for place, shown in self._shown.items()
                if next(reversed(shown.values())) == screen.sha256
            }
        return {
            place: shown
            for place, shown in there.items()
            if _is_of(Path(place.rpartition("#")[0]), task, agent)
        }

    def find(self, picture: bytes, redraw: Redraw | None = None) -> Screen | None:
        """The screen that a picture shows; of several that look the same, the latest.

        Args:
            picture: As it was sent.
            redraw: Draws what the client draws on it, such as numbered boxes.
        """
        known = self.refresh()
        digest = hashlib.sha256(picture).hexdigest()
        same = next((screen for screen in known if screen.sha256 == digest), None)
        if same is not None:
            return same
        with Image.open(io.BytesIO(picture)) as image:
            sent = image.convert("RGB")
        thumb = _small(sent)
        rough = sorted(((_difference(thumb, screen.thumb), at) for at, screen in enumerate(known)))
        best: tuple[float, Screen] | None = None
        for apart, at in rough[:_TRIED]:
            if redraw is None and apart > _NEAR:
                break
            own = _as_sent(known[at], sent.size)
            if own is None:
                continue
            apart = _difference(sent, redraw(known[at], own) if redraw else own)
            if apart == 0:
                return known[at]
            if best is None or apart < best[0]:
                best = (apart, known[at])
        return best[1] if best is not None and best[0] <= _LIKE else None

    def find_told(self, rows: Sequence[str], tell: Callable[[Screen], Sequence[str]]) -> Screen | None:
        """The screen that a text tells of; of several that are told alike, the latest.

        Args:
            rows: The text's rows.
            tell: The rows in which a client would tell of a screen.
        """
        best: tuple[float, Screen] | None = None
        for screen in self.refresh()[:_TOLD]:
            told = tell(screen)
            if list(told) == list(rows):
                return screen
            likeness = _likeness(told, rows)
            if best is None or likeness > best[0]:
                best = (likeness, screen)
        return best[1] if best is not None and best[0] >= _ALIKE else None


def _likeness(one: Sequence[str], other: Sequence[str]) -> float:
    """Which share of the rows of either the other has, too."""
    first, second = set(one), set(other)
    return len(first & second) / len(first | second) if first or second else 1.0


def _is_of(episode: Path, task: str, agent: str) -> bool:
    """Whether an episode's folder is of a task, and of an agent as far as its run tells."""
    *_, of_task, label, _, _ = episode.parts
    run = episode.parents[4]
    try:
        written = (run / RUN_FILE).stat().st_mtime_ns
    except OSError:
        written = 0
    return of_task == task and _agents_of(run, written).get(label, agent) == agent


@functools.lru_cache(maxsize=64)
def _agents_of(run: Path, written: int) -> Mapping[str, str]:
    """The agents of a run by their labels, without options; none where it has no plan.

    Args:
        run: Its folder.
        written: When its plan was written, so that another run in the same folder is read anew.
    """
    try:
        named = RunStore.open(run).run.plan.agents
    except GaraError:
        return {}
    return {each.name: each.rest.rpartition("#")[2].partition("?")[0] for each in map(read_name, named)}


def _logs(folder: Path) -> Iterator[Path]:
    """The events of the episodes of a run that are there by now."""
    yield from sorted((folder / "episodes").glob("*/*/*/*/events.jsonl"))


def _thumb_of(data: bytes) -> tuple[Image.Image, Size]:
    with Image.open(io.BytesIO(data)) as image:
        return _small(image.convert("RGB")), Size(image.width, image.height)


def _small(image: Image.Image) -> Image.Image:
    return image.resize(_THUMB, Image.Resampling.BOX, reducing_gap=2.0)


def _as_sent(screen: Screen, size: tuple[int, int]) -> Image.Image | None:
    """A known screen's picture at the size of one that was sent; None where its file is another by now."""
    try:
        data = screen.file.read_bytes()
        if hashlib.sha256(data).hexdigest() != screen.sha256:
            return None
        with Image.open(io.BytesIO(data)) as image:
            own = image.convert("RGB")
    except OSError:
        return None
    return own if own.size == size else own.resize(size, Image.Resampling.HAMMING)


def _difference(one: Image.Image, other: Image.Image) -> float:
    """The mean difference of two pictures of the same size, of 255."""
    means = ImageStat.Stat(ImageChops.difference(one, other)).mean
    return float(sum(means) / len(means))
