// Texts of devices and models, numbers and times, as elements or short strings.

import { element } from "./dom.js";

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Show characters that hide or reorder text by their code points. */
export function visible(text) {
  return String(text).replace(
    CONTROLS,
    (sign) => `⟨U+${sign.codePointAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** A text from outside, isolated, so that its direction changes nothing around it. */
export function foreign(text, limit = 400) {
  const shown = visible(text);
  const short = shown.length > limit ? `${shown.slice(0, limit)}…` : shown;
  return element("bdi", { class: "foreign", title: short === shown ? null : shown.slice(0, 2000) }, short);
}

export function seconds(value) {
  if (value === null || value === undefined) return "–";
  if (value < 10) return `${value.toFixed(2)} s`;
  return value < 120 ? `${value.toFixed(1)} s` : `${Math.floor(value / 60)} min ${Math.round(value % 60)} s`;
}

export function count(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

const WORDS = { true: "met", false: "not met", null: "unknown" };

/** "met", "not met" or "unknown". */
export function truth(holds) {
  return WORDS[String(holds)] ?? "unknown";
}

/** How an episode ended; without an end in its log, the state that the list has. */
export function endOf(data) {
  return data.ended ?? data.state ?? { outcome: "unknown" };
}

/** The outcome as a badge, with its reason. */
export function outcome(row) {
  const name = row.outcome || "unknown";
  const kind = { success: "success", failure: "failure" }[name] ?? "error";
  const text = row.reason && row.reason !== "goal_met" ? `${name}: ${row.reason.replaceAll("_", " ")}` : name;
  return element("span", { class: `badge ${kind}` }, text);
}

/** An action in a few words; `target` names the element that it touches, if that has a name. */
export function actionWords(action, target = "") {
  if (!action) return "no action";
  const at = (x, y) => (target ? visible(target) : `(${x}, ${y})`);
  switch (action.type) {
    case "tap":
    case "double_tap":
    case "long_press":
      return `${action.type.replace("_", " ")} ${at(action.x, action.y)}`;
    case "swipe":
    case "drag":
      return `${action.type} (${action.x1}, ${action.y1}) → (${action.x2}, ${action.y2})`;
    case "scroll":
      return `scroll ${action.direction}`;
    case "type":
      return `type “${visible(action.text)}”${action.submit ? " and submit" : ""}`;
    case "key":
      return `key ${visible(action.name)}`;
    case "open_app":
      return `open ${visible(action.package)}`;
    case "wait":
      return `wait ${action.seconds ?? 1} s`;
    case "done":
      return action.answer ? `done: “${visible(action.answer)}”` : "done";
    case "give_up":
      return action.reason ? `give up: ${visible(action.reason)}` : "give up";
    case "observed":
      return "acted by itself";
    default:
      return visible(String(action.type ?? "unknown action"));
  }
}

// Chromium keeps some texts as it drew them before a font was loaded; new text nodes are drawn anew.
document.fonts.addEventListener("loadingdone", () => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found = [];
  while (walker.nextNode()) if (/[\u2e80-\u9fff]/.test(walker.currentNode.data)) found.push(walker.currentNode);
  for (const node of found) node.replaceWith(node.cloneNode());
});
