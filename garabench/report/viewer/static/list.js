// The list of episodes: filters and search in the address, shown in pieces, updated while runs go on.

import { element, replace } from "./dom.js";
import { bindKeys } from "./keys.js";
import { load } from "./request.js";
import { count, foreign, outcome, seconds } from "./texts.js";

const PIECE = 150;
const POLL_MS = 3000;
const FILTERS = [
  ["run", "Run", (row) => [row.run]],
  ["agent", "Agent", (row) => [row.agent]],
  ["condition", "Condition", (row) => [row.condition]],
  ["app", "App", (row) => [row.app]],
  ["outcome", "Outcome", (row) => [row.outcome]],
  ["reason", "Reason", (row) => [row.reason || "none"]],
  ["interruption", "Interruption", (row) => (row.interruptions?.length ? [...new Set(row.interruptions)] : ["none"])],
  ["exit", "Exit", (row) => (row.exits?.length ? [...new Set(row.exits)] : ["none"])],
  ["seed", "Seed", (row) => [String(row.seed)]],
];
const COLUMNS = [
  ["task", "Task", (row) => row.task],
  ["agent", "Agent", (row) => row.agent],
  ["condition", "Condition", (row) => row.condition],
  ["outcome", "Outcome", (row) => `${row.outcome} ${row.reason ?? ""}`],
  ["steps", "Steps", (row) => row.steps ?? -1, "number"],
  ["interruption", "Interruptions and exits", (row) => `${row.interruptions?.length ?? 0} ${row.interruptions?.join(" ") ?? ""}`],
  ["seconds", "Time", (row) => row.seconds ?? -1, "number"],
  ["tokens", "Tokens", (row) => row.tokens ?? -1, "number"],
];

const rows = new Map();
let tasks = {};
let version = -1;
let matching = [];
let shown = 0;
let selected = -1;
const form = document.getElementById("filters");
const table = document.getElementById("episodes");
const body = table.tBodies[0];

function state() {
  return new URLSearchParams(location.search);
}

function setState(change) {
  const next = state();
  for (const [name, value] of Object.entries(change)) {
    if (value) next.set(name, value);
    else next.delete(name);
  }
  const query = next.toString();
  history.replaceState(null, "", query ? `?${query}` : location.pathname);
}

function haystack(row) {
  row.text ??= [row.id, tasks[row.task] ?? "", row.fault, row.reason, ...(row.interruptions ?? []), ...(row.exits ?? [])]
    .join("\n")
    .toLowerCase();
  return row.text;
}

let ordered = null;
let several = null;

/** Whether episodes differ in a field, so that each has to state its own. */
function differ(name) {
  several ??= {};
  several[name] ??= new Set(inOrder().map((row) => row[name])).size > 1;
  return several[name];
}

function detail(row, name) {
  return differ(name) ? element("div", { class: "quiet detail" }, `${name} ${row[name]}`) : null;
}

/** All episodes in the order of their runs' plans. */
function inOrder() {
  ordered ??= [...rows.values()].sort((one, other) => one.place - other.place);
  return ordered;
}

function filtered(except = "") {
  const query = state();
  const words = (query.get("q") ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const wanted = FILTERS.filter(([name]) => name !== except && query.get(name)).map(([name, , values]) => [query.get(name), values]);
  return inOrder().filter(
    (row) => wanted.every(([value, values]) => values(row).includes(value)) && words.every((word) => haystack(row).includes(word)),
  );
}

function sorted(found) {
  const [name, direction] = (state().get("sort") ?? "").split(":");
  const column = COLUMNS.find(([key]) => key === name);
  if (!column) return found;
  const [, , value] = column;
  const sign = direction === "down" ? -1 : 1;
  return [...found].sort((one, other) => {
    const [a, b] = [value(one), value(other)];
    return sign * (typeof a === "number" ? a - b : a.localeCompare(b, "en"));
  });
}

function cells(row) {
  const exits = row.exits ?? [];
  const interruptions = (row.interruptions ?? []).map((name, place) => [
    place ? element("br") : null,
    element("span", {}, name),
    exits[place] ? element("span", { class: "quiet" }, ` → ${exits[place].replaceAll("_", " ")}`) : null,
  ]);
  const missed = (row.injected ?? 0) - (row.shown ?? 0);
  return [
    element("td", { "data-label": "Task" }, element("a", { href: `/episode/${row.id}` }, row.task), element("div", { class: "quiet instruction" }, foreign(tasks[row.task] ?? "", 120))),
    element("td", { "data-label": "Agent" }, row.agent, detail(row, "run")),
    element("td", { "data-label": "Condition" }, row.condition, detail(row, "seed")),
    element("td", { "data-label": "Outcome" }, outcome(row), row.fault ? element("div", { class: "quiet fault" }, foreign(row.fault, 160)) : null),
    element("td", { "data-label": "Steps", class: "number" }, row.steps === undefined ? "–" : `${row.steps}${row.solution ? ` / ${row.solution}` : ""}`),
    element("td", { "data-label": "Interruptions" }, interruptions.length ? interruptions : element("span", { class: "quiet" }, "none"), missed > 0 ? element("div", { class: "quiet" }, `${missed} not shown`) : null),
    element("td", { "data-label": "Time", class: "number" }, seconds(row.seconds)),
    element("td", { "data-label": "Tokens", class: "number" }, row.tokens?.toLocaleString("en") ?? "–"),
  ];
}

function showMore(number = PIECE) {
  const piece = matching.slice(shown, shown + number);
  body.append(...piece.map((row) => element("tr", { "data-id": row.id }, cells(row))));
  shown += piece.length;
  document.getElementById("more").hidden = shown >= matching.length;
}

function select(place, focus = true) {
  if (!matching.length) return;
  selected = Math.max(0, Math.min(place, matching.length - 1));
  if (selected >= shown) showMore(selected - shown + PIECE);
  body.querySelector("tr.selected")?.classList.remove("selected");
  const row = body.rows[selected];
  row.classList.add("selected");
  if (focus) row.querySelector("a").focus({ preventScroll: true });
  row.scrollIntoView({ block: "nearest" });
}

function showHead() {
  const [name, direction] = (state().get("sort") ?? "").split(":");
  const head = COLUMNS.map(([key, title, , kind]) => {
    const active = key === name;
    const next = active ? (direction === "down" ? "" : `${key}:down`) : `${key}:up`;
    const sort = active ? (direction === "down" ? "descending" : "ascending") : null;
    const button = element("button", { type: "button", class: "sort", onclick: () => { setState({ sort: next }); update(); table.querySelector(`th[data-column="${key}"] button`)?.focus(); } },
      title, active ? (direction === "down" ? " ▾" : " ▴") : "");
    return element("th", { scope: "col", class: kind ?? null, "aria-sort": sort, "data-column": key }, button);
  });
  replace(table.tHead, element("tr", {}, head));
}

function showChoices() {
  const query = state();
  const choices = FILTERS.map(([name, title, values]) => {
    const numbers = new Map();
    for (const row of filtered(name)) for (const value of values(row)) numbers.set(value, (numbers.get(value) ?? 0) + 1);
    const current = query.get(name) ?? "";
    if (current && !numbers.has(current)) numbers.set(current, 0);
    if (numbers.size < 2 && !current) return null;
    const options = [...numbers].sort(([a], [b]) => a.localeCompare(b, "en", { numeric: true }));
    return element(
      "label", {}, `${title} `,
      element("select", { name, onchange: (event) => { setState({ [name]: event.target.value }); update(); form.elements[name]?.focus(); } },
        element("option", { value: "" }, "all"),
        options.map(([value, number]) => element("option", { value, selected: value === current }, `${value} (${number})`))),
    );
  });
  replace(document.getElementById("choices"), choices);
}

function update({ keep = false } = {}) {
  const current = keep && selected >= 0 ? matching[selected]?.id : null;
  const before = keep ? shown : 0;
  matching = sorted(filtered());
  shown = 0;
  selected = -1;
  replace(body);
  showHead();
  showChoices();
  showMore(Math.max(PIECE, before));
  if (current !== null) {
    const place = matching.findIndex((row) => row.id === current);
    if (place >= 0) select(place, false);
  }
  const all = rows.size;
  const text = matching.length === all ? count(all, "episode") : `${matching.length.toLocaleString("en")} of ${count(all, "episode")}`;
  const empty = all ? "No episode matches the filters." : "No episode has begun yet.";
  document.getElementById("count").textContent = matching.length ? text : empty;
  document.getElementById("clear").disabled = ![...state().keys()].length;
}

function showRuns(data) {
  const notices = [
    ...data.problems.map(({ folder, reason }) => element("p", { class: "notice bad" }, foreign(`${folder}: ${reason}`, 2000))),
    ...data.runs.filter((run) => run.problem).map((run) => element("p", { class: "notice bad" }, foreign(`${run.name}: ${run.problem}`, 2000))),
  ];
  const kinds = new Set(data.runs.map((run) => run.kind));
  if (kinds.size > 1) notices.push(element("p", { class: "notice" }, "These runs are of virtual and of real devices. Their results must not be mixed."));
  const lines = data.runs.map((run) => {
    const done = ["success", "failure", "error", "unknown"].reduce((sum, name) => sum + (run.outcomes[name] ?? 0), 0);
    const parts = Object.entries(run.outcomes).map(([name, number]) => `${number.toLocaleString("en")} ${name}`);
    return element("li", {}, element("strong", {}, foreign(run.name)), " ", element("span", { class: "badge" }, run.kind), ` ${done.toLocaleString("en")} of ${count(run.planned, "episode")} ended`,
      parts.length ? `: ${parts.join(", ")}` : "", element("span", { class: "quiet" }, ` · GaraBench ${run.garabench} · suite ${run.suite}`));
  });
  replace(document.getElementById("runs"), notices, element("ul", { class: "runs" }, lines));
}

async function poll() {
  try {
    const data = await load(`/api/episodes?since=${version}`);
    const first = version < 0;
    version = data.version;
    tasks = { ...tasks, ...data.tasks };
    for (const row of data.rows) rows.set(row.id, row);
    if (data.rows.length) ordered = several = null;
    if (first || data.rows.length) {
      showRuns(data);
      update({ keep: !first });
    }
    const running = [...rows.values()].filter((row) => row.outcome === "running").length;
    document.getElementById("live").textContent = running ? `${count(running, "episode")} running` : "";
  } catch (error) {
    document.getElementById("live").textContent = `Not connected: ${error.message}`;
    if (version < 0) document.getElementById("count").textContent = `The list could not be loaded: ${error.message}`;
  }
}

function schedule() {
  setTimeout(async () => {
    if (!document.hidden) await poll();
    schedule();
  }, POLL_MS);
}

// On a narrow page the filters fill the screen, so they open on demand there.
const wide = matchMedia("(min-width: 52.01rem)");
const fitFilters = () => { document.getElementById("choice-box").open = wide.matches || FILTERS.some(([name]) => state().get(name)); };
wide.addEventListener("change", fitFilters);
fitFilters();

let typing = 0;
form.elements.q.value = state().get("q") ?? "";
form.elements.q.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => { setState({ q: form.elements.q.value }); update(); }, 120);
});
// Browsers empty a search field on Escape, some without an event; then the list is unfiltered too.
form.elements.q.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  clearTimeout(typing);
  form.elements.q.value = "";
  setState({ q: "" });
  update();
});
form.addEventListener("submit", (event) => { event.preventDefault(); select(0); });
document.getElementById("clear").addEventListener("click", () => {
  form.elements.q.value = "";
  history.replaceState(null, "", location.pathname);
  update();
});
document.getElementById("more").addEventListener("click", () => showMore());
new IntersectionObserver((entries) => { if (entries[0].isIntersecting && shown && shown < matching.length) showMore(); }, { rootMargin: "600px" })
  .observe(document.getElementById("more"));
window.addEventListener("popstate", () => { form.elements.q.value = state().get("q") ?? ""; update(); });

bindKeys([
  { keys: ["j", "ArrowDown"], words: "Next episode", run: () => select(selected + 1) },
  { keys: ["k", "ArrowUp"], words: "Previous episode", run: () => select(selected - 1) },
  { keys: ["Enter", "o"], words: "Open the selected episode", run: () => body.rows[selected]?.querySelector("a").click() },
  { keys: ["s"], words: "Open it side by side with its clean episode", run: openSide },
  { keys: ["/"], words: "Search", run: () => form.elements.q.focus() },
  { keys: ["x"], words: "Clear the filters", run: () => document.getElementById("clear").click() },
]);

function openSide() {
  const row = matching[selected];
  if (!row) return;
  const partner = [...rows.values()].find(
    (other) => other.run === row.run && other.task === row.task && other.agent === row.agent && other.seed === row.seed
      && (row.condition === "clean" ? other.condition !== "clean" : other.condition === "clean"),
  );
  if (!partner) return;
  const [left, right] = row.condition === "clean" ? [row, partner] : [partner, row];
  location.href = `/side?left=${encodeURIComponent(left.id)}&right=${encodeURIComponent(right.id)}`;
}

await poll();
if (location.hash === "#search") form.elements.q.focus();
schedule();
