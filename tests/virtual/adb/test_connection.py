"""Dialogues of the device's side with a scripted host (AOSP ``packages/modules/adb/protocol.txt``)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from garabench.virtual.adb import connection as c
from garabench.virtual.adb.connection import ConnectionState, DeviceConnection, LocalProtocolError
from garabench.virtual.adb.messages import (
    MAX_PAYLOAD,
    VERSION_CHECKSUM,
    VERSION_NO_CHECKSUM,
    AdbCommand,
    AdbMessage,
    MessageReader,
    ProtocolError,
)
from tests.cases import every_case


class Host:
    """The adb server's side: sends messages and reads the device's."""

    def __init__(self, *, version: int = VERSION_NO_CHECKSUM, limit: int = MAX_PAYLOAD) -> None:
        self.device = DeviceConnection({"ro.product.model": "Pixel"}, ("shell_v2", "cmd"))
        self.version, self.limit = version, limit
        self.reader = MessageReader()
        self.reader.limit = MAX_PAYLOAD

    def send(self, command: AdbCommand, arg0: int, arg1: int, data: bytes = b"") -> tuple[c.Event, ...]:
        message = AdbMessage(command, arg0, arg1, data)
        return self.device.receive(message.encode(checksum=self.version == VERSION_CHECKSUM))

    def sent(self) -> list[tuple[AdbCommand, int, int, bytes]]:
        self.reader.feed(self.device.bytes_to_send())
        messages = []
        while (message := self.reader.next()) is not None:
            messages.append((message.command, message.arg0, message.arg1, message.data))
        return messages

    def online(self) -> Host:
        assert self.send(AdbCommand.CNXN, self.version, self.limit, b"host::features=cmd") == (
            c.ConnectRequested("host::features=cmd"),
        )
        self.device.accept()
        ((command, _, _, banner),) = self.sent()
        assert command is AdbCommand.CNXN
        assert banner == b"device::ro.product.model=Pixel;features=shell_v2,cmd;"
        return self

    def stream(self) -> int:
        (opened,) = self.send(AdbCommand.OPEN, 7, 0, b"shell:ls\0")
        assert opened == c.StreamRequested(1, "shell:ls")
        self.device.accept_stream(1)
        assert self.sent() == [(AdbCommand.OKAY, 1, 7, b"")]
        return 1


def test_the_peer_is_challenged_until_a_key_is_accepted() -> None:
    host = Host()
    host.send(AdbCommand.CNXN, VERSION_NO_CHECKSUM, MAX_PAYLOAD, b"host::")
    host.device.challenge(b"t" * 20)
    assert host.sent() == [(AdbCommand.AUTH, c.AUTH_TOKEN, 0, b"t" * 20)]
    assert host.send(AdbCommand.AUTH, c.AUTH_SIGNATURE, 0, b"sig") == (c.SignatureReceived(b"sig"),)
    host.device.challenge(b"u" * 20)
    assert host.send(AdbCommand.AUTH, c.AUTH_RSAPUBLICKEY, 0, b"key\0") == (c.PublicKeyReceived(b"key"),)
    host.device.accept()
    assert host.device.state is ConnectionState.ONLINE


def test_only_one_write_is_in_flight_per_stream() -> None:
    host = Host(limit=4).online()
    number = host.stream()
    assert not host.device.write(number, b"abcdefghij")
    assert host.sent() == [(AdbCommand.WRTE, 1, 7, b"abcd")]
    assert host.send(AdbCommand.OKAY, 7, 1) == ()
    assert host.sent() == [(AdbCommand.WRTE, 1, 7, b"efgh")]
    host.device.end_stream(number)
    assert host.sent() == []
    host.send(AdbCommand.OKAY, 7, 1)
    assert host.sent() == [(AdbCommand.WRTE, 1, 7, b"ij")]
    host.send(AdbCommand.OKAY, 7, 1)
    assert host.sent() == [(AdbCommand.CLSE, 1, 7, b"")]
    assert not host.device.is_open(number)


def test_data_is_acknowledged_once_consumed() -> None:
    host = Host().online()
    number = host.stream()
    assert host.send(AdbCommand.WRTE, 7, 1, b"in") == (c.DataReceived(1, b"in"),)
    assert host.sent() == []
    host.device.acknowledge(number)
    assert host.sent() == [(AdbCommand.OKAY, 1, 7, b"")]
    with pytest.raises(LocalProtocolError, match="nothing to acknowledge"):
        host.device.acknowledge(number)


def test_writes_sent_ahead_of_a_close_are_accepted_and_acknowledged_one_by_one() -> None:
    host = Host().online()
    host.stream()
    assert host.send(AdbCommand.WRTE, 7, 1, b"one") == (c.DataReceived(1, b"one"),)
    assert host.send(AdbCommand.WRTE, 7, 1, b"two") == (c.DataReceived(1, b"two"),)
    for _ in range(2):
        host.device.acknowledge(1)
    assert host.sent() == [(AdbCommand.OKAY, 1, 7, b"")] * 2
    with pytest.raises(LocalProtocolError, match="nothing to acknowledge"):
        host.device.acknowledge(1)


def test_too_many_unacknowledged_writes_end_the_connection() -> None:
    host = Host().online()
    host.stream()
    for _ in range(64):
        host.send(AdbCommand.WRTE, 7, 1, b"more")
    with pytest.raises(ProtocolError, match="before earlier ones"):
        host.send(AdbCommand.WRTE, 7, 1, b"more")
    assert host.device.state is ConnectionState.CLOSED


def test_a_close_is_answered_with_a_close() -> None:
    host = Host().online()
    host.stream()
    assert host.send(AdbCommand.CLSE, 7, 1) == (c.StreamClosed(1),)
    assert host.sent() == [(AdbCommand.CLSE, 1, 7, b"")]
    assert host.send(AdbCommand.CLSE, 7, 1) == ()


def test_a_refused_stream_is_closed_with_a_zero_id() -> None:
    host = Host().online()
    host.send(AdbCommand.OPEN, 9, 0, b"jdwp:1\0")
    host.device.refuse_stream(1)
    assert host.sent() == [(AdbCommand.CLSE, 0, 9, b"")]


def test_open_stream_for_reverse() -> None:
    host = Host().online()
    number = host.device.open_stream("tcp:9000")
    assert host.sent() == [(AdbCommand.OPEN, number, 0, b"tcp:9000\0")]
    with pytest.raises(LocalProtocolError):
        host.device.write(number, b"too early")
    assert host.send(AdbCommand.OKAY, 40, number) == (c.StreamAccepted(number),)
    host.device.write(number, b"x")
    assert host.sent() == [(AdbCommand.WRTE, number, 40, b"x")]


def test_a_write_to_a_closed_stream_is_answered_with_a_close() -> None:
    host = Host().online()
    assert host.send(AdbCommand.WRTE, 5, 99, b"late") == ()
    assert host.sent() == [(AdbCommand.CLSE, 0, 5, b"")]


@pytest.mark.parametrize("command", [AdbCommand.OPEN, AdbCommand.WRTE, AdbCommand.OKAY, AdbCommand.STLS])
def test_messages_before_cnxn_end_the_connection(command: AdbCommand) -> None:
    with pytest.raises(ProtocolError):
        Host().send(command, 1, 1, b"x")


def test_a_checksum_is_verified_if_the_peer_sends_one() -> None:
    host = Host(version=VERSION_CHECKSUM).online()
    raw = bytearray(AdbMessage(AdbCommand.OPEN, 1, 0, b"shell:").encode(checksum=True))
    raw[-1] ^= 1
    with pytest.raises(ProtocolError, match="checksum"):
        host.device.receive(bytes(raw))


def test_a_payload_over_4_kib_is_rejected_before_cnxn() -> None:
    with pytest.raises(ProtocolError, match="limit of 4096"):
        Host().send(AdbCommand.CNXN, VERSION_NO_CHECKSUM, MAX_PAYLOAD, b"x" * 5000)


@pytest.mark.parametrize("value", ["a;b", "a=b", "a\0b"])
def test_a_banner_value_with_a_separator_is_rejected(value: str) -> None:
    with pytest.raises(ValueError, match="banner"):
        DeviceConnection({"ro.product.model": value}, ())


@given(st.binary(max_size=300), st.booleans())
def test_any_bytes_at_worst_end_the_connection(data: bytes, online: bool) -> None:
    host = Host().online() if online else Host()
    try:
        host.device.receive(data)
    except ProtocolError:
        assert host.device.state is ConnectionState.CLOSED


@given(st.binary(max_size=5000), st.integers(1, 997), st.integers(1, 400))
def test_written_data_arrives_for_any_payload_limit_and_chunking(data: bytes, limit: int, cut: int) -> None:
    host = Host(limit=limit).online()
    number = host.stream()
    host.device.write(number, data)
    host.device.end_stream(number)
    arrived = b""
    while messages := host.sent():
        for command, _, _, payload in messages:
            if command is AdbCommand.WRTE:
                assert len(payload) <= limit
                arrived += payload
                raw = AdbMessage(AdbCommand.OKAY, 7, 1).encode(checksum=False)
                for start in range(0, len(raw), cut):
                    host.device.receive(raw[start : start + cut])
    assert arrived == data


@given(st.lists(st.integers(1, 200), max_size=30), st.binary(min_size=1, max_size=200))
def test_chunking_does_not_change_the_events(cuts: list[int], data: bytes) -> None:
    dialogue = [
        AdbMessage(AdbCommand.OPEN, 7, 0, b"shell:cat\0"),
        AdbMessage(AdbCommand.OPEN, 8, 0, b"sync:\0"),
        AdbMessage(AdbCommand.WRTE, 9, 77, data),
        AdbMessage(AdbCommand.CLSE, 7, 1),
        AdbMessage(AdbCommand.CLSE, 8, 2),
    ]
    raw = b"".join(each.encode(checksum=False) for each in dialogue)
    unsplit, parts = Host().online(), Host().online()
    events: list[c.Event] = []
    at = 0
    for size in [*cuts, len(raw)]:
        events += parts.device.receive(raw[at : at + size])
        at += size
    assert tuple(events) == unsplit.device.receive(raw)
    assert parts.sent() == unsplit.sent()


@given(
    st.lists(
        st.tuples(
            st.sampled_from(AdbCommand),
            st.integers(0, 4),
            st.integers(0, 4),
            st.sampled_from([b"", b"x", b"sync:\0"]),
        ),
        max_size=30,
    )
)
def test_any_sequence_of_messages_at_worst_ends_the_connection(
    messages: list[tuple[AdbCommand, int, int, bytes]],
) -> None:
    host = Host().online()
    for command, arg0, arg1, data in messages:
        try:
            events = host.send(command, arg0, arg1, data)
        except ProtocolError:
            assert host.device.state is ConnectionState.CLOSED
            return
        for event in events:
            if isinstance(event, c.ConnectRequested):
                host.device.accept()
            elif isinstance(event, c.StreamRequested):
                host.device.accept_stream(event.stream)
            elif isinstance(event, c.DataReceived):
                host.device.acknowledge(event.stream)


def new() -> DeviceConnection:
    return Host().device


def authenticating() -> DeviceConnection:
    host = Host()
    host.send(AdbCommand.CNXN, VERSION_NO_CHECKSUM, MAX_PAYLOAD, b"host::")
    return host.device


def online(*, opening: bool = False, waiting: bool = False, opened: bool = False) -> DeviceConnection:
    host = Host().online()
    if opening or opened:
        host.send(AdbCommand.OPEN, 7, 0, b"shell:ls\0")
    if opened:
        host.device.accept_stream(1)
    if waiting:
        host.device.open_stream("tcp:1")
    return host.device


def closing() -> DeviceConnection:
    device = online(opened=True)
    device.write(1, b"on its way")
    device.end_stream(1)
    return device


def closed() -> DeviceConnection:
    device = online(opened=True)
    device.close()
    return device


SITUATIONS: dict[str, Callable[[], DeviceConnection]] = {
    "new": new,
    "authenticating": authenticating,
    "online": online,
    "stream opening": lambda: online(opening=True),
    "stream waiting": lambda: online(waiting=True),
    "stream open": lambda: online(opened=True),
    "stream closing": closing,
    "closed": closed,
}
CALLS: dict[str, tuple[Callable[[DeviceConnection], object], set[str]]] = {
    # calls, and the situations that allow them
    "accept": (lambda device: device.accept(), {"authenticating"}),
    "challenge": (lambda device: device.challenge(bytes(20)), {"authenticating"}),
    "a short token": (lambda device: device.challenge(b"x"), set()),
    "open_stream": (
        lambda device: device.open_stream("tcp:1"),
        {"online", "stream opening", "stream waiting", "stream open", "stream closing"},
    ),
    "accept_stream": (lambda device: device.accept_stream(1), {"stream opening"}),
    "refuse_stream": (lambda device: device.refuse_stream(1), {"stream opening"}),
    "write": (lambda device: device.write(1, b"x"), {"stream open"}),
    "acknowledge": (lambda device: device.acknowledge(1), set()),
    "end_stream": (lambda device: device.end_stream(1), set(SITUATIONS) - {"stream opening"}),
    "close": (lambda device: device.close(), set(SITUATIONS)),
}


@every_case("call", CALLS)
@every_case("situation", SITUATIONS)
def test_each_call_is_allowed_exactly_in_its_states(situation: str, call: str) -> None:
    device = SITUATIONS[situation]()
    perform, allowed = CALLS[call]
    before = device.state
    device.bytes_to_send()
    if situation in allowed:
        perform(device)
    else:
        with pytest.raises(LocalProtocolError):
            perform(device)
        assert device.state is before
        assert device.bytes_to_send() == b""
