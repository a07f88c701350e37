"""``am`` (AOSP ``ActivityManagerShellCommand``; ``Am.java`` of Android 4.4)."""

from __future__ import annotations

import pytest

from garabench.device.foreground import refusal
from garabench.device.logs import parse_threadtime
from garabench.virtual.android.phone import Phone
from garabench.virtual.commands.intent_arguments import IntentError, parse_intent
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

MAIN = "toy.app/.Main"
DELIVERED = (
    "Warning: Activity not started, intent has been delivered to currently running top-most instance.\n"
)
BROUGHT = "Warning: Activity not started, its current task has been brought to the front\n"


@pytest.fixture
def phone() -> Phone:
    return toys.phone()


@pytest.mark.parametrize(
    ("args", "extras"),
    [
        ("-e k v --es l w", {"k": "v", "l": "w"}),
        ("--ei n 7 --el m 0x10", {"n": 7, "m": 16}),
        ("--ez a true --ez b f --ez c 1 --ez d 0", {"a": True, "b": False, "c": True, "d": False}),
        ("--ef x 1.5 --eu u http://h/p", {"x": 1.5, "u": "http://h/p"}),
        ("--esn nothing", {"nothing": None}),
        ("--eia i 1,2 --esa s a,b --ecn c p/.A", {"i": [1, 2], "s": ["a", "b"], "c": "p/p.A"}),
    ],
)
def test_extras_have_their_types(args: str, extras: dict[str, object]) -> None:
    assert parse_intent(["-a", "x", *args.split()]).intent.extras == extras


@pytest.mark.parametrize(
    ("args", "text"),
    [
        ("-n p/p.A", "Intent { cmp=p/.A }"),
        ("-n p/q.A --es a b", "Intent { cmp=p/q.A (has extras) }"),
        ("p/.A", "Intent { act=android.intent.action.MAIN cat=[android.intent.category.LAUNCHER] cmp=p/.A }"),
        ("p", "Intent { act=android.intent.action.MAIN cat=[android.intent.category.LAUNCHER] pkg=p }"),
        ("http://h", "Intent { act=android.intent.action.VIEW dat=http://h }"),
        ("-a A -d toy://x -t text/plain -p p", "Intent { act=A dat=toy://x typ=text/plain pkg=p }"),
        ("-a A -f 0x10008000", "Intent { act=A flg=0x10008000 }"),
        ("-a A --activity-clear-task --activity-new-task", "Intent { act=A flg=0x10008000 }"),
        ("--user 0 -W -S -D -a A", "Intent { act=A }"),
        ("", "Intent {  }"),
    ],
)
def test_an_intent_is_printed_as_android_does(args: str, text: str) -> None:
    assert parse_intent(args.split()).text(30) == text


def test_numeric_flags_take_effect() -> None:
    flags = parse_intent(["-n", "p/.A", "-f", "0x14008000"]).intent.flags
    assert flags == {"NEW_TASK", "CLEAR_TOP", "CLEAR_TASK"}


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("--nope", "Unknown option: --nope"),
        ("-a", 'Argument expected after "-a"'),
        ("-n p/.A --es k", 'Argument expected after "k"'),
        ("--ei n x", 'For input string: "x"'),
        ("--ef n x", 'For input string: "x"'),
        ("--ez n perhaps", "Invalid boolean value: perhaps"),
        ("-n p", "Bad component name: p"),
    ],
)
def test_wrong_arguments(phone: Phone, args: str, message: str) -> None:
    with pytest.raises(IntentError, match=message.replace('"', ".")):
        parse_intent(args.split())
    exception = (
        f"\nException occurred while executing 'start':\njava.lang.IllegalArgumentException: {message}\n"
    )
    for profile in ("android-30", "android-34"):
        assert on_phone(f"am start {args}", profile=profile) == ("", exception, 255)
    out, err, status = on_phone(f"am start {args}", profile="android-19")
    if message.startswith("Unknown option"):
        assert (out, err, status) == ("", f"Error: {message}\njava.lang.NullPointerException\n", 1)
    else:
        assert (out, status, err.splitlines()[0]) == ("", 0, "usage: am [subcommand] [options]")
        assert err.endswith(f"\nError: {message}\n")


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("am start", "No intent supplied"),
        ("am start -W", "No intent supplied"),
        ("am broadcast --es a b", "No intent supplied"),
        ("am force-stop", 'Argument expected after "force-stop"'),
        ("am force-stop --user 0", 'Argument expected after "0"'),
    ],
)
def test_missing_arguments(line: str, message: str) -> None:
    verb = line.split()[1]
    exception = (
        f"\nException occurred while executing '{verb}':\njava.lang.IllegalArgumentException: {message}\n"
    )
    assert on_phone(line) == ("", exception, 255)
    assert on_phone(line, profile="android-19")[1].endswith(f"\nError: {message}\n")


@pytest.mark.parametrize(
    ("uri", "safe"),
    [
        ("https://h.org/p?q=1#f", "https://h.org/..."),
        ("https://me:secret@h.org:8080", "https://h.org:8080/..."),
        ("toy://detail/7", "toy://detail/..."),
        ("tel:+49-123", "tel:xxx-xxx"),
        ("mailto:a.b@c.d", "mailto:x.x@x.x"),
        ("package:org.x", "package:"),
        ("file:/sdcard/x", "file:/..."),
    ],
)
def test_since_android_12_uris_are_printed_without_personal_data(uri: str, safe: str) -> None:
    parsed = parse_intent(["-a", "A", "-d", uri])
    assert parsed.text(30) == f"Intent {{ act=A dat={uri} }}"
    assert parsed.text(31) == f"Intent {{ act=A dat={safe} }}"


def test_start_and_its_warnings(phone: Phone) -> None:
    starting = "Starting: Intent { cmp=toy.app/.Main }\n"
    line = f"am start -n {MAIN}"
    assert on_phone(line, phone=phone) == (starting, "", 0)
    assert phone.activities.focused_app == MAIN
    assert on_phone(line, phone=phone) == (starting, DELIVERED, 0)
    phone.press_home()
    assert on_phone(line, phone=phone) == (starting, BROUGHT, 0)
    phone.press_home()
    waited = (
        "Status: ok\nLaunchState: HOT\nActivity: toy.app/.Main\nTotalTime: 250\nWaitTime: 262\nComplete\n"
    )
    assert on_phone(f"am start-activity -W -n {MAIN}", phone=phone) == (starting + BROUGHT + waited, "", 0)


def test_start_and_wait_prints_each_versions_report(phone: Phone) -> None:
    assert "LaunchState: COLD\n" in on_phone(f"am start -W -n {MAIN}", phone=phone)[0]
    assert "LaunchState: WARM\n" in on_phone("am start -W -n toy.app/.Detail", phone=phone)[0]
    old = on_phone(f"am start -W -n {MAIN}", phone=toys.phone("android-19"))[0]
    assert old.endswith("Status: ok\nActivity: toy.app/.Main\nThisTime: 250\nTotalTime: 250\nComplete\n")
    newer = on_phone(f"am start -W -n {MAIN}", phone=toys.phone("android-30"))[0]
    assert newer.endswith(
        "Status: ok\nLaunchState: COLD\nActivity: toy.app/.Main\nTotalTime: 250\nWaitTime: 262\nComplete\n"
    )


def test_force_stop_before_start(phone: Phone) -> None:
    on_phone(f"am start -n {MAIN}", phone=phone)
    pid = phone.processes.pidof("toy.app")
    out, err, status = on_phone(f"am start -S -n {MAIN}", phone=phone)
    assert (out, err, status) == ("Stopping: toy.app\nStarting: Intent { cmp=toy.app/.Main }\n", "", 0)
    assert phone.processes.pidof("toy.app") not in (None, pid)
    many = on_phone(
        "am start -S -a android.intent.action.MAIN -c android.intent.category.LAUNCHER", phone=phone
    )
    assert many[0] == ""
    assert many[1].startswith("Error: Intent matches multiple activities; can't stop: Intent { act=")
    none = on_phone("am start -S -a no.BODY", phone=phone)
    assert none == ("", "Error: Intent does not match any activities: Intent { act=no.BODY }\n", 1)


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ("-n toy.app/.Nope", "Error type 3\nError: Activity class {toy.app/toy.app.Nope} does not exist.\n"),
        ("-n nope/a.B", "Error type 3\nError: Activity class {nope/a.B} does not exist.\n"),
        (
            "-a x.Y -d nope://z",
            "Error: Activity not started, unable to resolve Intent { act=x.Y dat=nope://z flg=0x10000000 }\n",
        ),
    ],
)
@pytest.mark.parametrize(("profile", "code"), [("android-34", 1), ("android-30", 0), ("android-19", 0)])
def test_intents_that_cannot_be_started(args: str, message: str, profile: str, code: int) -> None:
    device = toys.phone(profile)
    message = message.replace("nope://z", "nope://z/...") if profile == "android-34" else message
    out, err, status = on_phone(f"am start {args}", phone=device)
    assert out.startswith("Starting: Intent {")
    assert (err, status) == (message, code)
    out, err, status = on_phone(f"am start -W {args}", phone=device)
    assert (err, status) == ("", code)
    assert out.endswith(message)


def test_an_implicit_intent_finds_its_activity(phone: Phone) -> None:
    on_phone("am start -a android.intent.action.VIEW -d toy://detail/7", phone=phone)
    assert phone.activities.focused_app == "toy.app/.Detail"


@pytest.mark.parametrize(
    ("profile", "flags"),
    [("android-34", " flg=0x400000"), ("android-30", " flg=0x400000"), ("android-19", "")],
)
def test_broadcasts_print_result_and_data(profile: str, flags: str) -> None:
    device = toys.phone(profile)
    assert on_phone("am broadcast -a toy.PING -p toy.app --ei n 3", phone=device) == (
        f"Broadcasting: Intent {{ act=toy.PING{flags} pkg=toy.app (has extras) }}\n"
        'Broadcast completed: result=-1, data="pong 3"\n',
        "",
        0,
    )
    assert on_phone("am broadcast -a nobody.HEARS", phone=device) == (
        f"Broadcasting: Intent {{ act=nobody.HEARS{flags} }}\nBroadcast completed: result=0\n",
        "",
        0,
    )


@pytest.mark.parametrize(
    ("profile", "delivered"), [("android-34", False), ("android-30", False), ("android-19", True)]
)
def test_since_android_8_manifest_receivers_get_explicit_broadcasts_only(
    profile: str, delivered: bool
) -> None:
    device = toys.phone(profile)
    out, _, _ = on_phone("am broadcast -a toy.PING --ei n 3", phone=device)
    assert ("pong 3" in out) is delivered
    out, _, _ = on_phone("am broadcast -a toy.PING -n toy.app/.Receiver --ei n 3", phone=device)
    assert "pong 3" in out


def test_stopping_killing_and_crashing(phone: Phone) -> None:
    on_phone(f"am start -n {MAIN}", phone=phone)
    assert on_phone("am kill toy.app; pidof toy.app >/dev/null && echo alive", phone=phone)[0] == "alive\n"
    phone.press_home()
    assert on_phone("am kill --user 0 toy.app; pidof toy.app || echo gone", phone=phone)[0] == "gone\n"
    on_phone(f"am start -n {MAIN}; am crash toy.app", phone=phone)
    assert "FATAL EXCEPTION" in on_phone("logcat -d -s AndroidRuntime", phone=phone)[0]
    on_phone(f"am start -n {MAIN}; am force-stop toy.app", phone=phone)
    assert phone.activities.focused_app == "toy.home/.Home"


@pytest.mark.parametrize(("profile", "name"), [("android-34", "RootTask"), ("android-30", "Stack")])
def test_stack_list(profile: str, name: str) -> None:
    device = toys.phone(profile)
    toys.start(device)
    toys.start(device, "Detail")
    number = device.activities.tasks[0].task_id
    lines = on_phone("am stack list", phone=device)[0].splitlines()
    assert lines[0] == f"{name} id={number} bounds=[0,0][1080,2400] displayId=0 userId=0"
    assert lines[1] == (
        f"  taskId={number}: toy.app/toy.app.Main bounds=[0,0][1080,2400] userId=0 visible=true "
        "topActivity=ComponentInfo{toy.app/toy.app.Detail}"
    )


@pytest.mark.parametrize(
    ("line", "out", "err", "status"),
    [
        ("am get-current-user", "0\n", "", 0),
        ("am get-started-user-state 0", "RUNNING_UNLOCKED\n", "", 0),
        (
            "am startservice -n p/.S",
            "Starting service: Intent { cmp=p/.S }\n",
            "Error: Not found; no service started.\n",
            255,
        ),
        (
            "am stopservice -n p/.S",
            "Stopping service: Intent { cmp=p/.S }\n",
            "Service not stopped: was not running.\n",
            255,
        ),
        ("am nope", "Unknown command: nope\n", "", 255),
        ("am kill-all", "", "", 0),
        (
            "am instrument -w p/.R",
            "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{p/.R}\n"
            "INSTRUMENTATION_STATUS: id=ActivityManagerService\nINSTRUMENTATION_STATUS_CODE: -1\n",
            "android.util.AndroidException: INSTRUMENTATION_FAILED: p/.R\n",
            1,
        ),
    ],
)
def test_other_verbs(line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line) == (out, err, status)


@pytest.mark.parametrize(
    "line", ["am start-activity -n a/b", "am crash p", "am get-current-user", "am stop-app p", "am nope"]
)
def test_verbs_unknown_to_android_4_4(line: str) -> None:
    out, err, status = on_phone(line, profile="android-19")
    assert (out, status) == ("", 0)
    assert err.endswith(f"\nError: unknown command '{line.split()[1]}'\n")


def test_services_on_android_4_4() -> None:
    assert on_phone("am startservice -n p/.S", profile="android-19") == (
        "Starting service: Intent { cmp=p/.S }\n",
        "Error: Not found; no service started.\n",
        0,
    )


def test_kill_all_ends_background_processes(phone: Phone) -> None:
    toys.start(phone)
    toys.start(phone, "Plain", package="toy.other")
    assert on_phone("am kill-all", phone=phone) == ("", "", 0)
    assert phone.processes.pidof("toy.app") is None
    assert phone.processes.pidof("toy.other") is not None


def test_the_fault_start_timeout() -> None:
    for profile, lines in (
        ("android-34", ["Status: timeout", "LaunchState: UNKNOWN (-1)", "Activity: toy.app/.Main"]),
        ("android-19", ["Status: timeout", "Activity: toy.app/.Main", "Complete"]),
    ):
        device = toys.phone(profile)
        device.faults.enable("start-timeout")
        out, err, status = on_phone(f"am start -W -n {MAIN}", phone=device)
        assert (out.splitlines()[1:4], err, status) == (lines, "", 0)
        assert "TotalTime" not in out
        device.faults.disable("start-timeout")
        assert "Status: ok\n" in on_phone(f"am start -W -n {MAIN}", phone=device)[0]


@pytest.mark.parametrize(
    ("profile", "message"),
    [
        ("android-19", "MIUILOG- Permission Denied Activity"),
        ("android-30", "Background activity start ["),
        ("android-34", "Background activity launch blocked! ["),
    ],
)
def test_a_blocked_background_start_is_only_logged(profile: str, message: str) -> None:
    phone = toys.phone(profile)
    phone.faults.enable("background-start-refused", package="toy.app")
    out, err, code = on_phone(f"am start -W -n {MAIN}", phone=phone)
    assert (err, code) == ("", 0)
    assert "Status: ok" in out
    assert phone.activities.focused_app != MAIN
    rows = on_phone("logcat -d -v threadtime", phone=phone)[0]
    assert refusal(parse_threadtime(rows), "toy.app/toy.app.Main").startswith(message)
    on_phone("monkey -p toy.app -c android.intent.category.LAUNCHER 1", phone=phone)
    assert phone.activities.focused_app == MAIN, "an icon still opens it"
    phone.press_home()
    phone.faults.enable("background-start-refused", package="another.app")
    on_phone(f"am start -n {MAIN}", phone=phone)
    assert phone.activities.focused_app == MAIN
    rows = on_phone("logcat -d -v threadtime", phone=phone)[0]
    assert refusal(parse_threadtime(rows), "toy.app/toy.app.Main") == ""
