"""The audio streams and ``cmd media_session volume``, which sets their volumes (AOSP ``VolumeCtrl.java``)."""

from __future__ import annotations

from dataclasses import dataclass

from garabench.virtual.android.phone import Phone
from garabench.virtual.android.settings import Settings
from garabench.virtual.commands import framework_errors
from garabench.virtual.shell.call import CommandCall


@dataclass(frozen=True, slots=True)
class AudioStream:
    """An audio stream.

    Attributes:
        number: Its number in ``AudioSystem``.
        name: Its name there, without ``STREAM_``.
        setting: The system setting with its volume.
        lowest, highest: The range of its volume.
        default: Its volume before it is set.
    """

    number: int
    name: str
    setting: str
    lowest: int
    highest: int
    default: int

    def read(self, settings: Settings) -> int:
        """Return its volume, within its range."""
        text = settings.get("system", self.setting) or ""
        value = int(text) if text.lstrip("-").isdecimal() else self.default
        return min(self.highest, max(self.lowest, value))


STREAMS = (
    AudioStream(0, "VOICE_CALL", "volume_voice", 1, 7, 5),
    AudioStream(1, "SYSTEM", "volume_system", 0, 7, 7),
    AudioStream(2, "RING", "volume_ring", 0, 7, 4),
    AudioStream(3, "MUSIC", "volume_music", 0, 15, 7),
    AudioStream(4, "ALARM", "volume_alarm", 1, 7, 6),
    AudioStream(5, "NOTIFICATION", "volume_notification", 0, 7, 4),
    AudioStream(6, "BLUETOOTH_SCO", "volume_bluetooth_sco", 0, 15, 7),
)
_ADJUSTMENTS = {"same": 0, "raise": 1, "lower": -1}
_KEYS = frozenset(
    {"play", "pause", "play-pause", "mute", "headsethook", "stop", "next", "previous", "rewind"}
    | {"record", "fast-forward"}
)


async def media_session(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``cmd media_session dispatch KEY``, ``list-sessions`` and ``volume …``."""
    match args:
        case ["dispatch", key]:
            if key not in _KEYS:
                await call.print_error(f"Error: unknown dispatch code '{key}'\n")
                return framework_errors.FAILED
            return 0  # no app plays media
        case ["list-sessions"]:
            await call.print("Sessions:\n")
            return 0
        case ["volume", *rest]:
            return await _volume(phone, call, rest)
        case ["monitor", _]:
            await call.print("Error: could not find the session to monitor\n")
            return framework_errors.FAILED
    if args:
        return await framework_errors.report_unknown_verb(phone, call, args[0])
    await call.print(
        "usage: media_session [subcommand] [options]\n       media_session dispatch KEY\n"
        "       media_session list-sessions\n       media_session monitor <tag>\n"
        "       media_session volume [options]\n"
    )
    return framework_errors.FAILED


async def _volume(phone: Phone, call: CommandCall, args: list[str]) -> int:
    """``volume [--show] [--stream N] [--get] [--set INDEX] [--adj raise|lower|same]``."""
    options, rest = dict[str, str](), list(args)
    while rest:
        name = rest.pop(0)
        if name in ("--get", "--show"):
            options[name] = ""
        elif name in ("--stream", "--set", "--adj") and rest:
            options[name] = rest.pop(0)
        else:
            await call.print_error(f"Error: Unknown argument {name}\n")
            return framework_errors.FAILED
    wanted = options.get("--stream", "3")
    stream = next((each for each in STREAMS if str(each.number) == wanted), None)
    if stream is None:
        await call.print(f"Error: Invalid stream {wanted}\n")
        return framework_errors.FAILED
    if not {"--get", "--set", "--adj"} & options.keys():
        await call.print_error("Error: nothing to do\n")
        return framework_errors.FAILED
    await call.print(f"[V] will control stream={stream.number} (STREAM_{stream.name})\n")
    now = stream.read(phone.settings)
    if "--set" in options:
        text = options["--set"]
        value = int(text) if text.lstrip("-").isdecimal() else stream.lowest - 1
        if not stream.lowest <= value <= stream.highest:
            await call.print(f"Error: {text} not in [{stream.lowest}..{stream.highest}]\n")
            return framework_errors.FAILED
        await call.print(f"[V] will set volume to index={value}\n")
        now = value
    if "--adj" in options:
        if options["--adj"] not in _ADJUSTMENTS:
            await call.print(f"Error: invalid adjustment '{options['--adj']}'\n")
            return framework_errors.FAILED
        await call.print(f"[V] will adjust volume ({options['--adj']})\n")
        now = min(stream.highest, max(stream.lowest, now + _ADJUSTMENTS[options["--adj"]]))
    phone.settings.put("system", stream.setting, str(now))
    if "--get" in options:
        await call.print(
            f"[V] will get volume\n[V] volume is {now} in range [{stream.lowest}..{stream.highest}]\n"
        )
    phone.changed()
    return 0
