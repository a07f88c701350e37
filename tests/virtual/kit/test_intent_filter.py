"""Intent filters match as AOSP's ``IntentFilter.match`` and ``PatternMatcher`` do.

The values are those of ``IntentFilter.java``: a ``MATCH_CATEGORY_*`` plus ``MATCH_ADJUSTMENT_NORMAL``.
"""

from __future__ import annotations

import pytest

from garabench.virtual.kit.intent_filter import Authority, IntentFilter, Pattern, PatternKind

VIEW, SEND = "android.intent.action.VIEW", "android.intent.action.SEND"
EMPTY, SCHEME, HOST, PORT = 0x108000, 0x208000, 0x308000, 0x408000
PATH, SSP, TYPE = 0x508000, 0x588000, 0x608000
BARE = IntentFilter((VIEW,))
WEB = IntentFilter((VIEW,), schemes=("http", "https"), authorities=(Authority("example.org"),))
WILD = IntentFilter((VIEW,), schemes=("https",), authorities=(Authority("*.example.org", "8443"),))
IMAGES = IntentFilter((SEND, VIEW), types=("image/*", "text/plain"))
ANY = IntentFilter((SEND,), types=("*/*",))
LOCAL = IntentFilter((VIEW,), schemes=("content",), types=("text/plain",))


def on_path(kind: PatternKind, text: str) -> IntentFilter:
    host = (Authority("example.org"),)
    return IntentFilter((VIEW,), schemes=("https",), authorities=host, paths=(Pattern(text, kind),))


@pytest.mark.parametrize(
    ("entry", "data", "mime_type", "matched"),
    [
        (BARE, "", "", EMPTY),  # "If the filter has no data, the intent must have none"
        (BARE, "foo:bar", "", 0),
        (BARE, "", "text/plain", 0),
        (IntentFilter((VIEW,), schemes=("foo",)), "foo:bar", "", SCHEME),
        (IntentFilter((VIEW,), schemes=("foo",)), "FOO:bar", "", 0),  # schemes are case-sensitive
        (IntentFilter((VIEW,), schemes=("foo",)), "", "", 0),
        (IntentFilter((VIEW,), schemes=("foo",)), "foo:bar", "text/plain", 0),  # a type that it does not name
        (WEB, "https://example.org/a", "", HOST),
        (WEB, "https://EXAMPLE.ORG/a", "", HOST),  # hosts are not
        (WEB, "https://www.example.org/a", "", 0),
        (WEB, "https:example.org", "", 0),
        (WEB, "https://[", "", 0),
        (WILD, "https://www.example.org:8443/", "", PORT),
        (WILD, "https://www.example.org/", "", 0),
        (WILD, "https://www.example.org:x/", "", 0),
        (on_path(PatternKind.LITERAL, "/a"), "https://example.org/a", "", PATH),
        (on_path(PatternKind.LITERAL, "/a"), "https://example.org/a/b", "", 0),
        (on_path(PatternKind.PREFIX, "/a"), "https://example.org/a/b", "", PATH),
        (on_path(PatternKind.SUFFIX, ".pdf"), "https://example.org/a.pdf?x=1", "", PATH),
        (on_path(PatternKind.GLOB, "/.*\\.pdf"), "https://example.org/a.pdf", "", PATH),
        (on_path(PatternKind.GLOB, "/.*\\.pdf"), "https://example.org/apdf", "", 0),
        (on_path(PatternKind.GLOB, "/a*b"), "https://example.org/aaab", "", PATH),
        (on_path(PatternKind.ADVANCED, "/[0-9]{2}"), "https://example.org/42", "", PATH),
        (on_path(PatternKind.ADVANCED, "/[0-9"), "https://example.org/4", "", 0),  # malformed
        (IntentFilter((VIEW,), schemes=("sip",), ssps=(Pattern("a@b"),)), "sip:a@b", "", SSP),
        (IntentFilter((VIEW,), schemes=("sip",), ssps=(Pattern("a@b"),)), "sip:c", "", 0),
        (IMAGES, "", "image/png", TYPE),
        (IMAGES, "content://media/1", "image/png", TYPE),  # without schemes: content: and file: only
        (IMAGES, "https://example.org/a.png", "image/png", 0),
        (IMAGES, "", "image/*", TYPE),
        (IMAGES, "", "text/*", TYPE),
        (IMAGES, "", "text/html", 0),
        (IMAGES, "", "*/*", TYPE),
        (IMAGES, "", "", 0),
        (ANY, "", "x/y", TYPE),
        (LOCAL, "content://x/1", "text/plain", TYPE),
        (LOCAL, "file:///x", "text/plain", 0),
    ],
)
def test_data_matches_as_in_match_data(entry: IntentFilter, data: str, mime_type: str, matched: int) -> None:
    assert entry.match(entry.actions[0], (), data, mime_type) == matched


def test_actions_and_categories() -> None:
    default = "android.intent.category.DEFAULT"
    assert IMAGES.match(SEND, [default], "", "image/png") == TYPE
    assert IMAGES.match("other", [], "", "image/png") == 0
    assert IMAGES.match("", [], "", "image/png") == TYPE  # an intent without an action matches by its data
    assert IMAGES.match(SEND, [default, "x.Y"], "", "image/png") == 0
