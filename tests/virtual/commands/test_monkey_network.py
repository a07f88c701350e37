"""Source: AOSP ``development/cmds/monkey/README.NETWORK.txt`` and ``MonkeySourceNetwork.java``."""

from __future__ import annotations

import asyncio

import pytest

from garabench.virtual.commands.monkey_network import MonkeyNetwork, split_words
from tests.virtual.android import toys


class _Client:
    """A program that sends its lines in pieces and reads the replies."""

    def __init__(self, *pieces: str) -> None:
        self._pieces = [piece.encode() for piece in pieces]
        self.replies = ""

    async def read(self) -> bytes:
        return self._pieces.pop(0) if self._pieces else b""

    async def write(self, data: bytes) -> None:
        self.replies += data.decode()

    async def close(self) -> None:
        self._pieces.clear()


@pytest.mark.parametrize(
    ("line", "reply"),
    [
        ("getvar display.width", "OK:1080"),
        ("getvar build.version.sdk", "OK:34"),
        ("getvar am.current.package", "OK:toy.home"),
        ("getvar nope", "ERROR:unknown var"),
        ("getvar", "ERROR:Invalid Argument"),
        ("tap 10 20", "OK"),
        ("tap 10", "ERROR:Invalid Argument"),
        ("touch down 10 20", "OK"),
        ("touch sideways 10 20", "ERROR:Invalid Argument"),
        ("press KEYCODE_HOME", "OK"),
        ("press home", "OK"),
        ("press NOPE", "ERROR"),
        ('type "two words"', "OK"),
        ("type two words", "ERROR:Invalid Argument"),
        ("sleep 5", "OK"),
        ("deferreturn screenchange 1000 press home", "OK"),
        ("queryview viewid x", "ERROR"),
    ],
)
def test_commands_are_answered_as_monkey_does(line: str, reply: str) -> None:
    assert asyncio.run(MonkeyNetwork(toys.phone("android-34")).perform(line)) == reply


def test_lines_are_served_until_quit() -> None:
    device = toys.phone("android-34")
    network, client = MonkeyNetwork(device), _Client("# note\npress", " back\nwake\nqu", "it\npress home\n")
    assert asyncio.run(network.serve(client)) is True
    assert (client.replies, network.injected) == ("OK\nOK\nOK\n", 1)


@pytest.mark.parametrize("pieces", [("done\n",), ("press home\n",), ()])
def test_a_program_that_leaves_does_not_end_monkey(pieces: tuple[str, ...]) -> None:
    assert asyncio.run(MonkeyNetwork(toys.phone("android-34")).serve(_Client(*pieces))) is False


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ('type "a b"', ("type", "a b")),
        (r'type "a \"b\""', ("type", 'a "b"')),
        ('type "open', ("type", '"open')),
        ("type it's", ("type", "it's")),
        ("", ()),
    ],
)
def test_words_are_split_at_spaces_outside_of_quotes(line: str, words: tuple[str, ...]) -> None:
    assert split_words(line) == words
