// Two episodes side by side, aligned, with the points where they diverge and converge.

import { element, replace } from "./dom.js";
import { bindKeys } from "./keys.js";
import { drawAction, screen, sizeOf } from "./overlay.js";
import { load } from "./request.js";
import { actionWords, count, endOf, foreign, outcome, seconds, visible } from "./texts.js";

const root = document.getElementById("side");
const WORDS = {
  same: "same screen, same action",
  "same-screen": "same screen, another action",
  "same-action": "same action, screen differs",
  "left-only": "only left",
  "right-only": "only right",
};
let rows = [];
let selected = -1;

const encoded = (data) => `${data.address.split("/").map(encodeURIComponent).join("/")}/${data.attempt}`;

function head(data, name) {
  if (data.problem) return element("div", { class: "side-head" }, element("p", { class: "notice bad" }, foreign(data.problem, 2000)));
  const ended = endOf(data);
  return element("div", { class: "side-head" },
    element("h2", {}, element("span", { class: "visually-hidden" }, `${name}: `), element("a", { href: `/episode/${data.address}` }, `${data.agent.name}, ${data.condition}`)),
    element("p", {}, outcome(ended), ` ${count(ended.steps ?? data.steps.length, "step")}`, data.ended ? `, ${seconds(ended.t)}` : ""),
    data.run ? element("p", { class: "quiet" }, `${data.task}, seed ${data.seed}, run ${data.run}`) : null,
    data.partners.length > 1
      ? element("label", {}, "Condition ", element("select", { "aria-label": `Condition, ${name}`, onchange: (event) => {
          const params = new URLSearchParams(location.search);
          params.set(name, event.target.value);
          location.search = params.toString();
        } }, data.partners.map((row) => element("option", { value: row.id, selected: row.id === data.address }, row.condition))))
      : null);
}

function cell(data, number) {
  if (number === null) return element("div", { class: "cell gap" }, element("span", { class: "visually-hidden" }, "no step"));
  const step = data.steps.find((each) => each.step === number);
  const frame = data.frames.filter((each) => each.step === number && !each.final).at(-1);
  const shot = frame ? screen(encoded(data), frame, `${data.condition}, screen at step ${number}`, { width: 320, lazy: true }) : null;
  if (shot) shot.drawing.append(...drawAction(step.action, sizeOf(frame)));
  const interruptions = data.interruptions.filter(({ token }) => step.injected.includes(token));
  return element("div", { class: "cell" },
    element("a", { href: `/episode/${data.address}#step-${number}`, class: "cell-screen" }, shot?.element ?? "no screen"),
    element("div", { class: "cell-words" },
      element("strong", {}, `step ${number}`), element("div", {}, foreign(actionWords(step.action, step.target), 200)),
      step.thought ? element("div", { class: "quiet" }, foreign(step.thought, 200)) : null,
      interruptions.map((each) => element("div", { class: "badge error wrap" }, `interruption: ${visible(each.interruption)}`)),
      step.goal ? element("div", { class: "quiet" }, `goal ${step.goal.holds === true ? "met" : step.goal.holds === false ? "not met" : "unknown"}`) : null));
}

function summary(found) {
  const { left, right, divergences } = found;
  const where = (place, verb) => {
    const row = found.rows[place];
    const at = [row.left === null ? null : `step ${row.left} on the left`, row.right === null ? null : `step ${row.right} on the right`];
    return element("a", { href: `#row-${place}` }, `${verb} at ${at.filter(Boolean).join(" and ")}`);
  };
  if (left.problem || right.problem) return element("p", { class: "notice bad" }, "An episode cannot be read, so the two cannot be aligned.");
  if (!found.rows.length) return element("p", { class: "notice" }, "Neither episode has a step.");
  if (!divergences.length) return element("p", { class: "notice" }, "The episodes never diverge: every step has the same action.");
  return element("div", { class: "notice" },
    element("ol", { class: "divergences" }, divergences.map(({ first, converge }) =>
      element("li", {}, "They ", where(first, "diverge"), converge === null ? element("strong", {}, " and never converge.") : [" and ", where(converge, "converge"), "."]))));
}

function select(place) {
  if (!rows.length) return;
  rows[selected]?.classList.remove("selected");
  selected = Math.max(0, Math.min(place, rows.length - 1));
  rows[selected].classList.add("selected");
  rows[selected].scrollIntoView({ block: "center" });
  rows[selected].querySelector("a")?.focus({ preventScroll: true });
  history.replaceState(null, "", `${location.search}#row-${selected}`);
}

function show(found) {
  const divergedRows = new Map(found.divergences.map(({ first }) => [first, true]));
  const convergences = new Map(found.divergences.filter(({ converge }) => converge !== null).map(({ converge }) => [converge, true]));
  rows = found.rows.map((row, place) =>
    element("li", { id: `row-${place}`, class: `aligned ${row.kind}` },
      convergences.has(place) ? element("p", { class: "joint converge" }, "They converge here") : null,
      divergedRows.has(place) ? element("p", { class: "joint diverge" }, "They diverge here") : null,
      element("div", { class: "pair" }, cell(found.left, row.left), element("div", { class: "relation" }, WORDS[row.kind]), cell(found.right, row.right))));
  replace(root,
    element("p", { class: "instruction" }, foreign(found.left.instruction ?? found.right.instruction ?? "", 800)),
    found.left.task !== found.right.task && !found.left.problem && !found.right.problem ? element("p", { class: "notice bad" }, "These episodes are of different tasks.") : null,
    element("div", { class: "pair heads" }, head(found.left, "left"), element("div", { class: "relation" }), head(found.right, "right")),
    summary(found),
    element("ol", { class: "alignment", "aria-label": "Aligned steps" }, rows));
  if (location.hash.startsWith("#row-")) select(Number(location.hash.slice(5)));
}

const joints = (found) => found.divergences.flatMap(({ first, converge }) => (converge === null ? [first] : [first, converge]));
let found = null;
const jump = (by) => {
  const places = joints(found ?? { divergences: [] });
  const next = by > 0 ? places.find((place) => place > selected) : places.findLast((place) => place < selected);
  if (next !== undefined) select(next);
};

bindKeys([
  { keys: ["j", "ArrowDown"], words: "Next row", run: () => select(selected + 1) },
  { keys: ["k", "ArrowUp"], words: "Previous row", run: () => select(selected - 1) },
  { keys: ["n"], words: "Next divergence or convergence", run: () => jump(1) },
  { keys: ["p"], words: "Previous divergence or convergence", run: () => jump(-1) },
  { keys: ["/"], words: "Search in the list of episodes", run: () => { location.href = "/#search"; } },
]);

try {
  found = await load(`/api/side${location.search}`);
  show(found);
} catch (error) {
  replace(root, element("p", { class: "notice bad" }, foreign(error.message, 2000)));
}
