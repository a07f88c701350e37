"""``screenrecord``: films the screen until a time is over, a signal comes or its stream is closed.

The film is an MP4 file of JPEG pictures, one for each change that was seen. While it is taken, the phone's
time goes on as the real one does, with every latency.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from PIL import Image

from garabench.core.geometry import Size
from garabench.virtual.os.clock import Latency
from garabench.virtual.os.mp4 import film
from garabench.virtual.os.phone import Phone
from garabench.virtual.shell.call import Call, Command
from garabench.virtual.ui.frame import Frame

LONGEST_S = 180
_LOOK_MS = 50
_QUALITY = 80
_USAGE = """\
Usage: screenrecord [options] <filename>

Android screenrecord v1.3.  Records the device's display to a .mp4 file.

Options:
--size WIDTHxHEIGHT
    Set the video size, e.g. "1280x720".
--bit-rate RATE
    Set the video bit rate, in bits per second.
--time-limit TIME
    Set the maximum recording time, in seconds.  Default / maximum is 180.
--verbose
    Display interesting information on stdout.
--help
    Show this message.

Recording continues until Ctrl-C is hit or the time limit is reached.

"""


class WrongRecordingError(ValueError):
    """The options are wrong; the text is what the program says."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to record.

    Attributes:
        path: Of the file.
        seconds: The longest time.
        size: In pixels, or None for the screen's own.
    """

    path: str
    seconds: int = LONGEST_S
    size: Size | None = None


def parse(words: list[str]) -> Wanted:
    """Read the arguments.

    Raises:
        WrongRecordingError: They are wrong.
    """
    left, paths, seconds, size = list(words), list[str](), LONGEST_S, None
    while left:
        word, _, value = left.pop(0).partition("=")
        if word in ("--size", "--bit-rate", "--time-limit", "--display-id", "--output-format") and not value:
            value = left.pop(0) if left else ""
        match word:
            case "--time-limit":
                if not value.isdecimal() or not 1 <= int(value) <= LONGEST_S:
                    raise WrongRecordingError(
                        f"Time limit {value}s outside acceptable range [1,{LONGEST_S}]\n"
                    )
                seconds = int(value)
            case "--size":
                width, cross, height = value.partition("x")
                if not (cross and width.isdecimal() and height.isdecimal() and int(width) and int(height)):
                    raise WrongRecordingError(f"Invalid size '{value}', must be width x height\n")
                size = Size(int(width), int(height))
            case "--bit-rate" | "--verbose" | "--bugreport" | "--rotate" | "--display-id" | "--output-format":
                continue
            case _ if word.startswith("-") and word != "-":
                raise WrongRecordingError(f"screenrecord: unrecognized option `{word}'\n")
            case _:
                paths.append(word)
    if len(paths) != 1:
        raise WrongRecordingError("Must specify output file (see --help).\n")
    return Wanted(paths[0], seconds, size)


class _Recorder:
    """Takes a picture whenever the screen has changed."""

    def __init__(self, phone: Phone, size: Size) -> None:
        self._phone = phone
        self._size = size
        self._last: Frame | None = None
        self._taken: list[tuple[bytes, int]] = []
        self.began = phone.clock.now_ms()

    def look(self) -> None:
        """Take a picture, if there is something new."""
        frame = self._phone.frame()
        if frame is not self._last:
            self._last = frame
            self._taken.append((self._picture(frame), self._phone.clock.now_ms()))

    def _picture(self, frame: Frame) -> bytes:
        if frame.size == self._size:
            return frame.jpeg(_QUALITY)
        sheet = Image.new("RGB", (self._size.width, self._size.height))
        fitted = frame.image.copy()
        fitted.thumbnail(sheet.size)
        sheet.paste(fitted, ((sheet.width - fitted.width) // 2, (sheet.height - fitted.height) // 2))
        buffer = io.BytesIO()
        sheet.save(buffer, "JPEG", quality=_QUALITY)
        return buffer.getvalue()

    def film(self) -> bytes:
        """What was taken."""
        ends = [when for _, when in self._taken[1:]] + [self._phone.clock.now_ms()]
        lasting = [max(1, end - when) for (_, when), end in zip(self._taken, ends, strict=True)]
        return film(self._size, [(data, ms) for (data, _), ms in zip(self._taken, lasting, strict=True)])


async def screenrecord(phone: Phone, call: Call) -> int:
    """``screenrecord [--time-limit S] [--size WxH] PATH``."""
    if "--help" in call.argv:
        await call.complain(_USAGE)
        return 0
    try:
        wanted = parse(call.argv[1:])
    except WrongRecordingError as error:
        await call.complain(str(error))
        return 2
    path = call.path(wanted.path)
    try:
        phone.files.write(path, b"")
    except OSError as error:
        await call.complain(f"Unable to open '{wanted.path}': {error.strerror}\n")
        return 1
    recorder = _Recorder(phone, wanted.size or phone.display.current_size)
    stopped = asyncio.Event()
    program = phone.programs.begin("screenrecord", stopped.set)
    try:
        recorder.look()
        await _watch(phone, recorder, stopped, recorder.began + wanted.seconds * 1000)
    finally:  # also when its stream is closed
        phone.programs.end(program)
        phone.files.write(path, recorder.film())
    return 0


async def _watch(phone: Phone, recorder: _Recorder, stopped: asyncio.Event, end: int) -> None:
    """Look at the screen until the end; time that nobody else lets pass, passes as in reality."""
    clock = phone.clock
    while not stopped.is_set() and clock.now_ms() < end:
        seen = clock.now_ms()
        try:
            await asyncio.wait_for(stopped.wait(), _LOOK_MS / 1000)
        except TimeoutError:
            if clock.latency is Latency.INSTANT and clock.now_ms() == seen:
                clock.advance(_LOOK_MS)
        recorder.look()


def commands(phone: Phone) -> Mapping[str, Command]:
    """The commands by name."""
    return {"screenrecord": partial(screenrecord, phone)}
