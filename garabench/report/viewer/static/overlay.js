// A screenshot with what is drawn on it: the action, and marked elements.

import { element, svg } from "./dom.js";
import { actionWords, visible } from "./texts.js";

const DEFAULT_SIZE = [1080, 2400];
const SCROLL = { up: [0, 1], down: [0, -1], left: [1, 0], right: [-1, 0] };

// Chromium keeps words as it drew them at a size before a font was loaded; another size draws them anew.
let nudge = 1;
document.fonts.addEventListener("loadingdone", () => {
  nudge = 1.002;
  for (const text of document.querySelectorAll(".words text")) text.setAttribute("font-size", text.getAttribute("font-size") * nudge);
});

export function sizeOf(frame) {
  return frame.size ?? DEFAULT_SIZE;
}

function arrow(from, to, unit) {
  const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
  const length = Math.hypot(dx, dy) || 1;
  const [ux, uy] = [dx / length, dy / length];
  const head = Math.min(unit * 2.2, length * 0.6);
  const base = [to[0] - ux * head, to[1] - uy * head];
  const points = [
    to,
    [base[0] - uy * head * 0.5, base[1] + ux * head * 0.5],
    [base[0] + uy * head * 0.5, base[1] - ux * head * 0.5],
  ];
  return svg(
    "g",
    { class: "gesture" },
    svg("circle", { class: "halo", cx: from[0], cy: from[1], r: unit * 0.7 }),
    svg("line", { class: "halo", x1: from[0], y1: from[1], x2: base[0], y2: base[1] }),
    svg("line", { class: "stroke", x1: from[0], y1: from[1], x2: base[0], y2: base[1] }),
    svg("circle", { class: "dot", cx: from[0], cy: from[1], r: unit * 0.5 }),
    svg("polygon", { class: "dot", points: points.map((point) => point.join(",")).join(" ") }),
  );
}

function ring(x, y, unit, rings, filled) {
  const circles = [];
  for (let number = 0; number < rings; number += 1) {
    const r = unit * (1.3 + number * 0.9);
    circles.push(svg("circle", { class: "halo", cx: x, cy: y, r }), svg("circle", { class: "stroke", cx: x, cy: y, r }));
  }
  circles.push(svg("circle", { class: "dot", cx: x, cy: y, r: unit * (filled ? 0.9 : 0.35) }));
  return svg("g", { class: "gesture tap" }, circles);
}

function words(text, x, y, width, unit) {
  const size = unit * 1.5;
  const shown = text.length > 28 ? `${text.slice(0, 27)}…` : text;
  // Wide characters take a whole em, others about 0.6.
  const length = [...shown].reduce((sum, sign) => sum + (sign.codePointAt(0) > 0x2e7f ? 1 : 0.6), 0) * size + size;
  const left = Math.max(unit * 0.3, Math.min(x - length / 2, width - length - unit * 0.3));
  return svg(
    "g",
    { class: "words" },
    svg("rect", { x: left, y: y - size * 0.95, width: length, height: size * 1.7, rx: size * 0.3 }),
    svg("text", { x: left + size / 2, y: y + size * 0.35, "font-size": size * nudge }, shown),
  );
}

/** The drawing of an action on a screen of a size; `field` is the bounds of the focused field, if known. */
export function drawAction(action, size, field = null) {
  const [width, height] = size;
  const unit = Math.max(width, height) / 60;
  if (!action) return [];
  switch (action.type) {
    case "tap":
      return [ring(action.x, action.y, unit, 1, false)];
    case "double_tap":
      return [ring(action.x, action.y, unit, 2, false)];
    case "long_press":
      return [ring(action.x, action.y, unit, 1, true)];
    case "swipe":
    case "drag":
      return [arrow([action.x1, action.y1], [action.x2, action.y2], unit)];
    case "scroll": {
      const [sx, sy] = SCROLL[action.direction] ?? [0, -1];
      const reach = ((action.amount ?? 0.5) / 2) * (sx ? width : height);
      const [x, y] = [action.x ?? width / 2, action.y ?? height / 2];
      return [arrow([x - sx * reach, y - sy * reach], [x + sx * reach, y + sy * reach], unit)];
    }
    case "type": {
      const place = action.at ?? (field ? [(field[0] + field[2]) / 2, (field[1] + field[3]) / 2] : null);
      const label = words(`“${visible(action.text)}”`, place?.[0] ?? width / 2, place ? place[1] + unit * 3 : height * 0.9, width, unit);
      return place ? [ring(place[0], place[1], unit, 1, false), label] : [label];
    }
    case "observed":
      return [];
    default:
      return [words(actionWords(action), width / 2, height * 0.95, width, unit)];
  }
}

/** A rectangle around an element. */
export function box(bounds, kind) {
  const [left, top, right, bottom] = bounds;
  return svg("rect", { class: `box ${kind}`, x: left, y: top, width: Math.max(0, right - left), height: Math.max(0, bottom - top) });
}

/** Load the pictures that were made with `later`. */
export function loadLater(container) {
  for (const picture of container.querySelectorAll("img[data-src]")) {
    picture.src = picture.dataset.src;
    delete picture.dataset.src;
  }
}

/** A screenshot with an empty drawing over it; `alt` describes it. With `later`, `loadLater` loads it. */
export function screen(address, frame, alt, { width = 0, lazy = false, later = false } = {}) {
  const [w, h] = sizeOf(frame);
  const drawing = svg("svg", { class: "drawing", viewBox: `0 0 ${w} ${h}`, "aria-hidden": "true", preserveAspectRatio: "none" });
  const query = width ? `?width=${width}&v=${frame.picture}` : `?v=${frame.picture}`;
  const picture = frame.size
    ? element("img", {
        [later ? "data-src" : "src"]: `/picture/${address}/${frame.index}${query}`, alt, width: w, height: h,
        loading: lazy ? "lazy" : "eager", decoding: "async", draggable: "false",
      })
    : element("div", { class: "missing", role: "img", "aria-label": `${alt}: the screenshot is missing` }, "screenshot missing");
  const frameElement = element("div", { class: "screen" }, picture, drawing);
  frameElement.style.setProperty("--ratio", `${w} / ${h}`);
  return { element: frameElement, drawing };
}
