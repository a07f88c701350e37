"""The page of ``garabench tasks record`` in Chromium: preview, touch, text, undo, done."""

from __future__ import annotations

import threading
from pathlib import Path

from playwright.sync_api import expect

from garabench.authoring.recording.person_session import PersonSession, step_text
from garabench.authoring.recording.record_task import FinishedRecording, open_recording, record_task
from garabench.authoring.recording.recorder_app import SessionHolder, create_recorder_app
from garabench.core.clock import SystemClock
from garabench.device.device import Device
from garabench.virtual.phone_process import VirtualPhone
from garabench.web.server import serving
from tests.browser.conftest import Visit
from tests.waits import AMPLE

TEA_SHOP = Path(__file__).parents[2] / "docs" / "examples" / "tea-shop"

HOVER = """positions => {
  for (const [clientX, clientY] of positions) {
    document.getElementById("screen").dispatchEvent(new PointerEvent("pointermove", { clientX, clientY }));
  }
}"""
TYPE_AND_UNDO = """() => {
  document.getElementById("typing").requestSubmit();
  const enabled = [...document.querySelectorAll(".controls button:enabled")].map(({ id }) => id);
  if (String(enabled) !== "stop") throw new Error(`enabled while the phone is busy: ${enabled}`);
}"""


def test_task_is_recorded_by_mouse_and_keyboard(visit: Visit, tmp_path: Path) -> None:
    clock = SystemClock()
    holder = SessionHolder(PersonSession())
    done: list[FinishedRecording] = []
    recording = open_recording(
        tmp_path / "r", "find-tea", "org.example.teashop", {"en": "Find a tea"}, resume=False
    )
    with VirtualPhone(apps=[TEA_SHOP]) as phone, Device.connect(phone.serial, clock) as device:

        def run() -> None:
            done.append(record_task(recording, device, tmp_path / "r", clock, on_session=holder.use))

        thread = threading.Thread(target=run, daemon=True)
        with serving(create_recorder_app(holder, "find-tea", "org.example.teashop", "Find a tea")) as address:
            thread.start()
            page = visit.page
            page.goto(address)
            expect(page.locator("#status")).to_have_text("Your turn")
            page.wait_for_function("() => document.getElementById('screen').naturalWidth > 1")
            box = page.locator("#screen").bounding_box()
            assert box

            def at(x: float, y: float) -> tuple[float, float]:
                return box["x"] + box["width"] * x / 1080, box["y"] + box["height"] * y / 2400

            page.mouse.move(*at(500, 1000))
            expect(page.locator("#preview")).to_contain_text("tap: {id: tea_title, text: 铁观音}")
            assert page.locator("#target").is_visible()
            assert page.locator("#screen").bounding_box() == box  # the phone stays where the pointer is
            # Two moves within one interval of the hover: the preview shows the last one.
            page.evaluate(HOVER, [at(500, 1000), at(300, 300)])
            expect(page.locator("#preview")).to_contain_text("tap: {id: search}")
            # A refused text stays in its field.
            page.fill("#text", "铁观音")
            page.click("#typing button")
            expect(page.locator("#message")).to_contain_text("no text field has the focus")
            expect(page.locator("#status")).to_have_text("Your turn")
            expect(page.locator("#text")).to_have_value("铁观音")
            page.screenshot(path=tmp_path / "recorder.png")
            page.mouse.click(*at(300, 300))
            expect(page.locator("#steps li")).to_have_count(1)
            expect(page.locator("#status")).to_have_text("Your turn")
            page.fill("#text", "观音")
            page.evaluate(TYPE_AND_UNDO)  # the phone is busy: only stopping is possible
            expect(page.locator("#steps li")).to_have_count(2)
            expect(page.locator("#text")).to_have_value("")
            expect(page.locator("#status")).to_have_text("Your turn")
            page.click("#undo")
            expect(page.locator("#steps li")).to_have_count(1)
            expect(page.locator("#status")).to_have_text("Your turn")
            assert visit.serious_barriers() == []
            page.click("#stop")
            thread.join(AMPLE)
            assert done[0].draft is None

            # Resumed: the step is repeated, and the task is finished; the pointer rests over each new screen.
            recording = open_recording(
                tmp_path / "r", "find-tea", "org.example.teashop", {"en": "Find a tea"}, resume=True
            )
            thread = threading.Thread(target=run, daemon=True)
            thread.start()
            page.reload()
            expect(page.locator("#status")).to_have_text("Your turn")
            expect(page.locator("#steps li")).to_have_count(1)
            page.wait_for_function("() => document.getElementById('screen').naturalWidth > 1")
            page.mouse.move(*at(300, 1000))
            expect(page.locator("#preview")).to_contain_text("tea_title")
            page.mouse.click(*at(300, 1000))
            expect(page.locator("#steps li")).to_have_count(2)
            expect(page.locator("#status")).to_have_text("Your turn")
            expect(page.locator("#preview")).not_to_contain_text("tea_title")
            page.click("#finish button.primary")
            thread.join(AMPLE)
            page.goto("about:blank")
    first, second = [step_text(step) for step in done[1].file.steps]
    assert first == "tap: {id: search}"
    assert second.startswith("tap: {id: tea_title, text: ")
    assert done[1].draft is not None
    assert done[1].draft.proposal is not None
