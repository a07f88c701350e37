"""Touch calls by coordinates, and the gestures behind them."""

from __future__ import annotations

import itertools
import math
from typing import Any

from garabench.virtual.u2.rpc import invalid_params
from garabench.virtual.u2.server_session import STEP_MS, TAP_MS, Calls, ServerSession, integer

MAX_GESTURE_MS = 600_000
_DOWN, _UP, _MOVE = 0, 1, 2


async def inject_tap(session: ServerSession, x: int, y: int) -> bool:
    """Tap; False for negative coordinates, as the server answers."""
    if x < 0 or y < 0:
        return False
    session.phone.input.tap(x, y)
    await session.phone.spend(TAP_MS)
    return True


async def inject_press(session: ServerSession, x: int, y: int, duration_ms: int) -> bool:
    """Press for a duration; short presses are taps."""
    if x < 0 or y < 0:
        return False
    duration = min(max(0, duration_ms), MAX_GESTURE_MS)
    session.phone.input.long_press(x, y, duration)
    await session.phone.spend(duration)
    return True


async def inject_swipe(
    session: ServerSession, start: tuple[int, int], end: tuple[int, int], steps: int
) -> bool:
    """Swipe in steps of 5 ms."""
    duration = min(max(1, steps) * STEP_MS, MAX_GESTURE_MS)
    session.phone.input.swipe(*start, *end, duration)
    await session.phone.spend(duration)
    return True


async def inject_drag(
    session: ServerSession, start: tuple[int, int], end: tuple[int, int], steps: int
) -> bool:
    """Long press, then move in steps of 5 ms."""
    duration = min(max(1, steps) * STEP_MS, MAX_GESTURE_MS)
    session.phone.input.drag(*start, *end, duration)
    await session.phone.spend(duration)
    return True


class TouchCalls:
    """``click`` and ``swipe`` by coordinates, ``drag``, ``swipePoints``, ``injectInputEvent``."""

    def __init__(self, session: ServerSession) -> None:
        self._session = session

    def calls(self) -> Calls:
        """Return the calls by name; ``click`` and ``swipe`` have overloads elsewhere."""
        return {
            "drag": self.drag,
            "swipePoints": self.swipe_points,
            "injectInputEvent": self.inject,
        }

    async def click(self, x: Any, y: Any, duration_ms: Any = None) -> bool:
        """``click(x, y[, milliseconds])``."""
        if duration_ms is None:
            return await inject_tap(self._session, integer(x), integer(y))
        return await inject_press(self._session, integer(x), integer(y), integer(duration_ms))

    async def swipe(self, x1: Any, y1: Any, x2: Any, y2: Any, steps: Any) -> bool:
        """``swipe(x1, y1, x2, y2, steps)``."""
        start, end = (integer(x1), integer(y1)), (integer(x2), integer(y2))
        return await inject_swipe(self._session, start, end, integer(steps))

    async def drag(self, x1: Any, y1: Any, x2: Any, y2: Any, steps: Any) -> bool:
        """``drag(x1, y1, x2, y2, steps)``."""
        start, end = (integer(x1), integer(y1)), (integer(x2), integer(y2))
        return await inject_drag(self._session, start, end, integer(steps))

    async def swipe_points(self, segments: Any, steps: Any) -> bool:
        """``swipePoints([x, y, x, y, ...], steps)``: one finger through all points, `steps` per segment."""
        if not isinstance(segments, list):
            raise invalid_params()
        numbers = [integer(value) for value in segments]
        points = list(zip(numbers[::2], numbers[1::2], strict=False))
        if not points:
            return False
        pause = min(max(1, integer(steps)) * STEP_MS, MAX_GESTURE_MS)
        touch = self._session.phone.input
        touch.motion(_DOWN, *points[0])
        for start, end in itertools.pairwise(points):
            for x, y, wait in _interpolate(start, end, pause):
                await self._session.phone.spend(wait)
                touch.motion(_MOVE, x, y)
        touch.motion(_UP, *points[-1])
        return True

    async def inject(self, action: Any, x: Any, y: Any, meta: Any) -> bool:
        """``injectInputEvent(action, x, y, meta)``: 0 down, 2 move, 1 up."""
        integer(meta)
        kind = integer(action)
        if kind not in (_DOWN, _UP, _MOVE):
            return False
        self._session.phone.input.motion(kind, integer(x), integer(y))
        await self._session.phone.spend(STEP_MS)
        return True


def _interpolate(start: tuple[int, int], end: tuple[int, int], duration: int) -> list[tuple[int, int, int]]:
    """Points on the path with the delay before each: enough for a smooth move, few enough to be cheap."""
    distance = math.dist(start, end)
    parts = max(1, min(20, int(distance // 20)))
    return [
        (
            start[0] + (end[0] - start[0]) * part // parts,
            start[1] + (end[1] - start[1]) * part // parts,
            duration * part // parts - duration * (part - 1) // parts,
        )
        for part in range(1, parts + 1)
    ]
