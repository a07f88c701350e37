// The page of an episode: a film strip, the screen with its tree, and panels about the step.

import { element, replace } from "./dom.js";
import { bindKeys } from "./keys.js";
import { box, drawAction, loadLater, screen, sizeOf } from "./overlay.js";
import { conditionsPanel, effectsSection, exchangesPanel, timeline, logPanel, stepPanel, timesPanel } from "./panels.js";
import { load } from "./request.js";
import { actionWords, count, endOf, foreign, outcome, seconds, visible } from "./texts.js";
import { showTree, smallestAt } from "./tree.js";

const POLL_MS = 1000;
const STOPPED_POLL_MS = 10000; // a long decision looks like a stop
const root = document.getElementById("episode");
const address = root.dataset.address;
const TABS = [["step", "Step"], ["conditions", "Goal and rules"], ["prompt", "Prompt and reply"], ["times", "Times"], ["log", "Log"]];

let data = null;
let current = 0; // place among the frames
let tab = "step";
let nodes = [];
let treeView = null;
let drawing = null;
let marks = { hovered: -1, picked: -1, evidence: [] };
let loading = 0; // number of the newest request for a tree
let view = {};

const query = () => new URLSearchParams(location.search);
const encoded = () => `${address.split("/").map(encodeURIComponent).join("/")}/${data.attempt}`;
const stepOf = (frame) => data.steps.find((step) => step.step === frame.step);

/** Names of frames for links: "3", "3a" for an earlier one of the step, "end" for the final one. */
function frameName(frame) {
  if (frame.final) return "end";
  const own = data.frames.filter((each) => each.step === frame.step && !each.final);
  const place = own.indexOf(frame);
  return place === own.length - 1 ? `${frame.step}` : `${frame.step}${String.fromCharCode(97 + place)}`;
}

function acts(frame) {
  const own = data.frames.filter((each) => each.step === frame.step && !each.final);
  return own.at(-1) === frame ? stepOf(frame)?.action ?? null : null;
}

/** The interruption that was on screen in a frame, if any. */
function covering(frame) {
  return data.interruptions.find(({ moments }) => {
    const start = moments.find(({ kind }) => kind === "injected");
    const end = moments.findLast(({ kind }) => ["answered", "left"].includes(kind));
    const shown = moments.some(({ kind }) => kind === "shown");
    // The screen on which the rule fired was observed at the time of the injection.
    return shown && frame.t > start.t && (!end || frame.t < end.t);
  });
}

function heading() {
  const parts = data.partners.filter((row) => row.condition !== data.condition);
  const side = parts.map((row) => {
    const pair = row.condition === "clean" ? [row.id, address] : data.condition === "clean" ? [address, row.id] : [address, row.id];
    return element("a", { class: "button", href: `/side?left=${encodeURIComponent(pair[0])}&right=${encodeURIComponent(pair[1])}` }, `next to ${row.condition}`);
  });
  const attempts = data.attempts > 1
    ? element("span", {}, "Attempt ", Array.from({ length: data.attempts }, (_, place) => place + 1).map((number) =>
        number === data.attempt ? element("strong", {}, ` ${number} `) : element("a", { href: `?attempt=${number}` }, ` ${number} `)))
    : null;
  const ended = endOf(data);
  return [
    element("h1", {}, data.task),
    element("p", { class: "facts" },
      outcome(ended), " ", element("span", { class: "badge" }, data.condition), " ", element("span", { class: "badge" }, data.kind), " ",
      element("strong", {}, data.agent.name), element("span", { class: "quiet" }, ` ${data.agent.kind}, seed ${data.seed}, run ${data.run}`),
      ` · ${count(ended.steps ?? data.steps.length, "step")}`, data.solution_steps ? element("span", { class: "quiet" }, ` (reference ${data.solution_steps})`) : null,
      data.ended ? ` · ${seconds(ended.t)}` : null, " ", attempts),
    element("p", { class: "instruction" }, foreign(data.instruction, 800), data.infeasible ? element("span", { class: "badge error" }, "infeasible") : null),
    logNotice(),
    ended.answer ? element("p", {}, "Answer: ", foreign(ended.answer, 2000)) : null,
    data.faults.map((fault) => element("p", { class: "notice bad" }, `Fault of the ${fault.at_fault}: `, foreign(`${fault.error}: ${fault.message}`, 800))),
    side.length ? element("p", { class: "links" }, "Side by side: ", side.map((link) => [link, " "])) : null,
  ];
}

const running = () => !data.ended && data.state?.outcome === "running";
const mayGoOn = () => !data.ended && ["running", "stopped"].includes(data.state?.outcome) && data.attempt === data.attempts;

/** Why the log has no end, if the episode is not running. */
function logNotice() {
  if (data.ended || running()) return null;
  const text = data.state?.outcome === "stopped"
    ? "The episode stopped: its log has no end, and has had no write in the last minute."
    : "The log is truncated: it does not have the end of the episode. The outcome is that of the results.";
  return element("p", { class: "notice" }, text);
}

function strip() {
  return element("ol", { class: "strip", "aria-label": "Film strip" }, data.frames.map((frame, place) => {
    const action = acts(frame);
    const name = frameName(frame);
    const alt = frame.final ? "The screen at the end" : `Screen at step ${frame.step}`;
    const shot = screen(encoded(), frame, alt, { width: 160, lazy: place > 10, later: true });
    shot.drawing.append(...drawAction(action, sizeOf(frame)));
    const interruption = covering(frame);
    return element("li", { class: interruption ? "interrupted" : null },
      element("a", { href: `#${name === "end" ? "end" : `step-${name}`}`, "data-place": place },
        shot.element,
        element("span", { class: "step-name" }, frame.final ? "end" : `step ${name}`),
        element("span", { class: "step-action" }, frame.final ? "" : action ? visible(actionWords(action, stepOf(frame).target)) : name === String(frame.step) ? "no action" : "before the interruption"),
        interruption ? element("span", { class: "interruption-name" }, visible(interruption.interruption)) : null));
  }));
}

function draw() {
  const frame = data.frames[current];
  const focused = nodes.find((node) => node.flags?.includes("focused"));
  const rects = [];
  for (const place of marks.evidence) if (nodes[place]) rects.push(box(nodes[place].bounds, "evident"));
  if (nodes[marks.picked]) rects.push(box(nodes[marks.picked].bounds, "picked"));
  if (nodes[marks.hovered]) rects.push(box(nodes[marks.hovered].bounds, "hovered"));
  replace(drawing, rects, drawAction(acts(frame), sizeOf(frame), focused?.bounds ?? null));
}

function hover(place, fromScreen) {
  if (marks.hovered === place) return;
  marks.hovered = place;
  treeView?.hover(place, fromScreen);
  draw();
}

async function pick(place, fromScreen) {
  marks.picked = place;
  treeView?.pick(place, fromScreen);
  draw();
  const node = nodes[place];
  if (!node) { replace(view.picked); return; }
  const field = element("input", { readonly: true, value: "…", "aria-label": "Selector of the picked element", class: "mono" });
  const said = element("span", { role: "status", class: "quiet" });
  const copy = element("button", { type: "button", onclick: async () => {
    field.select();
    try { await navigator.clipboard.writeText(field.value); said.textContent = "copied"; }
    catch { said.textContent = "press Ctrl-C to copy"; }
  } }, "Copy");
  const facts = [["class", node.class], ["id", node.id], ["text", node.text], ["description", node.desc], ["hint", node.hint], ["bounds", `[${node.bounds.join(", ")}]`], ["states", node.flags?.join(", ")]];
  replace(view.picked,
    element("div", { class: "selector" }, field, copy, said),
    element("dl", { class: "pairs" }, facts.filter(([, value]) => value).map(([name, value]) => [element("dt", {}, name), element("dd", {}, foreign(value, 600))])));
  try {
    const found = await load(`/api/selector/${encoded()}/${data.frames[current].index}/${place}`);
    if (marks.picked === place) field.value = found.selector;
  } catch (error) {
    field.value = error.message;
  }
}

function shareTab(name) {
  tab = name;
  for (const button of view.tabs.children) {
    const chosen = button.dataset.tab === tab;
    button.setAttribute("aria-selected", String(chosen));
    button.tabIndex = chosen ? 0 : -1;
  }
  view.panel.setAttribute("aria-labelledby", `tab-${tab}`);
  showPanel();
}

async function showPanel() {
  const frame = data.frames[current];
  const step = stepOf(frame);
  const wanted = `${tab}/${current}`;
  view.wanted = wanted;
  const fill = (content) => { if (view.wanted === wanted) replace(view.panel, content); };
  const fetched = async (path, show) => {
    try { fill(show(await load(path))); }
    catch (error) { fill([element("p", { class: "notice bad" }, foreign(error.message, 2000))]); }
  };
  switch (tab) {
    case "step":
      return fill(stepPanel(data, step, frame));
    case "times":
      return fill(timesPanel(data, step.step, () => {}));
    case "log":
      return fill(logPanel(step));
    case "conditions": {
      const place = current;
      return fetched(`/api/conditions/${encoded()}/${frame.index}`, (found) => conditionsPanel(data, step, found, showEvidence, data.frames.map(frameName), place));
    }
    default:
      if (!step.exchanges) return fill([element("p", { class: "quiet" }, ["model", "unknown"].includes(data.agent.kind) ? "No prompt was recorded at this step." : `The ${data.agent.kind} agent ${data.agent.name} has no prompts.`)]);
      return fetched(`/api/exchanges/${encoded()}/${step.step}`, (found) => exchangesPanel(data, found));
  }
}

function showEvidence(places) {
  marks.evidence = places;
  treeView?.mark(places);
  draw();
}

async function showTreeOf(frame) {
  const number = (loading += 1);
  nodes = [];
  treeView = null;
  let found = { problem: "The tree is missing.", nodes: [] };
  if (frame.tree) {
    try { found = await load(`/api/tree/${encoded()}/${frame.index}`); }
    catch (error) { found = { problem: error.message, nodes: [] }; }
  }
  if (number !== loading) return;
  nodes = found.nodes;
  if (found.problem) replace(view.tree, element("p", { class: "notice" }, foreign(found.problem, 2000)));
  else treeView = showTree(view.tree, nodes, { onHover: (place) => hover(place, false), onPick: (place) => pick(place, false) });
  draw();
}

function show(place, { address: writes = true, focus = false } = {}) {
  current = Math.max(0, Math.min(place, data.frames.length - 1));
  const frame = data.frames[current];
  marks = { hovered: -1, picked: -1, evidence: [] };
  const name = frameName(frame);
  const alt = `${frame.final ? "The screen at the end" : `Screen at step ${frame.step}`}, ${frame.package}`;
  const shot = screen(encoded(), frame, visible(alt));
  drawing = shot.drawing;
  const [width, height] = sizeOf(frame);
  const at = (event) => {
    const area = shot.element.getBoundingClientRect();
    return smallestAt(nodes, ((event.clientX - area.left) / area.width) * width, ((event.clientY - area.top) / area.height) * height);
  };
  shot.element.addEventListener("mousemove", (event) => hover(at(event), true));
  shot.element.addEventListener("mouseleave", () => hover(-1, true));
  shot.element.addEventListener("click", (event) => pick(at(event), true));
  // The film strip's pictures wait, so that they do not delay this one.
  const picture = shot.element.querySelector("img");
  for (const name of ["load", "error"]) picture?.addEventListener(name, () => loadLater(view.strip));
  if (!picture) loadLater(view.strip);
  replace(view.screen, shot.element);
  replace(view.missing);
  replace(view.picked, element("p", { class: "quiet" }, "Pick an element in the tree or on the screen to get its selector."));
  replace(view.where, element("strong", {}, frame.final ? "End" : `Step ${name}`), ` of ${data.steps.at(-1).step}`);
  for (const link of view.strip.querySelectorAll("a")) {
    const chosen = Number(link.dataset.place) === current;
    if (chosen) link.setAttribute("aria-current", "step");
    else link.removeAttribute("aria-current");
    if (chosen) {
      const item = link.parentElement;
      const strip = view.strip;
      if (item.offsetLeft < strip.scrollLeft || item.offsetLeft + item.offsetWidth > strip.scrollLeft + strip.clientWidth) {
        strip.scrollLeft = item.offsetLeft - strip.clientWidth / 2 + item.offsetWidth / 2;
      }
      if (focus) link.focus({ preventScroll: true });
    }
  }
  if (writes) history.replaceState(null, "", `${location.search}#${name === "end" ? "end" : `step-${name}`}`);
  draw();
  showTreeOf(frame);
  showPanel();
}

function placeFromAddress() {
  const name = location.hash.slice(1).replace(/^step-/, "");
  return data.frames.findIndex((frame) => frameName(frame) === name);
}

/** Say that the address names a step that the episode does not have. */
function sayIfMissing() {
  if (!location.hash || placeFromAddress() >= 0) return;
  const name = location.hash.slice(1).replace(/^step-/, "");
  replace(view.missing, element("p", { class: "notice" }, "There is no step ", foreign(name, 60), `. The last step is ${data.steps.at(-1).step}.`));
}

/** Move by steps: to the frame that the agent saw. */
function move(by) {
  const frame = data.frames[current];
  const mains = data.frames.map((each, place) => [each, place]).filter(([each]) => /^(\d+|end)$/.test(frameName(each))).map(([, place]) => place);
  const at = mains.findIndex((place) => place >= current);
  const exact = mains[at] === current;
  const next = by > 0 ? (exact ? at + 1 : at) : at - 1;
  if (frame && mains[next] !== undefined) show(mains[next]);
}

function build() {
  if (data.problem) {
    replace(root, element("h1", {}, address), element("p", { class: "notice bad" }, "This episode cannot be read: ", foreign(data.problem, 4000)));
    return false;
  }
  view = {
    heading: element("div"),
    strip: strip(),
    missing: element("div", { role: "status" }),
    where: element("span", { role: "status" }),
    screen: element("div", { class: "stage" }),
    tree: element("div", { class: "tree-box" }),
    picked: element("div", { class: "picked-box" }),
    tabs: element("div", { class: "tabs", role: "tablist", "aria-label": "About the step" }, TABS.map(([name, title]) =>
      element("button", { type: "button", role: "tab", id: `tab-${name}`, "data-tab": name, "aria-controls": "panel", onclick: () => shareTab(name) }, title))),
    panel: element("div", { class: "panel", role: "tabpanel", id: "panel", tabindex: "0" }),
    sections: element("div", { id: "sections" }),
    timelines: element("div"),
  };
  view.tabs.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const place = (TABS.findIndex(([name]) => name === tab) + step + TABS.length) % TABS.length;
    shareTab(TABS[place][0]);
    view.tabs.children[place].focus();
  });
  view.strip.addEventListener("click", (event) => {
    const link = event.target.closest("a");
    if (link) { event.preventDefault(); show(Number(link.dataset.place)); }
  });
  replace(view.heading, heading());
  const timelines = data.interruptions.length ? [element("h2", {}, "Interruptions"), element("div", { class: "timelines" }, data.interruptions.map(timeline))] : [];
  const logs = data.logs.length ? element("details", { id: "logs", ontoggle: showLogs }, element("summary", {}, `Logs: ${data.logs.join(", ")}`), element("div")) : null;
  replace(root, view.heading);
  if (!data.frames.length) {
    root.append(element("p", { class: "notice" }, running() ? "No screen has been observed yet." : "The episode ended before any screen was observed."));
    if (data.steps.length) root.append(...[element("h2", {}, "Log"), ...data.steps.map((step) => logPanel(step)).flat()]);
    if (logs) root.append(logs);
    return false;
  }
  root.append(
    view.missing,
    view.strip,
    element("div", { class: "workspace" },
      element("section", { class: "screen-column", "aria-label": "Screen" },
        element("div", { class: "mover" },
          element("button", { type: "button", onclick: () => move(-1), "aria-label": "Previous step" }, "‹"),
          view.where,
          element("button", { type: "button", onclick: () => move(1), "aria-label": "Next step" }, "›")),
        view.screen),
      element("section", { class: "tree-column", "aria-label": "Elements" }, element("h2", {}, "Elements"), view.picked, view.tree),
      element("section", { class: "panel-column", "aria-label": "About the step" }, view.tabs, view.panel)),
    ...timelines,
    ...[effectsSection(data), logs].filter(Boolean),
    view.sections,
  );
  return true;
}

async function showLogs(event) {
  const target = event.target.querySelector("div");
  if (!event.target.open || target.childElementCount) return;
  const found = await load(`/api/logs/${encoded()}`);
  replace(target, Object.entries(found).map(([name, text]) => [element("h3", {}, `${name}.log`), element("pre", { class: "code-block", tabindex: "0" }, visible(text))]));
}

/** Sections of analyses, rendered by the server. A document that is loaded as such needs no parsing of texts. */
function showSections() {
  const request = new XMLHttpRequest();
  request.open("GET", `/sections/${address.split("/").map(encodeURIComponent).join("/")}`);
  request.responseType = "document";
  request.addEventListener("load", () => {
    const main = request.status === 200 ? request.response?.querySelector("main") : null;
    if (main) replace(view.sections, ...[...main.children].map((child) => document.importNode(child, true)));
  });
  request.send();
}

async function fetchEpisode(known) {
  const attempt = query().get("attempt");
  const params = new URLSearchParams({ ...(attempt ? { attempt } : {}), ...(known === undefined ? {} : { events: known }) });
  return load(`/api/episode/${address.split("/").map(encodeURIComponent).join("/")}?${params}`);
}

function followLater() {
  setTimeout(follow, running() ? POLL_MS : STOPPED_POLL_MS);
}

async function follow() {
  const live = document.getElementById("live");
  try {
    if (!document.hidden) {
      const next = await fetchEpisode(data.events);
      if (next.unchanged) {
        const changed = data.state?.outcome !== next.state?.outcome;
        data.state = next.state;
        if (changed && view.heading) replace(view.heading, heading());
      } else {
        const atEnd = current >= (data.frames?.length ?? 0) - 1;
        const before = current;
        data = next;
        if (build()) {
          shareTab(tab);
          show(atEnd ? data.frames.length - 1 : before, { address: !atEnd || location.hash !== "" });
        }
      }
    }
    live.textContent = running() ? "Live" : "";
  } catch (error) {
    live.textContent = `Not connected: ${error.message}`;
  }
  if (data.problem) return;
  if (mayGoOn()) followLater();
  else showSections();
}

bindKeys([
  { keys: ["j", "ArrowRight"], words: "Next step", run: () => data?.frames?.length && move(1) },
  { keys: ["k", "ArrowLeft"], words: "Previous step", run: () => data?.frames?.length && move(-1) },
  { keys: ["g"], words: "First step", run: () => data?.frames?.length && show(0) },
  { keys: ["G"], words: "Last step", run: () => data?.frames?.length && show(data.frames.length - 1) },
  ...TABS.map(([name, title], place) => ({ keys: [String(place + 1)], words: title, run: () => view.tabs && shareTab(name) })),
  { keys: ["s"], words: "Side by side", run: () => root.querySelector(".links a")?.click() },
  { keys: ["/"], words: "Search in the list of episodes", run: () => { location.href = "/#search"; } },
]);

try {
  data = await fetchEpisode();
  if (build()) {
    const place = placeFromAddress();
    shareTab(tab);
    show(Math.max(0, place), { address: false });
    sayIfMissing();
    window.addEventListener("hashchange", () => {
      if (placeFromAddress() >= 0) show(placeFromAddress(), { address: false });
      else sayIfMissing();
    });
  }
  if (!data.problem) {
    if (!running()) showSections();
    if (mayGoOn()) { document.getElementById("live").textContent = running() ? "Live" : ""; followLater(); }
  }
} catch (error) {
  replace(root, element("h1", {}, address), element("p", { class: "notice bad" }, foreign(error.message, 2000)));
}
