"""Every form of every command that clients of Android devices send, on each version.

The patterns are what a client looks for; the exit status is Android's. ``lacks`` stands for a command that a
version does not have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from garabench.virtual.android.installer import InstallOptions, install_apk
from garabench.virtual.android.phone import Phone
from tests.cases import every_case
from tests.virtual.android import toys
from tests.virtual.android.test_apk import UIAUTOMATOR
from tests.virtual.shell.harness import HOME, on_phone

PROFILES = ("android-19", "android-30", "android-34")
LACKS = "lacks"
Expected = str | tuple[str, int]
ADB_IME = "com.github.uiautomator/.AdbKeyboard"
LATIN = "com.google.android.inputmethod.latin/.LatinIME"
MAIN = "android.intent.action.MAIN"
LAUNCHER = "android.intent.category.LAUNCHER"
USAGE = r"usage: am \[subcommand\]"

COMMANDS: list[tuple[str, Expected | tuple[Expected, Expected, Expected]]] = [
    # keys and properties
    ("input keyevent 4", r"^$"),
    ("input keyevent KEYCODE_BACK", r"^$"),
    ("input keyevent BACK HOME", r"^$"),
    ("input keyevent --longpress 26", r"^$"),
    ("getprop sys.boot_completed", r"^1\n$"),
    ("getprop init.svc.bootanim", r"^stopped\n$"),
    ("getprop no.such.thing", r"^\n$"),
    ("getprop ro.build.version.sdk", (r"^19\n$", r"^30\n$", r"^34\n$")),
    ("getprop", r"(?m)^\[ro\.product\.model\]: \[Virtual \d+( \[4\.4, 720p\])?\]$"),
    # settings
    ("settings get global adb_enabled", r"^1\n$"),
    ("settings get system nope", r"^null\n$"),
    ("settings put system screen_brightness 30", r"^$"),
    (
        "settings delete system nope",
        (r"^Invalid command: delete\n", r"^Deleted 0 rows\n$", r"^Deleted 0 rows\n$"),
    ),
    ("settings list global", (r"^usage:  settings", r"(?m)^adb_enabled=1$", r"(?m)^adb_enabled=1$")),
    # the display
    (
        "wm size",
        (r"^Physical size: 720x1280\n$", r"^Physical size: 1080x2400\n$", r"^Physical size: 1080x2400\n$"),
    ),
    ("wm size 500x900; wm size", r"^Physical size: \d+x\d+\nOverride size: 500x900\n$"),
    ("wm density", r"^Physical density: \d+\n$"),
    # starting and stopping
    ("am start -n toy.app/.Main", r"^Starting: Intent \{ cmp=toy\.app/\.Main \}\n"),
    ("am start -W -n toy.other/.Plain", r"Status: ok\n(LaunchState: COLD\n)?Activity: toy\.other/\.Plain\n"),
    ("am start -S -n toy.app/.Main", r"^Stopping: toy\.app\nStarting: Intent"),
    (
        "am start -a android.intent.action.VIEW -d toy://detail/1 --es a b --ei c 1 --ez d true",
        r"\(has extras\)",
    ),
    (
        "am start -e k v -n toy.app/.Main --activity-clear-task",
        r"flg=0x8000 cmp=toy\.app/\.Main \(has extras\)",
    ),
    (f"am start -a {MAIN} -c {LAUNCHER} -n toy.app/.Main", rf"act={MAIN} cat=\[{LAUNCHER}\]"),
    ("am start-activity -n toy.app/.Main", (USAGE, r"^Starting: Intent", r"^Starting: Intent")),
    ("am start -n toy.app/.Nope", ((r"Error type 3\n", 0), (r"Error type 3\n", 0), (r"Error type 3\n", 1))),
    ("am force-stop toy.app", r"^$"),
    (f"monkey -p toy.app -c {LAUNCHER} 1", r"Events injected: 1\n"),
    ("monkey -p nope 1", (r"No activities found to run, monkey aborted", 252)),
    # input
    ("input tap 10 500", r"^$"),
    ("input swipe 300 900 300 500 200", r"^$"),
    ("input draganddrop 300 900 300 500 200", r"^$"),
    ("input text hello%sworld", r"^$"),
    (
        "input text é",
        ((r"^Killed", 137), (r"^java\.lang\.NullPointerException", 1), (r"NullPointerException", 255)),
    ),
    # windows and activities
    (
        "dumpsys window windows",
        (
            r"mCurrentFocus=Window\{\w+ u0 toy\.app/toy\.app\.Main\}",
            r"(?s)^(?!.*mCurrentFocus)",
            r"(?s)^(?!.*mCurrentFocus)",
        ),
    ),
    ("dumpsys window", r"mCurrentFocus=Window\{\w+ u0 toy\.app/toy\.app\.Main\}"),
    ("dumpsys window", r"mFocusedApp=.*Record\{\w+ u0 toy\.app/\.Main t\d+\}"),
    ("dumpsys window displays", (r"init=720x1280 320dpi", r"mCurrentFocus=Window", r"mCurrentFocus=Window")),
    ("dumpsys window", (r"mUserRotation=0", r"mCurrentRotation=ROTATION_0", r"mCurrentRotation=ROTATION_0")),
    (
        "dumpsys activity activities",
        (
            r"mFocusedActivity: ActivityRecord\{",
            r"mResumedActivity: ActivityRecord\{",
            r"topResumedActivity=ActivityRecord\{",
        ),
    ),
    ("dumpsys activity top", r"(?m)^  ACTIVITY toy\.app/\.Main \w+ pid=\d+$"),
    ("dumpsys activity recents", (r"^Bad activity command, ", r"Task\{", r"Task\{")),
    ("am stack list", (USAGE, r"^Stack id=\d+ ", r"^RootTask id=\d+ ")),
    # packages
    ("pm list packages", r"(?m)^package:toy\.app$"),
    ("pm list packages -3 toy", r"^package:toy\.app\npackage:toy\.other\n$"),
    ("pm list packages -f toy.app", r"^package:/data/app/.*\.apk=toy\.app\n$"),
    (
        "cmd package list packages --show-versioncode",
        (LACKS, r"toy\.app versionCode:1\n", r"toy\.app versionCode:1\n"),
    ),
    ("pm path toy.app", r"^package:/data/app/.*\.apk\n$"),
    ("pm path nope", (("^$", 0), ("^$", 1), ("^$", 1))),
    ("pm clear toy.other", r"^Success\n$"),
    ("dumpsys package toy.app", r"versionCode=1 .*targetSdk=\d+\n    versionName=1\.0"),
    ("dumpsys package toy.app", (r"grantedPermissions:", r"CAMERA: granted=false", r"CAMERA: granted=false")),
    (f"pm grant toy.app {toys.CAMERA}", (r"^Operation not allowed: ", r"^$", r"^$")),
    (f"pm revoke toy.app {toys.CAMERA}", (r"^Operation not allowed: ", r"^$", r"^$")),
    ("pm list features", r"(?m)^feature:android\.hardware\.wifi$"),
    (
        f"cmd package resolve-activity --brief -c {LAUNCHER} toy.app",
        (LACKS, r"^priority=0 .*\ntoy\.app/\.Main\n$", r"^priority=0 .*\ntoy\.app/\.Main\n$"),
    ),
    (
        f"cmd package query-activities --brief -a {MAIN} -c {LAUNCHER}",
        (LACKS, r"^3 activities found:\n", r"^3 activities found:\n"),
    ),
    # broadcasts and keyboards
    ("am broadcast -a toy.PING -p toy.app --es n 1", r'result=-1, data="pong 1"'),
    ("am broadcast -a ADB_INPUT_B64 --es msg aGk=", r"Broadcast completed: result=0\n"),
    ("am broadcast -a ADB_INPUT_TEXT --es msg hi", r"Broadcast completed: result=0\n"),
    ("am broadcast -a ADB_CLEAR_TEXT", r"Broadcast completed: result=0\n"),
    (
        f"ime enable {ADB_IME} >/dev/null; ime set {ADB_IME} >/dev/null; "
        "am broadcast -a ADB_KEYBOARD_SET_TEXT --es text aGk=",
        r'Broadcast completed: result=0, data="no input connection"\n',
    ),
    ("ime list -s", rf"^{re.escape(LATIN)}\n$"),
    ("ime list -s -a", rf"{re.escape(ADB_IME)}\n$"),
    (f"ime enable {ADB_IME}", rf"^Input method {re.escape(ADB_IME)}: now enabled"),
    (f"ime enable {ADB_IME} >/dev/null; ime set {ADB_IME}", rf"^Input method {re.escape(ADB_IME)} selected"),
    # screenshots and UI trees
    ("screencap -p | grep -c PNG", r"^1\n$"),
    ("screencap -p /sdcard/s.png; ls /sdcard/s.png", r"^/sdcard/s\.png\n$"),
    ("/system/bin/screencap -p /sdcard/s.png", r"^$"),
    ("uiautomator dump /sdcard/d.xml", r"^UI hierchary dumped to: /sdcard/d\.xml\n$"),
    (
        "uiautomator dump /dev/tty",
        r"<hierarchy rotation=\"0\">.*</hierarchy>UI hierchary dumped to: /dev/tty\n$",
    ),
    (f"rm -f {HOME}/u.xml; uiautomator dump {HOME}/u.xml && echo success", r"\nsuccess\n$"),
    (
        "screenrecord /sdcard/r.mp4 & sleep 1; kill -2 $!; wait; ls /sdcard/r.mp4",
        r"^/sdcard/r\.mp4\n$",
    ),
    # the log
    ("logcat -d", r"beginning of (/dev/log/)?\w+\n"),
    ("logcat -c", r"^$"),
    ("logcat -d -v time", r"(?m)^05-20 09:4\d:\d\d\.\d{3} I/ActivityManager\( *\d+\): Start proc"),
    ("logcat -d -v threadtime -s ActivityManager", r"(?m)^05-20 .* I ActivityManager: Start proc"),
    (
        "logcat -d -v epoch",
        (("Invalid parameter to -v", 255), r"(?m)^1716169\d+\.\d+ ", r"(?m)^1716169\d+\.\d+ "),
    ),
    ("logcat -d -b all", (("Unable to open log device", 1), r"ActivityManager", r"ActivityManager")),
    ("logcat -d -T 1", (("Unrecognized Option", 255), r"\n.*\n$", r"\n.*\n$")),
    ("export ANDROID_LOG_TAGS=''; exec logcat '-d'", r"ActivityManager"),
    # providers, processes, other services
    (
        "content query --uri content://settings/system --where \"name='font_scale'\"",
        (r"^No result found\.\n$", r"^Row: 0 .*value=1\.0\n$", r"^Row: 0 .*value=1\.0\n$"),
    ),
    ("content insert --uri content://settings/system --bind name:s:a --bind value:s:b", r"^$"),
    ("content delete --uri content://settings/system --where \"name='font_scale'\"", r"^$"),
    ("ps -A", (r"^USER     PID   PPID .*\n$", r" toy\.app\n", r" toy\.app\n")),
    ("ps", (r" toy\.app\n", r" ps\n$", r" ps\n$")),
    ("pidof toy.app", (LACKS, r"^\d+\n$", r"^\d+\n$")),
    ("dumpsys display", r"orientation=0"),
    ("am instrument -w a.b/.Runner", (r"INSTRUMENTATION_FAILED: a\.b/", 1)),
    ("dumpsys SurfaceFlinger --display-id", r"^Display \d+ \(HWC display 0\)"),
    ("dumpsys SurfaceFlinger", r"(?m)^GLES: .+, .+, OpenGL ES"),
    ("dumpsys meminfo", r"(?m)^Total RAM: [\d,]+K \(status normal\)$"),
    (
        "dumpsys window displays",
        (r"init=", r"DisplayFrames w=\d+ h=\d+ r=0", r"DisplayFrames w=\d+ h=\d+ r=0"),
    ),
    ("ls -l /system/build.prop", r" [1-9]\d{3} "),
    ("dumpsys input_method", r"mInputShown=false"),
    ("dumpsys power", r"mWakefulness=Awake"),
    ("dumpsys input", (r"SurfaceOrientation: 0", r"SurfaceOrientation: 0", r"orientation=0")),
    ("dumpsys battery", r"(?m)^  level: 85$"),
    ("appops get toy.app", (LACKS, r"^No operations\.\n", r"^No operations\.\n")),
    ("svc wifi disable; settings get global wifi_on", r"^0\n$"),
    ("svc data disable; settings get global mobile_data", r"^0\n$"),
    ("cmd uimode night yes", (LACKS, r"^Night mode: yes\n$", r"^Night mode: yes\n$")),
    ("cmd connectivity airplane-mode enable", (LACKS, r"^$", r"^$")),
    ("cmd notification post -t T tag text", (LACKS, r"^posting:\n", r"^posting:\n")),
    ("date +%Y-%m-%d", r"^2024-05-20\n$"),
    ("ip route", r"^192\.168\.1\.0/24 dev wlan0 .* src 192\.168\.1\.23\n$"),
    ("ip addr show wlan0", r"inet 192\.168\.1\.23/24"),
    ("ifconfig wlan0", r"192\.168\.1\.23"),
    # shell grammar
    ("[ -e /sdcard ] && echo there", r"^there\n$"),
    ("[ -e /nope ] || echo missing", r"^missing\n$"),
    ("X=1 Y='a b' printenv Y", r"^a b\n$"),
    ("false; echo $?", r"^1\n$"),
    ("echo a\\ b \"c d\" 'e  f'", r"^a b c d e  f\n$"),
    ("echo x > /sdcard/x; cat < /sdcard/x; rm /sdcard/x", r"^x\n$"),
    ("ls /nope 2>/dev/null; echo $?", r"^[12]\n$"),
    ("ls /nope 2>&1 | grep -c 'No such file'", r"^1\n$"),
    ("printf 'a\\nb\\n' | while read l; do echo \"<$l>\"; done", r"^<a>\n<b>\n$"),
    ("export A=7; sh -c 'echo $A'", r"^7\n$"),
    ("exec echo gone; echo never", r"^gone\n$"),
    ("cat </dev/null", r"^$"),
    ("mkdir -p /sdcard/a/b; ls /sdcard/a; rm -r /sdcard/a", r"^b\n$"),
    ("echo abc | sed s/b/x/", (LACKS, r"^axc\n$", r"^axc\n$")),
    ("echo 'a b' | awk '{print $2}'", (LACKS, r"^b\n$", r"^b\n$")),
    ("echo a:b | cut -d: -f2", (LACKS, r"^b\n$", r"^b\n$")),
    ("printf 'a\\nb\\n' | head -n 1", (LACKS, r"^a\n$", r"^a\n$")),
    ("printf 'a\\nb\\n' | tail -n 1", (LACKS, r"^b\n$", r"^b\n$")),
    ("echo a b | wc -w", (LACKS, r"^2\n$", r"^2\n$")),
    (
        "echo x | md5sum",
        (LACKS, r"^401b30e3b8b5d629635a5c613cdb7919  -\n$", r"^401b30e3b8b5d629635a5c613cdb7919  -\n$"),
    ),
    ("toybox echo x", (LACKS, r"^x\n$", r"^x\n$")),
    ("echo abc | grep -o b", r"^b\n$"),
]


def cases() -> Iterator[tuple[str, str, Expected]]:
    for line, expected in COMMANDS:
        by_version = expected if isinstance(expected, tuple) and len(expected) == 3 else (expected,) * 3
        for profile, wanted in zip(PROFILES, by_version, strict=True):
            yield profile, line, wanted


def phone_for(profile: str, line: str) -> Phone:
    device = toys.phone(profile)
    if "ime " in line or "query-activities" in line:
        install_apk(device.packages, UIAUTOMATOR.read_bytes(), InstallOptions(test=True))
    toys.start(device)
    return device


@every_case(("profile", "line", "wanted"), list(cases()))
def test_output_and_exit_status(profile: str, line: str, wanted: Expected) -> None:
    out, err, status = on_phone(line, phone=phone_for(profile, line))
    if wanted == LACKS:
        name = re.split(r"[|] *", line)[-1].split()[0]
        assert (status, f"/system/bin/sh: {name}: " in err, "not found\n" in err) == (127, True, True)
        return
    pattern, code = wanted if isinstance(wanted, tuple) else (wanted, 0)
    assert re.search(pattern, out + err), (out, err)
    assert status == code
