// Mirror a phone's screen, preview the step that a touch becomes, and send gestures.

import { element, replace } from "./dom.js";
import { load, send } from "./request.js";

const RETRY_MS = 1500;
const HOLD_MS = 600;
const HOVER_MS = 60;
const BUSY = "The phone is busy; wait for the next screen.";
const TAP_SHARE = 1 / 30;
const image = document.getElementById("screen");
const mirror = image.parentElement;
const target = document.getElementById("target");
const preview = document.getElementById("preview");
const hint = preview.firstElementChild;
const message = document.getElementById("message");
const state = document.getElementById("status");

let size = { width: 1, height: 1 };
let busy = true;
let ended = false;
let down = null;
let pointed = 0;
let steps = 0;
let pressed = null; // the button that was focused when it was disabled
let typed = null; // the text that was sent, until the phone has typed or refused it

function note(text) {
  message.textContent = text;
  message.hidden = !text;
}

function position(event) {
  const area = image.getBoundingClientRect();
  const inside = (value, limit) => Math.min(limit - 1, Math.max(0, Math.round(value)));
  return {
    x: inside(((event.clientX - area.left) / area.width) * size.width, size.width),
    y: inside(((event.clientY - area.top) / area.height) * size.height, size.height),
  };
}

/** Disable what cannot be used while the phone is busy; a recording can be stopped at any time. */
function mark() {
  mirror.classList.toggle("busy", busy);
  for (const button of document.querySelectorAll(".controls button")) {
    const disabled = ended || (busy && button.id !== "stop") || (button.id === "undo" && !steps);
    if (disabled && button === document.activeElement) pressed = button; // a disabled button loses the focus
    button.disabled = disabled;
  }
  if (pressed && !pressed.disabled) {
    if (document.activeElement === document.body) pressed.focus();
    pressed = null;
  }
}

/** Send a command; return whether the recorder accepted it. */
async function act(body) {
  if (ended) return false;
  if (busy && body.kind !== "stop") {
    note(BUSY);
    return false;
  }
  const before = busy;
  busy = true;
  mark();
  target.hidden = true;
  try {
    await send("/api/act", body);
    note("");
    return true;
  } catch (error) {
    busy = before;
    mark();
    note(error.message);
    return false;
  }
}

async function point(at) {
  const mine = ++pointed;
  if (busy || ended) return;
  try {
    const found = await send("/api/preview", { kind: "touch", ...at });
    if (mine !== pointed || busy) return;
    replace(preview, element("code", {}, found.text), found.warning ? ` (${found.warning})` : "");
    target.hidden = !found.bounds;
    if (found.bounds) {
      const [left, top, right, bottom] = found.bounds;
      const scale = image.clientWidth / size.width;
      target.style.left = `${left * scale}px`;
      target.style.top = `${top * scale}px`;
      target.style.width = `${(right - left) * scale}px`;
      target.style.height = `${(bottom - top) * scale}px`;
    }
  } catch (error) {
    if (mine !== pointed) return;
    replace(preview, element("span", { class: "quiet" }, error.message));
    target.hidden = true;
  }
}

let waiting = null;
let hovered = null;
image.addEventListener("pointermove", (event) => {
  if (down) return;
  hovered = position(event);
  waiting ??= setTimeout(() => {
    waiting = null;
    if (hovered) point(hovered);
  }, HOVER_MS);
});
image.addEventListener("pointerleave", () => {
  hovered = null;
  pointed += 1;
  target.hidden = true;
});
image.addEventListener("pointerdown", (event) => {
  event.preventDefault();
  down = { ...position(event), at: performance.now() };
  image.setPointerCapture(event.pointerId);
});
image.addEventListener("pointerup", (event) => {
  if (!down) return;
  const up = position(event);
  const held = performance.now() - down.at > HOLD_MS;
  const moved = Math.max(Math.abs(up.x - down.x), Math.abs(up.y - down.y)) > size.width * TAP_SHARE;
  if (moved) act({ kind: "touch", x: down.x, y: down.y, x2: up.x, y2: up.y });
  else act({ kind: "touch", x: down.x, y: down.y, held });
  down = null;
});
for (const button of document.querySelectorAll("[data-key]")) {
  button.addEventListener("click", () => act({ kind: "key", key: button.dataset.key }));
}
document.getElementById("typing").addEventListener("submit", async (event) => {
  event.preventDefault();
  const field = document.getElementById("text");
  const text = field.value;
  if (!text) return;
  const checked = (id) => document.getElementById(id).checked;
  if (busy) return note(BUSY);
  typed = { text, before: steps };
  const sent = await act({ kind: "text", text, clear: checked("clear"), submit: checked("submit") });
  if (!sent) typed = null;
});
document.getElementById("finish").addEventListener("submit", (event) => {
  event.preventDefault();
  act({ kind: "done", answer: document.getElementById("answer").value });
});
document.getElementById("undo").addEventListener("click", () => act({ kind: "undo" }));
document.getElementById("stop").addEventListener("click", () => act({ kind: "stop" }));

function show(data) {
  busy = data.busy;
  ended = data.ended === "FinishRecording" || data.ended === "StopRecording";
  if (data.size) {
    size = data.size;
    image.src = `/screen.png?version=${encodeURIComponent(data.version)}`;
  }
  if (data.message) note(data.message);
  else if (!busy && message.textContent === BUSY) note("");
  steps = data.steps.length;
  mark();
  if (typed && !busy) {
    const field = document.getElementById("text");
    if (steps > typed.before && field.value === typed.text) field.value = "";
    typed = null;
  }
  if (!busy && !ended && hovered) point(hovered); // the pointer is over another screen now
  else if (!busy) replace(preview, hint);
  const performed = data.steps.length - data.repeating;
  replace(
    document.getElementById("steps"),
    data.steps.map((text, at) => element("li", { class: at < performed ? "" : "repeated" }, element("code", {}, text))),
  );
  document.getElementById("none").hidden = data.steps.length > 0;
  state.textContent = ended
    ? "The recording has ended; the terminal shows its files."
    : data.repeating ? "Repeating the recorded steps…" : busy ? "The phone is busy…" : "Your turn";
}

async function watch() {
  let version = "";
  while (!ended) {
    try {
      const data = await load(`/api/state?version=${encodeURIComponent(version)}`);
      if (data.version !== version) {
        version = data.version;
        show(data);
      }
    } catch (error) {
      if (ended) return;
      state.textContent = "The recorder does not answer; it may have ended.";
      await new Promise((done) => setTimeout(done, RETRY_MS));
    }
  }
}
mark();
watch();
