from __future__ import annotations

import pytest

from garabench.virtual.commands.intents import IntentError, parse_intent
from garabench.virtual.os.phone import Phone
from tests.virtual.os import toys
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
    ("words", "extras"),
    [
        ("-e k v --es l w", {"k": "v", "l": "w"}),
        ("--ei n 7 --el m 0x10", {"n": 7, "m": 16}),
        ("--ez a true --ez b f --ez c 1 --ez d 0", {"a": True, "b": False, "c": True, "d": False}),
        ("--ef x 1.5 --eu u http://h/p", {"x": 1.5, "u": "http://h/p"}),
        ("--esn nothing", {"nothing": None}),
        ("--eia i 1,2 --esa s a,b --ecn c p/.A", {"i": [1, 2], "s": ["a", "b"], "c": "p/p.A"}),
    ],
)
def test_extras_have_their_types(words: str, extras: dict[str, object]) -> None:
    assert parse_intent(["-a", "x", *words.split()]).intent.extras == extras


@pytest.mark.parametrize(
    ("words", "text"),
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
def test_an_intent_is_printed_as_android_does(words: str, text: str) -> None:
    assert parse_intent(words.split()).text() == text


def test_flags_by_number_have_their_meaning() -> None:
    flags = parse_intent(["-n", "p/.A", "-f", "0x14008000"]).intent.flags
    assert flags == {"NEW_TASK", "CLEAR_TOP", "CLEAR_TASK"}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("--nope", "Unknown option: --nope"),
        ("-a", 'Argument expected after "-a"'),
        ("--ei n x", 'For input string: "x"'),
        ("--ef n x", 'For input string: "x"'),
        ("--ez n perhaps", "Invalid boolean value: perhaps"),
        ("-n p", "Bad component name: p"),
    ],
)
def test_wrong_arguments(phone: Phone, words: str, said: str) -> None:
    with pytest.raises(IntentError, match=said.replace('"', ".")):
        parse_intent(words.split())
    exception = f"\nException occurred while executing 'start':\njava.lang.IllegalArgumentException: {said}\n"
    assert on_phone(f"am start {words}", phone=phone) == ("", exception, 255)
    assert on_phone(f"am start {words}", profile="android-19") == ("", f"Error: {said}\n", 1)


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


def test_waiting_tells_the_launch_by_version(phone: Phone) -> None:
    assert "LaunchState: COLD\n" in on_phone(f"am start -W -n {MAIN}", phone=phone)[0]
    assert "LaunchState: WARM\n" in on_phone("am start -W -n toy.app/.Detail", phone=phone)[0]
    old = on_phone(f"am start -W -n {MAIN}", phone=toys.phone("android-19"))[0]
    assert old.endswith(
        "Status: ok\nActivity: toy.app/.Main\nThisTime: 250\nTotalTime: 250\nWaitTime: 262\nComplete\n"
    )


def test_stop_before_start(phone: Phone) -> None:
    on_phone(f"am start -n {MAIN}", phone=phone)
    pid = phone.processes.pidof("toy.app")
    out, err, status = on_phone(f"am start -S -n {MAIN}", phone=phone)
    assert (out, err, status) == ("Stopping: toy.app\nStarting: Intent { cmp=toy.app/.Main }\n", "", 0)
    assert phone.processes.pidof("toy.app") not in (None, pid)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("-n toy.app/.Nope", "Error type 3\nError: Activity class {toy.app/toy.app.Nope} does not exist.\n"),
        ("-n nope/a.B", "Error type 3\nError: Activity class {nope/a.B} does not exist.\n"),
        (
            "-a x.Y -d nope://z",
            "Error: Activity not started, unable to resolve Intent { act=x.Y dat=nope://z flg=0x10000000 }\n",
        ),
    ],
)
def test_what_cannot_be_started(phone: Phone, words: str, said: str) -> None:
    out, err, status = on_phone(f"am start {words}", phone=phone)
    assert out.startswith("Starting: Intent {")
    assert (err, status) == (said, 1)
    out, err, status = on_phone(f"am start -W {words}", phone=phone)
    assert (err, status) == ("", 1)
    assert out.endswith(said)


def test_an_implicit_intent_finds_its_activity(phone: Phone) -> None:
    on_phone("am start -a android.intent.action.VIEW -d toy://detail/7", phone=phone)
    assert phone.activities.focused_app == "toy.app/.Detail"


@pytest.mark.parametrize(
    ("profile", "flags"),
    [("android-34", " flg=0x400000"), ("android-30", " flg=0x400000"), ("android-19", "")],
)
def test_broadcasts_tell_result_and_data(profile: str, flags: str) -> None:
    device = toys.phone(profile)
    assert on_phone("am broadcast -a toy.PING --ei n 3", phone=device) == (
        f"Broadcasting: Intent {{ act=toy.PING{flags} (has extras) }}\n"
        'Broadcast completed: result=-1, data="pong 3"\n',
        "",
        0,
    )
    assert on_phone("am broadcast -a nobody.HEARS", phone=device) == (
        f"Broadcasting: Intent {{ act=nobody.HEARS{flags} }}\nBroadcast completed: result=0\n",
        "",
        0,
    )


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
def test_the_stacks(profile: str, name: str) -> None:
    device = toys.phone(profile)
    toys.start(device)
    toys.start(device, "Detail")
    number = device.activities.tasks[0].number
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
            "Error stopping service\n",
            255,
        ),
        ("am nope", "", "Unknown command: nope\n", 255),
        ("am kill-all", "", "", 0),
        (
            "am instrument -w p/.R",
            "INSTRUMENTATION_STATUS: Error=Unable to find instrumentation info for: ComponentInfo{p/.R}\n"
            "INSTRUMENTATION_STATUS: id=ActivityManagerService\nINSTRUMENTATION_STATUS_CODE: -1\n",
            "android.util.AndroidException: INSTRUMENTATION_FAILED: p/.R\n",
            1,
        ),
        ("monkey -p nope -c x 1 2>/dev/null", "** No activities found to run, monkey aborted.\n", "", 252),
    ],
)
def test_other_verbs(line: str, out: str, err: str, status: int) -> None:
    assert on_phone(line) == (out, err, status)


def test_monkey_starts_by_the_icon(phone: Phone) -> None:
    out, err, status = on_phone("monkey -p toy.app -c android.intent.category.LAUNCHER 1", phone=phone)
    assert out.startswith("Events injected: 1\n")
    assert "  bash arg: toy.app\n" in err
    assert (status, phone.activities.focused_app) == (0, MAIN)
