"""``screenrecord``: records the screen until the time limit, a signal or the end of its stream.

The recording is an MP4 file of JPEG frames, one per observed change. While recording, the phone's
clock follows real time with every latency.
"""

from __future__ import annotations

import asyncio
import io
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from PIL import Image

from garabench.core.geometry import Size
from garabench.virtual.android.mp4 import encode_mp4
from garabench.virtual.android.phone import Phone
from garabench.virtual.android.phone_clock import Latency
from garabench.virtual.shell.call import Command, CommandCall
from garabench.virtual.ui.frame import Frame

TIME_LIMIT_S = 180
_CAPTURE_INTERVAL_MS = 50
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


class ScreenrecordOptionError(ValueError):
    """The options are invalid; the text is the program's message."""


@dataclass(frozen=True, slots=True)
class RecordingOptions:
    """Options of a recording.

    Attributes:
        path: Path of the file.
        seconds: Time limit.
        size: Size in pixels, or None for the screen's.
    """

    path: str
    seconds: int = TIME_LIMIT_S
    size: Size | None = None


def parse(args: list[str]) -> RecordingOptions:
    """Parse the arguments.

    Raises:
        ScreenrecordOptionError: They are invalid.
    """
    remaining, paths, seconds, size = list(args), list[str](), TIME_LIMIT_S, None
    while remaining:
        arg, _, value = remaining.pop(0).partition("=")
        if arg in ("--size", "--bit-rate", "--time-limit", "--display-id", "--output-format") and not value:
            value = remaining.pop(0) if remaining else ""
        match arg:
            case "--time-limit":
                if not value.isdecimal() or not 1 <= int(value) <= TIME_LIMIT_S:
                    raise ScreenrecordOptionError(
                        f"Time limit {value}s outside acceptable range [1,{TIME_LIMIT_S}]\n"
                    )
                seconds = int(value)
            case "--size":
                width, cross, height = value.partition("x")
                if not (cross and width.isdecimal() and height.isdecimal() and int(width) and int(height)):
                    raise ScreenrecordOptionError(f"Invalid size '{value}', must be width x height\n")
                size = Size(int(width), int(height))
            case "--bit-rate" | "--verbose" | "--bugreport" | "--rotate" | "--display-id" | "--output-format":
                continue
            case _ if arg.startswith("-") and arg != "-":
                raise ScreenrecordOptionError(f"screenrecord: unrecognized option `{arg}'\n")
            case _:
                paths.append(arg)
    if len(paths) != 1:
        raise ScreenrecordOptionError("Must specify output file (see --help).\n")
    return RecordingOptions(paths[0], seconds, size)


class _Recorder:
    """Captures a frame whenever the screen has changed."""

    def __init__(self, phone: Phone, size: Size) -> None:
        self._phone = phone
        self._size = size
        self._last: Frame | None = None
        self._frames: list[tuple[bytes, int]] = []
        self.began = phone.clock.now_ms()

    def capture(self) -> None:
        """Capture a frame if the screen has changed."""
        frame = self._phone.frame()
        if frame is not self._last:
            self._last = frame
            self._frames.append((self._image(frame), self._phone.clock.now_ms()))

    def _image(self, frame: Frame) -> bytes:
        if frame.size == self._size:
            return frame.jpeg(_QUALITY)
        sheet = Image.new("RGB", (self._size.width, self._size.height))
        fitted = frame.image.copy()
        fitted.thumbnail(sheet.size)
        sheet.paste(fitted, ((sheet.width - fitted.width) // 2, (sheet.height - fitted.height) // 2))
        buffer = io.BytesIO()
        sheet.save(buffer, "JPEG", quality=_QUALITY)
        return buffer.getvalue()

    def encode(self) -> bytes:
        """Encode the recording."""
        ends = [when for _, when in self._frames[1:]] + [self._phone.clock.now_ms()]
        durations = [max(1, end - when) for (_, when), end in zip(self._frames, ends, strict=True)]
        return encode_mp4(
            self._size, [(data, ms) for (data, _), ms in zip(self._frames, durations, strict=True)]
        )


async def screenrecord(phone: Phone, call: CommandCall) -> int:
    """``screenrecord [--time-limit S] [--size WxH] PATH``."""
    if "--help" in call.argv:
        await call.print_error(_USAGE)
        return 0
    try:
        wanted = parse(call.argv[1:])
    except ScreenrecordOptionError as error:
        await call.print_error(str(error))
        return 2
    path = call.path(wanted.path)
    try:
        phone.files.write(path, b"")
    except OSError as error:
        await call.print_error(f"Unable to open '{wanted.path}': {error.strerror}\n")
        return 1
    recorder = _Recorder(phone, wanted.size or phone.display.current_size)
    stopped = asyncio.Event()
    program = phone.programs.begin("screenrecord", stopped.set)
    try:
        recorder.capture()
        await _watch(phone, recorder, stopped, recorder.began + wanted.seconds * 1000)
    finally:  # also when its stream is closed
        phone.programs.end(program)
        phone.files.write(path, recorder.encode())
    return 0


async def _watch(phone: Phone, recorder: _Recorder, stopped: asyncio.Event, end: int) -> None:
    """Watch the screen until the end; the phone's clock follows real time if nothing else advances it."""
    clock = phone.clock
    while not stopped.is_set() and clock.now_ms() < end:
        seen = clock.now_ms()
        try:
            await asyncio.wait_for(stopped.wait(), _CAPTURE_INTERVAL_MS / 1000)
        except TimeoutError:
            if clock.latency is Latency.INSTANT and clock.now_ms() == seen:
                clock.advance(_CAPTURE_INTERVAL_MS)
        recorder.capture()


def commands(phone: Phone) -> Mapping[str, Command]:
    """Return the commands by name."""
    return {"screenrecord": partial(screenrecord, phone)}
