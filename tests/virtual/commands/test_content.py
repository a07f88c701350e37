from __future__ import annotations

import pytest

from tests.cases import every_case
from tests.virtual.shell.harness import on_phone

PUT = "settings put system x 1; "


@every_case("profile", ["android-19", "android-30", "android-34"])
@every_case(
    ("line", "out"),
    [
        (
            PUT
            + "content query --uri content://settings/system --where \"name='x'\" --projection name:value",
            "Row: 0 name=x, value=1\n",
        ),
        ("content query --uri content://settings/system/nope", "No result found.\n"),
        (
            "content insert --uri content://settings/secure --bind name:s:a --bind value:s:b:c; "
            "settings get secure a",
            "b:c\n",
        ),
        (
            PUT + "content update --uri content://settings/system --bind value:s:2 --where \"name='x'\"; "
            "settings get system x",
            "2\n",
        ),
        (PUT + "content delete --uri content://settings/system/x; settings get system x", "null\n"),
        (
            PUT
            + "content delete --uri content://settings/system --where \"name='x'\"; settings get system x",
            "null\n",
        ),
    ],
)
def test_query_settings(line: str, out: str, profile: str) -> None:
    assert on_phone(line, profile=profile) == (out, "", 0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (
            "content query --uri content://sms/inbox",
            "Error while accessing provider:sms\n"
            "java.lang.IllegalStateException: Could not find provider: sms\n",
        ),
        (
            "content query --uri content://settings/system --where 'value > 3'",
            "Error while accessing provider:settings\n"
            "java.lang.UnsupportedOperationException: WHERE clause not supported\n",
        ),
        (
            "content insert --uri content://settings/system --bind value:s:2",
            "Error while accessing provider:settings\njava.lang.IllegalArgumentException: Missing name\n",
        ),
    ],
)
def test_provider_exceptions(line: str, message: str) -> None:
    assert on_phone(line) == ("", message, 0)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("content nope", "Unsupported operation: nope"),
        ("content query --nope x", "Unsupported argument: --nope"),
        ("content query --uri", "Argument expected after --uri"),
        ("content query", "Content provider URI not specified. Did you specify --uri argument?"),
        ("content insert --uri content://settings/system --bind x", "Binding not well formed: x"),
    ],
)
def test_usage_errors(line: str, message: str) -> None:
    out, err, status = on_phone(line)
    assert (err, status) == ("", 0)
    assert out.startswith(f"[ERROR] {message}\n\nusage: adb shell content [subcommand] [options]\n")
