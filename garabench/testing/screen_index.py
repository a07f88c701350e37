"""An index of recorded screens, by which a fake model recognizes an image.

The fake model has no access to the device. It identifies an image by looking it up in the record of a run,
which holds each screenshot with its tree: an earlier run, or the current one, whose observations are written
before the agent decides. An image that no recorded screen ever showed (black, cropped, unrelated) is unknown;
a stale one is recognized as an earlier screen.
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

from garabench.core.events import EpisodeEnded, Observed
from garabench.core.geometry import Size
from garabench.core.observation import Focus
from garabench.core.tree import UiTree, parse_tree
from garabench.errors import GaraError, InputError
from garabench.records.content_store import ContentStore
from garabench.records.episode import Attempt, RecordedObservation
from garabench.records.event_reader import LogFollower
from garabench.records.run_file import read_run_file
from garabench.records.run_layout import EVENTS, RUN_FILE, episode_folders

_THUMB = (54, 120)
_MAX_THUMB_DIFFERENCE = 12.0
"""Largest mean difference (0-255) of two thumbnails that may show the same screen."""
_MAX_IMAGE_DIFFERENCE = 3.0
"""Largest mean difference (0-255) of two images of the same size that show the same screen."""
_MAX_COMPARED = 12
"""Number of screens with the most similar thumbnails to compare in full."""
_MAX_DESCRIBED = 500
"""Number of recent screens to compare with element rows; describing one takes milliseconds."""
_MIN_SIMILARITY = 0.8
"""Smallest Jaccard index of element rows that describe the same screen."""
_MAX_SCREENS = 5_000
"""Number of recent screens to hold in memory; a thumbnail takes 20 kB."""

Redraw = Callable[["KnownScreen", Image.Image], Image.Image]
"""Draws a client's marks on a screenshot, at the size in which it is sent."""


@dataclass(frozen=True, slots=True, eq=False)
class KnownScreen:
    """A recorded screen.

    Attributes:
        file: Its screenshot.
        sha256: Hash of the file's bytes.
        size: Size of the screenshot in device pixels.
        thumb: A thumbnail for the search.
        focus: The focused window.
        tree_data: Its UI tree as gzipped XML.
    """

    file: Path
    sha256: str
    size: Size
    thumb: Image.Image = field(repr=False)
    focus: Focus
    tree_data: bytes = field(repr=False)

    @property
    def tree(self) -> UiTree:
        """The screen's tree.

        Raises:
            TreeError: The record is broken.
        """
        return parse_tree(gzip.decompress(self.tree_data))


class ScreenIndex:
    """The recorded screens of runs, including runs in progress."""

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        """Prepare.

        Args:
            folders: Run folders; they need not exist yet.
        """
        self._folders = tuple(folders)
        self._lock = threading.Lock()
        self._follower = LogFollower()
        self._screens: dict[str, KnownScreen] = {}  # by hash, latest last
        # the screens of each running episode: for each step the hash of its latest screen
        self._shown: dict[str, dict[int, str]] = {}

    def refresh(self) -> tuple[KnownScreen, ...]:
        """Read new records, and return all known screens, latest first."""
        with self._lock:
            for folder in self._folders:
                for log in _logs(folder):
                    self._follow(log)
            for digest in list(self._screens)[:-_MAX_SCREENS]:
                del self._screens[digest]
            return tuple(reversed(self._screens.values()))

    def _follow(self, log: Path) -> None:
        """Read what was added to a log, or all of it if a new attempt has begun."""
        try:
            new = self._follower.read(log)
        except InputError:
            return  # an unreadable record adds no screens
        if new is None:
            return
        attempt = Attempt(log.parent, ContentStore.of_episode(log.parent))
        for event in new.events:
            if isinstance(event, Observed):
                self._add(attempt.observation(event), new.attempt)
            elif isinstance(event, EpisodeEnded):
                self._shown.pop(new.attempt, None)

    def _add(self, observed: RecordedObservation, attempt: str) -> None:
        try:
            data, tree_data = observed.picture_path.read_bytes(), observed.tree_path.read_bytes()
            digest = hashlib.sha256(data).hexdigest()
            known = self._screens.pop(digest, None)
            thumb, size = (known.thumb, known.size) if known else _thumb_of(data)
        except OSError:
            return
        self._shown.setdefault(attempt, {})[observed.step] = digest
        self._screens[digest] = KnownScreen(
            observed.picture_path, digest, size, thumb, observed.focus, tree_data
        )

    def showing(self, screen: KnownScreen, task: str, agent: str) -> dict[str, tuple[KnownScreen, ...]]:
        """Find the running episodes that show a screen now.

        Args:
            screen: The screen.
            task: Only episodes of this task.
            agent: Only episodes of the model agent with this profile id, if their run file names it.

        Returns:
            The screens of each episode, one per step; the given screen is the last.
        """
        with self._lock:
            shown_now = {
                place: tuple(self._screens[digest] for digest in shown.values() if digest in self._screens)
                for place, shown in self._shown.items()
                if next(reversed(shown.values())) == screen.sha256
            }
        return {
            place: shown
            for place, shown in shown_now.items()
            if _belongs_to(Path(place.rpartition("#")[0]), task, agent)
        }

    def find(self, data: bytes, redraw: Redraw | None = None) -> KnownScreen | None:
        """Find the screen that an image shows; the latest if several look the same.

        Args:
            data: The image, as encoded in the request.
            redraw: Draws the client's marks, such as numbered boxes, on a known screen.
        """
        known = self.refresh()
        digest = hashlib.sha256(data).hexdigest()
        same = next((screen for screen in known if screen.sha256 == digest), None)
        if same is not None:
            return same
        with Image.open(io.BytesIO(data)) as image:
            sent = image.convert("RGB")
        thumb = _small(sent)
        by_thumb = sorted(((_difference(thumb, screen.thumb), at) for at, screen in enumerate(known)))
        best: tuple[float, KnownScreen] | None = None
        for difference, at in by_thumb[:_MAX_COMPARED]:
            if redraw is None and difference > _MAX_THUMB_DIFFERENCE:
                break
            own = _as_sent(known[at], sent.size)
            if own is None:
                continue
            difference = _difference(sent, redraw(known[at], own) if redraw else own)
            if difference == 0:
                return known[at]
            if best is None or difference < best[0]:
                best = (difference, known[at])
        return best[1] if best is not None and best[0] <= _MAX_IMAGE_DIFFERENCE else None

    def find_by_rows(
        self, rows: Sequence[str], describe: Callable[[KnownScreen], Sequence[str]]
    ) -> KnownScreen | None:
        """Find the screen that element rows describe; the latest if several match.

        Args:
            rows: The element rows.
            describe: Returns the rows by which a client would describe a screen.
        """
        best: tuple[float, KnownScreen] | None = None
        for screen in self.refresh()[:_MAX_DESCRIBED]:
            described = describe(screen)
            if list(described) == list(rows):
                return screen
            similarity = _similarity(described, rows)
            if best is None or similarity > best[0]:
                best = (similarity, screen)
        return best[1] if best is not None and best[0] >= _MIN_SIMILARITY else None


def _similarity(one: Sequence[str], other: Sequence[str]) -> float:
    """Return the Jaccard index of the two sets of rows, from 0 to 1."""
    first, second = set(one), set(other)
    return len(first & second) / len(first | second) if first or second else 1.0


def _belongs_to(episode: Path, task: str, agent: str) -> bool:
    """Return whether an episode belongs to a task, and to an agent if its run file names its profile."""
    *_, episode_task, name, _, _ = episode.parts
    run = episode.parents[4]
    try:
        written = (run / RUN_FILE).stat().st_mtime_ns
    except OSError:
        written = 0
    return episode_task == task and _profiles_of(run, written).get(name, agent) == agent


@functools.lru_cache(maxsize=64)
def _profiles_of(run: Path, written: int) -> Mapping[str, str]:
    """Return the profile ids of a run's model agents by name; empty if the run file cannot be read.

    Args:
        run: The run folder.
        written: When its run file was written, so that a new run in the same folder is read afresh.
    """
    try:
        agents = read_run_file(run).agents
    except GaraError:
        return {}
    return {agent.name: agent.profile for agent in agents if agent.profile}


def _logs(folder: Path) -> Iterator[Path]:
    """Yield the existing event logs of a run's episodes."""
    for episode in episode_folders(folder):
        if (episode / EVENTS).exists():
            yield episode / EVENTS


def _thumb_of(data: bytes) -> tuple[Image.Image, Size]:
    with Image.open(io.BytesIO(data)) as image:
        return _small(image.convert("RGB")), Size(image.width, image.height)


def _small(image: Image.Image) -> Image.Image:
    return image.resize(_THUMB, Image.Resampling.BOX, reducing_gap=2.0)


def _as_sent(screen: KnownScreen, size: tuple[int, int]) -> Image.Image | None:
    """Return a known screenshot at the size of the image in the request; None if its file has changed."""
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
    """Return the mean difference of two images of the same size, from 0 to 255."""
    means = ImageStat.Stat(ImageChops.difference(one, other)).mean
    return float(sum(means) / len(means))
