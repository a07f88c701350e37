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


SETTINGS = "content://settings"
CALL = f"content call --uri {SETTINGS}/system"


@pytest.mark.parametrize(
    ("line", "out"),
    [
        (f"{CALL} --method GET_system --arg dim_screen", "Result: Bundle[{value=1}]\n"),
        (f"{CALL} --method GET_global --arg no_such", "Result: Bundle[{value=null}]\n"),
        (
            f"content call --uri {SETTINGS}/system --method PUT_system --arg x --extra value:s:7; "
            "settings get system x",
            "Result: null\n7\n",
        ),
        (
            PUT + f"content call --uri {SETTINGS}/system --method DELETE_system --arg x",
            "Result: Bundle[{result_rows_deleted=1}]\n",
        ),
        (f"content call --uri {SETTINGS}/system --method LIST_secure | grep -o 'android_id=[^,]*'",
         "android_id=9774d56d682e549c\n"),
        (f"content call --uri {SETTINGS}/system --method nope", "Result: null\n"),
        (f"content gettype --uri {SETTINGS}/system", "Result: vnd.android.cursor.dir/setting\n"),
    ],
)  # fmt: skip
def test_methods_of_the_settings(line: str, out: str) -> None:
    """AOSP ``Content.java`` (``CallCommand``) and ``SettingsProvider.call``."""
    assert on_phone(line) == (out, "", 0)


def test_a_call_needs_a_method_and_a_provider() -> None:
    out, err, status = on_phone(f"content call --uri {SETTINGS}/system")
    assert out.startswith(
        "[ERROR] Content provider method not specified. Did you specify --method argument?\n"
    )
    assert (err, status) == ("", 0)
    err = on_phone("content call --uri content://nope --method x")[1]
    assert "java.lang.IllegalStateException: Could not find provider: nope" in err
    out = on_phone(f"content call --uri {SETTINGS}/system --method x", profile="android-19")[0]
    assert out.startswith("[ERROR] Unsupported operation: call\n")
