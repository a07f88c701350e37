// Label episodes: blind first, then with the findings. Every change is saved at once.

import { element, replace } from "./dom.js";
import { load, send } from "./request.js";

const CHOICES = ["success", "failure", "unsure"];
const NAME = "garabench-annotator";
const WAIT_MS = 250;
const box = document.getElementById("item");
const nameField = document.getElementById("annotator");
const saved = document.getElementById("saved");

let items = [];
let current = null;
let shown = 0;
let waiting = null;
let pending = null;
let sending = null;
let running = Promise.resolve();
// Keys that are pressed while an episode loads act on it, not on the one before.
let ready = Promise.resolve();
let waitingKeys = 0;

const annotator = () => nameField.value.trim().replace(/\s+/g, " ");

function note(text, bad = false) {
  saved.textContent = text;
  saved.classList.toggle("bad", bad);
}

async function refresh() {
  const data = await load(`/api/items?annotator=${encodeURIComponent(annotator())}`);
  items = data.items;
  const done = items.filter((each) => each.stage === "blind" || each.stage === "informed").length;
  const informed = items.filter((each) => each.stage === "informed").length;
  document.getElementById("progress").textContent =
    `${done} of ${data.total} blind, ${informed} informed, ${items.filter((each) => each.conflict).length} conflicts`;
  replace(
    document.getElementById("people"),
    data.annotators.map((each) => element("li", {}, `${each.name}: ${each.blind} blind, ${each.informed} informed`)),
  );
  replace(
    document.getElementById("items"),
    items.map((each) =>
      element(
        "li",
        {},
        element(
          "button",
          { type: "button", "aria-current": current?.key === each.key ? "true" : null, onclick: () => open(each.key) },
          element("span", { class: "foreign" }, each.key),
          " ",
          element("span", { class: "badge" }, each.stage),
          each.conflict ? [" ", element("span", { class: "badge failure" }, "conflict")] : null,
        ),
      ),
    ),
  );
  const found = await load("/api/agreement");
  const parts = [];
  const number = (value) => (value === null ? "undefined" : value.toFixed(2));
  if (found.annotators.pairs) parts.push(`annotators: kappa ${number(found.annotators.kappa)}`);
  if (found.blind.items) parts.push(`judge, blind: kappa ${number(found.blind.kappa)} over ${found.blind.items}`);
  if (found.informed?.items) parts.push(`informed: kappa ${number(found.informed.kappa)}`);
  document.getElementById("agreement").textContent = parts.join("; ");
}

function later(action) {
  waitingKeys += 1;
  ready = ready
    .then(action)
    .catch((error) => note(error.message, true))
    .finally(() => {
      waitingKeys -= 1;
    });
  return ready;
}

function open(key) {
  return later(() => opened(key));
}

async function opened(key) {
  await flush();
  if (!annotator()) return;
  const address = `/api/item?key=${encodeURIComponent(key)}&annotator=${encodeURIComponent(annotator())}`;
  const item = await load(address);
  // Chromium keeps texts as it drew them before their font was loaded. Without the font the page works all the same.
  await document.fonts.load('16px "Label Chinese"', JSON.stringify(item)).catch(() => []);
  current = item;
  note("");
  shown = Math.max(0, current.frames.length - 1);
  history.replaceState(null, "", `#${key}`);
  draw();
  reach();
  refresh().catch((error) => note(error.message, true)); // keys need not wait for the list
}

function draw() {
  const frame = current.frames[shown];
  const step = frame ? current.steps.findLast((each) => each.frame === shown) : null;
  const place = frame ? (frame.final ? "after the last action" : `step ${frame.step}`) : "no screen was recorded";
  replace(
    box,
    element("p", { class: "wide instruction foreign" }, current.instruction),
    element(
      "p",
      { class: "wide" },
      ending(),
      current.answer === null ? "No answer." : ["Answer: ", element("q", { class: "foreign" }, current.answer)],
    ),
    element(
      "div",
      { class: "wide strip", role: "group", "aria-label": "Screens" },
      current.frames.map((each) =>
        element(
          "button",
          {
            type: "button",
            "aria-current": each.index === shown ? "true" : null,
            "aria-label": each.final ? "Screen after the last action" : `Screen of step ${each.step}`,
            onclick: () => show(each.index),
          },
          each.picture ? element("img", { src: each.picture, alt: "", loading: "lazy" }) : null,
          each.final ? "end" : String(each.step),
        ),
      ),
    ),
    element(
      "div",
      { class: "screen" },
      frame?.picture
        ? element("img", { src: frame.picture, alt: `Screen, ${place}` })
        : element("p", { class: "notice" }, "There is no picture."),
      element("p", { class: "quiet foreign" }, place, step ? `: ${step.action}` : ""),
    ),
    element("div", {}, blindForm(), current.label.revealed ? informedForm() : revealButton()),
    element(
      "details",
      { class: "wide" },
      element("summary", {}, "Steps as text"),
      element("pre", { class: "history", tabindex: "0" }, current.history),
    ),
  );
}

// Where an episode ends when its goal is met, its end hints at the outcome and is shown after the blind label.
function ending() {
  if (current.gave_up) return "The agent reported that the task cannot be done. ";
  if (current.ending !== null) return `Ended: ${current.ending}. `;
  return "How it ended is hidden until the findings are shown. ";
}

function reach() {
  box.querySelector('.strip button[aria-current="true"]')?.scrollIntoView({ block: "nearest", inline: "nearest" });
}

function show(index) {
  if (index < 0 || index >= current.frames.length) return;
  shown = index;
  const kept = document.activeElement?.id;
  draw();
  reach();
  if (kept) document.getElementById(kept)?.focus();
}

function choice(title, name, value, disabled, set) {
  return element(
    "fieldset",
    { class: "choices", id: name },
    element("legend", {}, title),
    CHOICES.map((each) =>
      element(
        "button",
        { type: "button", "aria-pressed": String(value === each), disabled, onclick: () => set(each) },
        each,
      ),
    ),
  );
}

function blindForm() {
  const label = current.label;
  const closed = label.revealed;
  return element(
    "section",
    { "aria-label": "Blind label" },
    element("h2", {}, closed ? "Blind label (closed)" : "Blind label"),
    choice("Outcome", "outcome", label.outcome, closed, (value) => {
      label.outcome = value;
      change("blind");
      draw();
    }),
    current.rubric.length && (!closed || Object.keys(label.points).length)
      ? element(
          "table",
          { class: "points" },
          element("caption", {}, "Points for each criterion"),
          element(
            "tbody",
            {},
            current.rubric.map((each, index) =>
              element(
                "tr",
                {},
                element(
                  "td",
                  {},
                  element("span", { class: "foreign" }, each.criterion),
                  each.condition ? element("div", { class: "quiet" }, `If: ${each.condition}`) : null,
                  each.description ? element("div", { class: "quiet foreign" }, each.description) : null,
                ),
                element(
                  "td",
                  { class: "number" },
                  element("input", {
                    type: "number",
                    id: `points-${index}`,
                    min: 0,
                    max: each.max_points,
                    step: 0.5,
                    value: label.points[index] ?? "",
                    disabled: closed,
                    "aria-label": `Points for ${each.criterion}, at most ${each.max_points}`,
                    oninput: (event) => setPoints(index, event.target, each.max_points),
                  }),
                  ` of ${each.max_points}`,
                ),
              ),
            ),
          ),
        )
      : element("p", { class: "quiet" }, withoutPoints()),
    element("label", { for: "comment" }, "Comment"),
    element("textarea", {
      id: "comment",
      disabled: closed,
      oninput: (event) => {
        label.comment = event.target.value;
        change("blind");
      },
    }),
  );
}

function withoutPoints() {
  if (current.rubric.length) return "No points were given.";
  return current.hides_rubric
    ? "The rubric has parts of the goal and is hidden until the findings are shown."
    : "The judge has no rubric for this episode.";
}

function setPoints(index, field, most) {
  const value = field.value === "" ? null : Number(field.value);
  const valid = value === null || (Number.isFinite(value) && value >= 0 && value <= most);
  field.setAttribute("aria-invalid", String(!valid));
  if (!valid) return note(`Points are from 0 to ${most}.`, true);
  if (value === null) delete current.label.points[index];
  else current.label.points[index] = value;
  change("blind");
}

function revealButton() {
  const ready = current.label.outcome !== "" && current.has_verdict;
  const hint = current.has_verdict
    ? "The blind label is closed then."
    : "The judge has no verdict on this episode.";
  return element(
    "p",
    {},
    element("button", { type: "button", id: "reveal", class: "primary", disabled: !ready, onclick: reveal }, "Reveal the findings"),
    " ",
    element("span", { class: "quiet" }, hint),
  );
}

async function reveal() {
  await flush();
  if (current.label.outcome === "" || current.label.revealed || !current.has_verdict) return;
  try {
    current = await send("/api/label", { stage: "reveal", key: current.key, annotator: annotator() });
    draw();
    refresh().catch((error) => note(error.message, true));
  } catch (error) {
    note(error.message, true);
  }
}

function informedForm() {
  const label = current.label;
  const found = current.findings;
  return element(
    "section",
    { "aria-label": "Informed label", class: "findings" },
    element("h2", {}, "Findings of the judge"),
    element(
      "p",
      {},
      `Outcome: ${found.outcome}; process score: ${found.process_score === null ? "undefined" : found.process_score.toFixed(2)}. `,
      element("span", { class: "foreign" }, found.reason),
    ),
    element(
      "ul",
      {},
      found.criteria.map((each) =>
        element(
          "li",
          { class: "foreign" },
          `${each.penalty ? "Penalty: " : ""}${each.criterion}: ${each.points} of ${each.max_points}`,
          each.applies ? "" : " (does not apply)",
          each.points === each.by_actions ? "" : `, ${each.by_actions} by the actions alone`,
          each.reason ? `: ${each.reason}` : "",
        ),
      ),
    ),
    found.failures.length
      ? element(
          "ul",
          {},
          found.failures.map((each) =>
            element(
              "li",
              { class: "foreign" },
              `${each.code} ${each.title}${each.steps.length ? `, step ${each.steps.join(", ")}` : ""}: ${each.what}`,
            ),
          ),
        )
      : element("p", {}, "No failure points."),
    element("h2", {}, "Informed label"),
    choice("Outcome", "informed-outcome", label.informed_outcome, false, (value) => setInformed("informed_outcome", value)),
    choice("Process", "informed-process", label.informed_process, false, (value) => setInformed("informed_process", value)),
    element("label", { for: "informed-comment" }, "Comment on the findings"),
    element("textarea", {
      id: "informed-comment",
      oninput: (event) => {
        label.informed_comment = event.target.value;
        change("informed");
      },
    }),
  );
}

function setInformed(name, value) {
  current.label[name] = value;
  change("informed");
  draw();
}

function body(stage) {
  const label = current.label;
  const place = { stage, key: current.key, annotator: annotator() };
  if (stage === "blind") return { ...place, outcome: label.outcome, points: { ...label.points }, comment: label.comment };
  return { ...place, outcome: label.informed_outcome, process: label.informed_process, comment: label.informed_comment };
}

// The changes that the server has not confirmed, by label and stage: they survive a crash of the server and a reload.
const UNSAVED = `garabench-unsaved-${box.dataset.run}`;
const labelOf = (data) => JSON.stringify([data.key, data.annotator, data.stage]);

function unsaved() {
  try {
    return JSON.parse(localStorage.getItem(UNSAVED)) ?? {};
  } catch {
    return {};
  }
}

function keep(data) {
  localStorage.setItem(UNSAVED, JSON.stringify({ ...unsaved(), [labelOf(data)]: data }));
}

function forget(data) {
  const left = unsaved();
  if (JSON.stringify(left[labelOf(data)]) !== JSON.stringify(data)) return; // changed again meanwhile
  delete left[labelOf(data)];
  localStorage.setItem(UNSAVED, JSON.stringify(left));
}

// Send again what an earlier page could not save. What the server refuses for good, as a label that was closed
// meanwhile, stays stored for its owner to read.
async function resend() {
  for (const data of Object.values(unsaved())) {
    if (data.annotator !== annotator()) continue;
    try {
      await send("/api/label", data);
      forget(data);
    } catch (error) {
      note(`Not saved: ${error.message}`, true);
    }
  }
}

function change(stage) {
  pending = body(stage);
  keep(pending);
  note("Saving…");
  clearTimeout(waiting);
  waiting = setTimeout(flush, WAIT_MS);
}

function flush() {
  clearTimeout(waiting);
  if (pending !== null) {
    const data = pending;
    pending = null;
    running = running.then(async () => {
      sending = data;
      try {
        await send("/api/label", data);
        forget(data);
        sending = null;
        note("Saved.");
        await refresh();
      } catch (error) {
        sending = null;
        note(`Not saved: ${error.message}`, true);
        pending ??= data;
      }
    });
  }
  return running;
}

// A page that is closed or reloaded still delivers the last change.
addEventListener("pagehide", () => {
  const last = pending ?? sending;
  if (last === null) return;
  const token = document.querySelector('meta[name="garabench-token"]').content;
  fetch("/api/label", {
    method: "POST",
    keepalive: true,
    headers: { "Content-Type": "application/json", "X-GaraBench-Token": token },
    body: JSON.stringify(last),
  });
  pending = null;
});

function fillTexts() {
  const label = current?.label;
  if (!label) return;
  const blind = document.getElementById("comment");
  if (blind && document.activeElement !== blind) blind.value = label.comment;
  const informed = document.getElementById("informed-comment");
  if (informed && document.activeElement !== informed) informed.value = label.informed_comment;
}

new MutationObserver(fillTexts).observe(box, { childList: true });

function go(by) {
  const at = items.findIndex((each) => each.key === current?.key);
  const next = items[Math.min(items.length - 1, Math.max(0, at + by))];
  return next && next.key !== current?.key ? opened(next.key) : null;
}

function choose(number) {
  const value = CHOICES[number];
  if (!current.label.revealed) {
    current.label.outcome = value;
    change("blind");
    draw();
  } else setInformed("informed_outcome", value);
}

function judgeProcess(number) {
  if (current.label.revealed) setInformed("informed_process", CHOICES[number]);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const inField = event.target instanceof Element && event.target.closest("input, textarea") !== null;
  if (event.key === "Escape" && inField) return event.target.blur();
  if (inField || (current === null && waitingKeys === 0)) return;
  const keys = {
    1: () => choose(0),
    2: () => choose(1),
    3: () => choose(2),
    4: () => judgeProcess(0),
    5: () => judgeProcess(1),
    6: () => judgeProcess(2),
    r: reveal,
    ArrowLeft: () => show(shown - 1),
    ArrowRight: () => show(shown + 1),
    j: () => go(1),
    k: () => go(-1),
    p: () => document.getElementById("points-0")?.focus(),
    c: () => document.getElementById(current.label.revealed ? "informed-comment" : "comment")?.focus(),
  };
  const action = keys[event.key];
  if (!action) return;
  event.preventDefault();
  const loads = ["j", "k", "r"].includes(event.key);
  if (loads || waitingKeys > 0) later(() => (current === null ? null : action()));
  else action();
});

function begin() {
  return later(begun); // keys wait for the first episode of the new name
}

async function begun() {
  localStorage.setItem(NAME, annotator());
  await flush();
  current = null;
  if (!annotator()) return;
  await resend();
  await refresh();
  const wanted = decodeURIComponent(location.hash.slice(1));
  const first = items.find((each) => each.key === wanted) ?? items.find((each) => each.stage === "none") ?? items[0];
  if (first) await opened(first.key);
}

nameField.value = localStorage.getItem(NAME) ?? "";
nameField.addEventListener("change", () => {
  nameField.blur();
  begin();
});
if (annotator()) begin();
else nameField.focus();
