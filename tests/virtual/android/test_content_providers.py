"""Content providers, with the output and errors of AOSP's ``Content.java``."""

from __future__ import annotations

import pytest

from garabench.virtual.android import content_providers
from garabench.virtual.android.device_profile import Profile
from garabench.virtual.android.phone import Phone
from garabench.virtual.apps.companion import app as companion
from garabench.virtual.apps.companion.event_log import AUTHORITY, JOURNAL_LIMIT, event_line
from garabench.virtual.apps.launcher import app as launcher
from tests.virtual.apps.companion.test_spec import GOOD, encode
from tests.virtual.shell.harness import on_phone

URI = f"content://{AUTHORITY}"


@pytest.fixture
def phone() -> Phone:
    phone = Phone(Profile.parse("android-34"), apps=[launcher.APP, companion.APP], strict=True)
    show(phone, "t")
    return phone


def show(phone: Phone, token: str) -> None:
    spec = encode(GOOD)
    on_phone(f"am start -n {companion.PACKAGE}/.Show --es spec {spec} --es token {token}", phone=phone)


def events_of(phone: Phone, path: str) -> tuple[str, ...]:
    return tuple(row for (row,) in content_providers.query_provider(phone, AUTHORITY, path).values)


def test_the_last_path_segment_is_the_percent_decoded_token(phone: Phone) -> None:
    show(phone, "a%b")
    first, second = event_line("t", 1, "shown"), event_line("a%b", 1, "shown")
    assert events_of(phone, "/t") == (first, event_line("t", 2, "dismissed:replaced"))
    assert events_of(phone, "/x/a%25b") == (second,)
    assert events_of(phone, "") == events_of(phone, "/") == (*events_of(phone, "t"), second)


def test_a_caller_without_the_permission_is_denied(phone: Phone) -> None:
    for act in (
        lambda: content_providers.query_provider(phone, AUTHORITY, "/t", caller=launcher.APP.package),
        lambda: content_providers.change(phone, AUTHORITY, caller=launcher.APP.package),
    ):
        with pytest.raises(
            content_providers.ProviderPermissionError, match=r"requires android\.permission\.DUMP"
        ):
            act()
    own = content_providers.query_provider(phone, AUTHORITY, "/t", caller=companion.PACKAGE)
    assert own == content_providers.query_provider(phone, AUTHORITY, "/t")


@pytest.mark.parametrize("verb", ["insert", "update", "delete"])
def test_the_provider_is_read_only(phone: Phone, verb: str) -> None:
    message = (
        f"Error while accessing provider:{AUTHORITY}\n"
        "java.lang.UnsupportedOperationException: events are written only by the app\n"
    )
    assert on_phone(f"content {verb} --uri {URI}/t", phone=phone) == ("", message, 0)
    assert events_of(phone, "/t") == (event_line("t", 1, "shown"),)


@pytest.mark.parametrize("command", ["pm uninstall", "pm disable-user"])
def test_a_missing_or_disabled_app_has_no_provider(phone: Phone, command: str) -> None:
    on_phone(f"{command} {companion.PACKAGE}", phone=phone)
    out, err, status = on_phone(f"content query --uri {URI}/t", phone=phone)
    assert (out, status) == ("", 0)
    assert f"Could not find provider: {AUTHORITY}" in err


def test_events_survive_the_process_and_are_cleared_with_the_data(phone: Phone) -> None:
    on_phone(f"am force-stop {companion.PACKAGE}", phone=phone)
    assert events_of(phone, "/t")[0] == event_line("t", 1, "shown")
    on_phone(f"pm clear {companion.PACKAGE}", phone=phone)
    assert events_of(phone, "") == ()


def test_too_many_events_drop_the_older_half(phone: Phone) -> None:
    installed = phone.packages.get(companion.PACKAGE)
    assert installed is not None
    old = [event_line("old", number, "hidden") for number in range(1, 2_001)]
    assert sum(len(line) + 1 for line in old) > JOURNAL_LIMIT
    installed.data["journal"] = list(old)
    show(phone, "new")
    assert events_of(phone, "/old") == tuple(old[1_000:])
    assert events_of(phone, "/new") == (event_line("new", 1, "shown"),)
