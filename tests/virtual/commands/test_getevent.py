"""``getevent`` and ``sendevent``: AOSP ``toolbox/getevent.c``, toybox ``sendevent.c``, and Linux's protocol B
(``Documentation/input/multi-touch-protocol.rst``)."""

from __future__ import annotations

import pytest

from garabench.virtual.android.phone import Phone
from tests.virtual.android import toys
from tests.virtual.shell.harness import on_phone

SCREEN = "/dev/input/event1"
AXES = """\
    ABS (0003): ABS_MT_SLOT           : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0
                ABS_MT_TOUCH_MAJOR    : value 0, min 0, max 255, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_X     : value 0, min 0, max 1079, fuzz 0, flat 0, resolution 0
                ABS_MT_POSITION_Y     : value 0, min 0, max 2399, fuzz 0, flat 0, resolution 0
                ABS_MT_TRACKING_ID    : value 0, min 0, max 65535, fuzz 0, flat 0, resolution 0
                ABS_MT_PRESSURE       : value 0, min 0, max 255, fuzz 0, flat 0, resolution 0
  input props:
    INPUT_PROP_DIRECT
"""


@pytest.fixture
def phone() -> Phone:
    device = toys.phone()
    toys.start(device)
    return device


def send(*events: tuple[int, int, int], device: str = SCREEN) -> str:
    return "; ".join(f"sendevent {device} {kind} {code} {value}" for kind, code, value in events)


def finger(x: int, y: int) -> str:
    return send((3, 57, 5), (3, 53, x), (3, 54, y), (1, 330, 1), (0, 0, 0))


LIFT = send((3, 57, 4294967295), (1, 330, 0), (0, 0, 0))


def test_devices_and_what_they_can_do(phone: Phone) -> None:
    labelled = on_phone("getevent -lp", phone=phone)[0]
    assert labelled.startswith('add device 1: /dev/input/event0\n  name:     "gpio-keys"\n  events:\n')
    assert "    KEY (0001): KEY_VOLUMEDOWN        KEY_VOLUMEUP          KEY_POWER            \n" in labelled
    assert f'add device 2: {SCREEN}\n  name:     "virtual_touchscreen"\n  events:\n' in labelled
    assert "    KEY (0001): BTN_TOUCH            \n" in labelled
    assert labelled.endswith(AXES)
    assert on_phone("getevent -pl", phone=phone)[0] == labelled
    plain = on_phone("getevent -p", phone=phone)[0]
    assert "    ABS (0003): 002f  : value 0, min 0, max 9, fuzz 0, flat 0, resolution 0\n" in plain
    assert plain.endswith("  input props:\n    0001\n")
    assert "  bus:      0019\n" in on_phone(f"getevent -i {SCREEN}", phone=phone)[0]


def test_a_finger_taps_and_moves_where_it_is_set(phone: Phone) -> None:
    count = toys.node(phone, resource_id="toy.app:id/count").visible.center
    assert on_phone(f"{finger(count.x, count.y)}; {LIFT}", phone=phone) == ("", "", 0)
    assert toys.main_of(phone).count == 1
    # the slot keeps its position: a new contact there needs no axes
    on_phone(f"{send((3, 57, 6), (0, 0, 0))}; {LIFT}", phone=phone)
    assert toys.main_of(phone).count == 2
    on_phone(f"{finger(count.x, count.y)}; sleep 1; {LIFT}", phone=phone)
    assert toys.main_of(phone).long_presses == 1
    before = toys.node(phone, text="row 0").bounds
    middle = toys.node(phone, resource_id="toy.app:id/list").visible.center
    moves = "; ".join(send((3, 54, middle.y - step), (0, 0, 0)) for step in (100, 200, 300))
    on_phone(f"{finger(middle.x, middle.y)}; {moves}; sleep 1; {LIFT}", phone=phone)
    assert all(node.text != "row 0" or node.bounds != before for _, node in toys.nodes(phone))


def test_a_rotated_screen_turns_touches(phone: Phone) -> None:
    """``InputReader`` maps the natural screen to the display (``ROTATION_90``)."""
    phone.settings.put("system", "accelerometer_rotation", "0")
    phone.settings.put("system", "user_rotation", "1")
    count = toys.node(phone, resource_id="toy.app:id/count").visible.center
    natural = phone.display.natural
    on_phone(f"{finger(natural.width - 1 - count.y, count.x)}; {LIFT}", phone=phone)
    assert toys.main_of(phone).count == 1


def test_keys_of_a_device_are_pressed(phone: Phone) -> None:
    on_phone(send((1, 116, 1), (0, 0, 0), (1, 116, 0), (0, 0, 0), device="/dev/input/event0"), phone=phone)
    assert not phone.display.screen_on


def test_a_recorder_reads_what_a_person_does(phone: Phone) -> None:
    phone.clock.after(1500, lambda: phone.input_devices.show_touch([(100, 200), (100, 260)]))
    out = on_phone(f"getevent -lt -c 12 {SCREEN} & sleep 1; sleep 1; wait", phone=phone)[0]
    assert all(line.startswith("[       1.5") for line in out.splitlines())
    assert [line.partition("] ")[2].split() for line in out.splitlines()] == [
        ["EV_ABS", "ABS_MT_TRACKING_ID", "00000001"],
        ["EV_ABS", "ABS_MT_POSITION_X", "00000064"],
        ["EV_ABS", "ABS_MT_POSITION_Y", "000000c8"],
        ["EV_ABS", "ABS_MT_PRESSURE", "0000003c"],
        ["EV_ABS", "ABS_MT_TOUCH_MAJOR", "00000008"],
        ["EV_KEY", "BTN_TOUCH", "DOWN"],
        ["EV_SYN", "SYN_REPORT", "00000000"],
        ["EV_ABS", "ABS_MT_POSITION_Y", "00000104"],
        ["EV_SYN", "SYN_REPORT", "00000000"],
        ["EV_ABS", "ABS_MT_TRACKING_ID", "ffffffff"],
        ["EV_KEY", "BTN_TOUCH", "UP"],
        ["EV_SYN", "SYN_REPORT", "00000000"],
    ]


def test_the_forms_of_events(phone: Phone) -> None:
    line = "getevent {} & sleep 1; " + send((3, 57, 7), (0, 0, 0)) + "; wait"
    names = 'add device 1: /dev/input/event0\n  name:     "gpio-keys"\n'
    names += f'add device 2: {SCREEN}\n  name:     "virtual_touchscreen"\n'
    assert on_phone(line.format("-c 2"), phone=phone)[0] == (
        f"{names}{SCREEN}: 0003 0039 00000007\n{SCREEN}: 0000 0000 00000000\n"
    )
    on_phone(LIFT, phone=phone)
    assert on_phone(line.format("-l -c 1"), phone=phone)[0].splitlines()[-1] == (
        f"{SCREEN}: EV_ABS       ABS_MT_TRACKING_ID   00000007            "
    )


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("getevent -Z", "getevent: option -Z not recognized\nUsage: getevent"),
        ("getevent /dev/nope", "could not open /dev/nope, No such file or directory\n"),
        ("sendevent", "sendevent: Needs 4 arguments\n"),
        ("sendevent /dev/nope 1 1 1", "sendevent: /dev/nope: No such file or directory\n"),
        (f"sendevent {SCREEN} 1 x 1", "sendevent: not integer: x\n"),
    ],
)
def test_errors(line: str, message: str) -> None:
    out, err, status = on_phone(line)
    assert (out, status) == ("", 1)
    assert err.startswith(message)
