"""``dumpsys SurfaceFlinger``: the screen and its layers (``SurfaceFlinger.cpp``, ``FrameTracker.cpp``)."""

from __future__ import annotations

from garabench.virtual.android.phone import Phone
from garabench.virtual.commands import dumpsys_windows

_FRAMES_PER_SECOND = 60
_PERIOD_NS = 16_666_667
"""The time of a frame in nanoseconds."""
_FRAMES = 127
"""The frames that a layer remembers."""


def surface_flinger(phone: Phone, args: list[str]) -> str:
    """``dumpsys SurfaceFlinger [--display-id|--list|--latency [LAYER]|--latency-clear [LAYER]]``.

    Layers have the times of no frames, as on Android after ``--latency-clear``: the screen is drawn when it
    is looked at.
    """
    layers = [f"{window.title}#{number}" for number, window in enumerate(phone.scene().windows)]
    match args:
        case ["--display-id", *_]:
            name = f"Display {dumpsys_windows.DISPLAY_ID} (HWC display 0)"
            return f'{name}: port=0 pnpId=GBV displayName="screen"\n'
        case ["--list", *_]:
            return "".join(f"{layer}\n" for layer in layers)
        case ["--latency", *names]:
            known = not names or names[0] in layers
            return f"{_PERIOD_NS}\n" + ("0\t0\t0\n" * _FRAMES + "\n" if known else "")
        case ["--latency-clear", *_]:
            return ""
    size, rows = phone.display.current_size, "".join(f"+ Layer ({layer})\n" for layer in layers)
    return (
        f"Build configuration: [sf]\nDisplay {dumpsys_windows.DISPLAY_ID}\n  size={size}\n"
        f"Visible layers (count = {len(layers)})\n{rows}"
        "GLES: GaraBench, Virtual phone (software), OpenGL ES 3.0\n"
        f"  refresh-rate              : {_FRAMES_PER_SECOND:f} fps\n"
        f"  orientation={phone.display.rotation}, isPoweredOn={int(phone.display.screen_on)}\n"
    )
