"""Intents as URIs (AOSP ``Intent.parseUri``, ``Intent.toUri``), and activities that are not exported."""

from __future__ import annotations

import pytest

from garabench.virtual.android.file_system import as_root
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.intent_uri import IntentUri, IntentUriError, parse, to_uri
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone


@pytest.mark.parametrize(
    ("uri", "expected"),
    [
        ("http://a.b/c", IntentUri(action="android.intent.action.VIEW", data="http://a.b/c")),
        (
            "intent://a.b/c?q=1#Intent;scheme=https;package=p.q;S.fallback=x%3By;B.on=true;i.n=7;end",
            IntentUri(
                action="android.intent.action.VIEW",
                data="https://a.b/c?q=1",
                package="p.q",
                extras={"fallback": "x;y", "on": True, "n": 7},
            ),
        ),
        (
            "#Intent;action=a.B;category=c.D;type=text/plain;launchFlags=0x10000000;component=p/.C;end",
            IntentUri(
                action="a.B",
                categories=["c.D"],
                mime_type="text/plain",
                flags=0x10000000,
                component="p/.C",
            ),
        ),
        ("intent:#Intent;action=a.B;end", IntentUri(action="a.B")),
        (
            "android-app://p.q/http/a.b/c",
            IntentUri(action="android.intent.action.VIEW", package="p.q", data="http://a.b/c"),
        ),
        ("android-app://p.q", IntentUri(action="android.intent.action.MAIN", package="p.q")),
    ],
)
def test_parsing(uri: str, expected: IntentUri) -> None:
    assert parse(uri) == expected


@pytest.mark.parametrize(
    ("uri", "message"),
    [
        ("intent:#Intent;action", "illegal Intent URI format at index 15: "),
        ("intent:#Intent;action=a", "illegal Intent URI format at index 23: "),
        ("intent:#Intent;X.a=b;end", "unknown EXTRA type at index 15: "),
        ("intent:#Intent;i.a=b;end", "EXTRA value can't be parsed at index 15: "),
    ],
)
def test_malformed_uris(uri: str, message: str) -> None:
    with pytest.raises(IntentUriError) as caught:
        parse(uri)
    assert str(caught.value) == message + uri


@pytest.mark.parametrize("as_intent", [True, False])
@pytest.mark.parametrize(
    "uri",
    [
        "https://a.b/c#Intent;package=p.q;S.k=v%20w;end",
        "#Intent;action=a.B;category=c.D;component=p/.C;B.on=true;i.n=7;end",
        "tel:110",
    ],
)
def test_a_uri_of_an_intent_is_parsed_to_the_same_intent(uri: str, as_intent: bool) -> None:
    assert parse(to_uri(parse(uri), as_intent=as_intent)) == parse(uri)


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        (
            "am start 'intent:#Intent;component=toy.app/.Detail;S.k=v;end'",
            "Starting: Intent { cmp=toy.app/.Detail (has extras) }\n",
            "",
            0,
        ),
        (
            "am start 'intent://detail/1#Intent;scheme=toy;end'",
            "Starting: Intent { act=android.intent.action.VIEW dat=toy://detail/... }\n",
            "",
            0,
        ),
        (
            "am start 'intent:#Intent;action'",
            "",
            "\nException occurred while executing 'start':\njava.lang.RuntimeException: "
            "illegal Intent URI format at index 15: intent:#Intent;action\n",
            255,
        ),
        (
            "am to-intent-uri -a a.B -d http://x/y --es k v",
            "intent://x/y#Intent;scheme=http;action=a.B;S.k=v;end\n",
            "",
            0,
        ),
        ("am to-uri -a a.B --ez on true", "#Intent;action=a.B;B.on=true;end\n", "", 0),
        ("am to-app-uri -p p.q -d http://x/y", "android-app://p.q/http/x/y\n", "", 0),
        (
            "am start -n toy.app/.Private",
            "Starting: Intent { cmp=toy.app/.Private }\n",
            "\nException occurred while executing 'start':\njava.lang.SecurityException: Permission Denial: "
            "starting Intent { flg=0x10000000 cmp=toy.app/.Private } from null (pid=5000, uid=2000) not "
            "exported from uid 10051\n",
            255,
        ),
    ],
)
def test_lines(phone: Phone, line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line, phone=phone) == (out, err, status)


def test_the_uris_intent_arrives(phone: Phone) -> None:
    on_phone("am start 'intent:#Intent;component=toy.app/.Detail;S.k=v;i.n=3;end'", phone=phone)
    assert toys.front(phone).intent.extras == {"k": "v", "n": 3}


def test_root_starts_what_is_not_exported(phone: Phone) -> None:
    """``ActivityTaskSupervisor.checkComponentPermission``: uid 0 has every permission."""
    with as_root():
        assert on_phone("am start -n toy.app/.Private", phone=phone)[2] == 0
    assert type(toys.front(phone)) is toys.Private
