/* The page of trajectory graphs. Texts are always text: nothing that a device or an agent wrote becomes markup. */
(() => {
  "use strict";

  const DATA = JSON.parse(document.getElementById("graph-data").textContent);
  const OPTIONS = DATA.options;
  const { wilson, compute, compare, states, condition, summarize, limits } = graphModel;
  graphModel.configure(OPTIONS);
  const START = "start", SUCCESS = "success", FAIL = "fail";
  const WIDTH = 168, HEIGHT = 76;  // of a node
  const ALONG = 204, ACROSS = 104;  // distances of steps and of nodes of one step, from left to right
  const DOWN = 104, ASIDE = 184;  // the same from top to bottom
  const LEAST_ZOOM = 0.72;  // labels stay legible; more is reached by dragging
  const MOST_ROWS = 200;
  const KINDS = ["trap", "bottleneck", "critical", "normal"];
  const byId = (id) => document.getElementById(id);

  function element(tag, attributes, ...children) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes || {})) {
      if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
      else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value === true ? "" : String(value));
    }
    node.append(...children.flat().filter((child) => child !== null && child !== undefined));
    return node;
  }

  // Colours, from the style sheet: the library cannot read its variables.
  function colourOf(name) {
    const probe = element("span");
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    const value = getComputedStyle(probe).color;
    probe.remove();
    return value;
  }

  const number = (value, digits = 2) => {
    if (value === null || value === undefined) return "–";
    const text = value.toFixed(digits);
    return Number(text) === 0 ? text.replace("-", "") : text;
  };
  // Lines break within identifiers, after any ideograph, and in any word that is too long for a node.
  const breakable = (text) => text.replace(/[-_/+[.,·]|[\u2e80-\ud7ff]/g, "$&\u200b").replace(/([a-z])([A-Z])/g, "$1\u200b$2").replace(/[^\s\u200b]{16}(?=[^\s\u200b])/g, "$&\u200b");
  const percent = (part, whole) => (whole ? `${Math.round((100 * part) / whole)}%` : "–");
  const counted = (count, one, many) => `${count} ${count === 1 ? one : many}`;
  // A long identifier loses its middle, so that both its beginning and the text in its brackets stay.
  const ellipsized = (text, limit) => {
    const marks = [...text], rest = limit - 1;
    return marks.length <= limit ? text : `${marks.slice(0, Math.ceil(rest / 2)).join("")}…${marks.slice(marks.length - Math.floor(rest / 2)).join("")}`;
  };
  // The argument, after the first " · ", tells actions on one element apart, so the element is shortened first.
  function short(text, limit) {
    if ([...text].length <= limit) return text;
    const at = text.indexOf(" · ");
    if (at < 0) return ellipsized(text, limit);
    const named = text.slice(0, at), argument = ellipsized(text.slice(at + 3), limit - 3 - Math.min([...named].length, 15));
    return `${ellipsized(named, limit - 3 - [...argument].length)} · ${argument}`;
  }

  // Columns are steps, without empty ones; where conditions are side by side, steps go down instead. The most visited
  // node of each step is in the middle: the backbone, which is the clean graph's where there is one.
  function layout(graph, mode, vertical) {
    const lanes = new Map();
    if (mode === "before") {
      const rows = new Map(graph.chosen.map((index, row) => [String(index), row]));
      for (const node of graph.nodes.values()) {
        const [trajectory, step] = node.key.split(".");
        lanes.set(node.key, { lane: rows.get(trajectory), column: Number(step) });
      }
      return placed(lanes, vertical);
    }
    const columns = new Map();
    for (const node of graph.nodes.values()) {
      const column = Math.round(node.mean);
      if (!columns.has(column)) columns.set(column, []);
      columns.get(column).push(node);
    }
    const before = new Map();
    for (const edge of graph.edges.values()) {
      if (edge.source === edge.target) continue;
      if (!before.has(edge.target)) before.set(edge.target, []);
      before.get(edge.target).push([edge.source, edge.count]);
    }
    [...columns.keys()].sort((a, b) => a - b).forEach((key, column) => {
      const pull = (node) => {
        let sum = 0, weight = 0;
        for (const [source, count] of before.get(node.key) || []) {
          if (lanes.has(source)) {
            sum += lanes.get(source).lane * count;
            weight += count;
          }
        }
        return weight ? sum / weight : 0;
      };
      const isClean = (node) => (cleanKeys.nodes.has(node.key) ? 1 : 0);
      const [first, ...others] = columns.get(key).sort((a, b) => isClean(b) - isClean(a) || b.visits - a.visits || (a.key < b.key ? -1 : 1));
      lanes.set(first.key, { lane: 0, column });
      const pulls = new Map(others.map((node) => [node, pull(node)]));
      others.sort((a, b) => isClean(b) - isClean(a) || Math.abs(pulls.get(a)) - Math.abs(pulls.get(b)));
      let above = 0, below = 0;
      for (const node of others) {
        const up = pulls.get(node) === 0 ? above <= below : pulls.get(node) < 0 ? above <= below + 1 : above < below - 1;
        if (up) above += 1;
        else below += 1;
        lanes.set(node.key, { lane: up ? -above : below, column });
      }
    });
    return placed(lanes, vertical);
  }

  function placed(lanes, vertical) {
    const last = [...lanes.values()].reduce((most, place) => Math.max(most, place.column), -1);
    lanes.set(START, { lane: 0, column: -1 });
    lanes.set(SUCCESS, { lane: -0.6, column: last + 1 });
    lanes.set(FAIL, { lane: 0.6, column: last + 1 });
    for (const place of lanes.values()) {
      place.x = vertical ? place.lane * ASIDE : place.column * ALONG;
      place.y = vertical ? place.column * DOWN : place.lane * ACROSS;
    }
    return lanes;
  }

  let COLOURS = {};
  function readColours() {
    COLOURS = {
      text: colourOf("--text"), bg: colourOf("--bg"), line: colourOf("--line"), quiet: colourOf("--quiet"),
      panel: colourOf("--panel"), accent: colourOf("--accent"), mark: colourOf("--mark"),
      trap: colourOf("--series-2"), bottleneck: colourOf("--series-5"), critical: colourOf("--series-3"), normal: colourOf("--quiet"),
      good: colourOf("--series-1"), bad: colourOf("--series-2"), warn: colourOf("--warn"),
    };
  }

  function mix(from, to, share) {
    const parse = (colour) => colour.match(/[\d.]+/g).slice(0, 3).map(Number);
    const a = parse(from), b = parse(to);
    return `rgb(${a.map((value, index) => Math.round(value + (b[index] - value) * share)).join(",")})`;
  }

  // Blue for good and orange for bad, which people with any colour vision can tell apart; the label has the number.
  function shade(value) {
    return mix(COLOURS.bg, value >= 0 ? COLOURS.good : COLOURS.bad, Math.min(1, Math.abs(value)) * 0.6);
  }

  const cleanKeys = { nodes: new Set(), edges: new Set() };

  function nodeColour(node, scheme) {
    if (scheme === "success") return shade((2 * node.won) / node.trajectories.size - 1);
    if (scheme === "detour") return cleanKeys.nodes.has(node.key) ? shade(0.5) : shade(-0.7);
    return shade(node.value);
  }

  const state = { task: 0, mode: "merged", theta: OPTIONS.theta, colour: "value", outcome: "all", agents: new Set(), conditions: new Set(), view: "beside", trajectory: -1, selected: null };
  let panes = [];
  let current = null, compared = null, summary = null;

  const task = () => DATA.tasks[state.task];

  // A third line says where paths return to the clean graph, and where trajectories end.
  function nodeLabel(node, graph, returns) {
    const [successes, failures] = graph.ends.get(node.key) || [0, 0];
    const marks = [returns.get(node.key) ? `↩ ${returns.get(node.key)}` : "", successes ? `✓ ${successes}` : "", failures ? `✗ ${failures}` : ""].filter(Boolean);
    return [breakable(short(node.action.label, marks.length ? 28 : 34)), `${node.visits}× · V ${number(node.value)}`, ...(marks.length ? [marks.join("  ")] : [])].join("\n");
  }

  // An edge that would run through other nodes is bent: one that skips steps, goes back, or stays in its step.
  function bend(places, source, target) {
    const from = places.get(source), to = places.get(target);
    const span = to.column - from.column, lanes = Math.abs(to.lane - from.lane);
    if (source === target || span === 1) return 0;
    if (span === 0) return lanes > 1.5 ? 110 : 0;
    if (lanes > Math.abs(span)) return 0;
    return (span > 0 ? -1 : -1.4) * (34 + 17 * Math.abs(span));
  }

  function edgeElement(places, id, source, target, count, classes) {
    const bent = bend(places, source, target);
    return {
      data: { id, source, target, width: 1 + Math.log2(1 + count), label: count > 1 && !classes.includes("sink") ? String(count) : "", bend: bent },
      classes: bent ? `${classes} bent` : classes,
    };
  }

  function elementsOf(graph, places, ghost) {
    const made = [];
    const own = new Set(graph.chosen), returns = new Map();
    if (state.mode === "merged") {
      for (const each of compared.detours) if (own.has(each.index) && each.returned !== null) returns.set(String(each.returned), (returns.get(String(each.returned)) || 0) + 1);
    }
    for (const node of graph.nodes.values()) {
      made.push({
        data: { id: node.key, label: nodeLabel(node, graph, returns), colour: nodeColour(node, state.colour) },
        position: { x: places.get(node.key).x, y: places.get(node.key).y },
        classes: node.action.kind === "interruption" ? "arrival" : cleanKeys.nodes.has(node.key) || !cleanKeys.nodes.size ? (returns.has(node.key) ? "back" : "") : "detour",
      });
    }
    const at = (key) => ({ x: places.get(key).x, y: places.get(key).y });
    made.push({ data: { id: START, label: `Start\n${graph.chosen.length}`, colour: COLOURS.panel }, position: at(START), classes: "end" });
    const wins = graph.chosen.filter((index) => task().trajectories[index].success).length;
    made.push({ data: { id: SUCCESS, label: `Success\n${wins}`, colour: shade(1) }, position: at(SUCCESS), classes: "end" });
    made.push({ data: { id: FAIL, label: `Failure\n${graph.chosen.length - wins}`, colour: shade(-1) }, position: at(FAIL), classes: "end" });
    for (const edge of graph.edges.values()) {
      const detour = cleanKeys.nodes.size && !cleanKeys.edges.has(edge.key);
      made.push(edgeElement(places, `e${edge.key}`, edge.source, edge.target, edge.count, `${edge.kind}${detour ? " off" : ""}`));
    }
    for (const [key, count] of graph.starts) made.push(edgeElement(places, `s${key}`, START, key, count, "normal sink"));
    for (const [key, [successes, failures]] of graph.ends) {
      if (successes) made.push(edgeElement(places, `w${key}`, key, SUCCESS, successes, "won sink"));
      if (failures) made.push(edgeElement(places, `f${key}`, key, FAIL, failures, "failed sink"));
    }
    // What the clean graph has and this one lacks.
    for (const node of ghost ? ghost.nodes.values() : []) {
      if (!graph.nodes.has(node.key)) made.push({ data: { id: node.key, label: breakable(short(node.action.label, 34)), colour: COLOURS.bg }, position: at(node.key), classes: "ghost" });
    }
    for (const edge of ghost ? ghost.edges.values() : []) {
      if (!graph.edges.has(edge.key)) made.push(edgeElement(places, `e${edge.key}`, edge.source, edge.target, 1, "normal ghost"));
    }
    return made;
  }

  function styleSheet() {
    const edge = (name) => ({ selector: `edge.${name}`, style: { "line-color": COLOURS[name], "target-arrow-color": COLOURS[name] } });
    return [
      { selector: "node", style: { label: "data(label)", "text-wrap": "wrap", "text-max-width": WIDTH - 20, "font-size": 15, "font-family": getComputedStyle(document.body).fontFamily, "text-valign": "center", "text-halign": "center", color: COLOURS.text, shape: "round-rectangle", width: WIDTH, height: HEIGHT, "background-color": "data(colour)", "border-width": 1, "border-color": COLOURS.quiet, "min-zoomed-font-size": 6 } },
      { selector: "node.detour", style: { "border-style": "dashed", "border-width": 2, "border-color": COLOURS.warn } },
      { selector: "node.back", style: { "border-style": "double", "border-width": 5, "border-color": COLOURS.critical } },
      { selector: "node.arrival", style: { shape: "cut-rectangle", "border-width": 3, "border-color": COLOURS.warn } },
      { selector: "node.end", style: { shape: "ellipse", width: 104, height: 64, "font-weight": "bold" } },
      { selector: "edge", style: { width: "data(width)", "curve-style": "bezier", "control-point-step-size": 70, "loop-direction": "-45deg", "loop-sweep": "40deg", "target-arrow-shape": "triangle", "arrow-scale": 0.9, label: "data(label)", "font-size": 13, color: COLOURS.text, "text-background-color": COLOURS.bg, "text-background-opacity": 0.8, "min-zoomed-font-size": 7, opacity: 0.85 } },
      ...KINDS.map(edge),
      { selector: "edge.bent", style: { "curve-style": "unbundled-bezier", "control-point-distances": "data(bend)", "control-point-weights": 0.5 } },
      { selector: "edge.sink", style: { opacity: 0.35 } },
      { selector: "edge.won", style: { "line-color": COLOURS.good, "target-arrow-color": COLOURS.good } },
      { selector: "edge.failed", style: { "line-color": COLOURS.bad, "target-arrow-color": COLOURS.bad } },
      { selector: "edge.off", style: { "line-style": "dashed" } },
      { selector: ".ghost", style: { opacity: 0.35, "border-style": "dotted", "line-style": "dotted", label: "data(label)" } },
      { selector: ".dim", style: { opacity: 0.12 } },
      { selector: "node.on", style: { "border-width": 4, "border-color": COLOURS.mark, opacity: 1 } },
      { selector: "edge.on", style: { "line-color": COLOURS.mark, "target-arrow-color": COLOURS.mark, opacity: 1 } },
      { selector: ":selected", style: { "border-width": 5, "border-color": COLOURS.accent } },
      { selector: "edge:selected", style: { "line-color": COLOURS.accent, "target-arrow-color": COLOURS.accent, opacity: 1 } },
    ];
  }

  // Show one graph, or one of each condition; the panes of the same layout show the same part.
  function show(made) {
    for (const pane of panes) pane.cy.destroy();
    byId("panes").className = `panes ${made.length > 1 ? state.view : "one"}`;
    byId("panes").style.setProperty("--panes", made.length);
    panes = made.map((each) => ({ ...each, canvas: element("div", { class: "canvas", role: "img", "aria-label": `Trajectory graph: ${each.title}; the tables below have the same data` }) }));
    byId("panes").replaceChildren(...panes.map((pane) => element("figure", { class: "pane" }, element("figcaption", {}, element("strong", {}, pane.title), " ", element("span", { class: "quiet" }, pane.note)), pane.canvas)));
    for (const pane of panes) {
      const big = pane.graph.nodes.size > 400;
      const cy = cytoscape({
        container: pane.canvas, elements: elementsOf(pane.graph, pane.places, pane.ghost), style: styleSheet(), layout: { name: "preset" },
        minZoom: 0.02, maxZoom: 3, textureOnViewport: big, hideEdgesOnViewport: big, pixelRatio: big ? 1 : "auto",
      });
      pane.cy = cy;
      cy.on("mouseover", "node", (event) => showTip(event, pane.graph));
      cy.on("mouseout", "node", () => { byId("tip").hidden = true; });
      cy.on("tap", "node, edge", (event) => select(event.target.id(), pane));
    }
    open();
    for (const pane of panes) {
      pane.cy.on("viewport", () => {
        byId("tip").hidden = true;
        follow(pane);
      });
    }
  }

  let following = false;
  function follow(moved) {
    if (following || state.mode === "before") return;
    following = true;
    for (const pane of panes) if (pane !== moved) pane.cy.viewport({ zoom: moved.cy.zoom(), pan: { ...moved.cy.pan() } });
    following = false;
  }

  // All panes begin at the start, at one scale with legible labels.
  function open() {
    const scales = panes.map(({ cy, vertical }) => {
      const box = cy.elements().not(".ghost").boundingBox(), wide = (cy.width() - 24) / box.w, high = (cy.height() - 24) / box.h;
      const whole = Math.min(wide, high), across = vertical ? wide : high;
      return Math.min(1, Math.max(LEAST_ZOOM, whole < LEAST_ZOOM ? Math.min(across, 0.85) : whole));
    });
    const zoom = Math.min(...scales);
    for (const { cy, vertical } of panes) {
      const start = cy.getElementById(START).position();
      cy.viewport({ zoom, pan: vertical ? { x: cy.width() / 2 - start.x * zoom, y: 44 - start.y * zoom } : { x: 66 - start.x * zoom, y: cy.height() / 2 - start.y * zoom } });
    }
  }

  function picture(node) {
    const source = node.action.picture === null ? null : DATA.pictures[node.action.picture];
    return source ? element("img", { src: source, alt: `Screen before: ${node.action.label}`, width: DATA.width }) : null;
  }

  function showTip(event, graph) {
    const node = graph.nodes.get(event.target.id());
    if (!node) return;
    const tip = byId("tip"), at = event.renderedPosition, box = event.cy.container().getBoundingClientRect(), image = picture(node);
    tip.replaceChildren(element("strong", {}, node.action.label), element("div", { class: "quiet" }, node.action.place), element("div", {}, `${counted(node.visits, "visit", "visits")}, ${percent(node.won, node.trajectories.size)} success, value ${number(node.value)}`), image || "");
    tip.hidden = false;
    const x = box.left + at.x + 18, y = box.top + at.y + 12;
    const place = () => {
      tip.style.left = `${Math.max(4, Math.min(x, innerWidth - tip.offsetWidth - 8))}px`;
      tip.style.top = `${Math.max(4, Math.min(y, innerHeight - tip.offsetHeight - 8))}px`;
    };
    if (image) image.addEventListener("load", place);  // before, it has no height
    place();
  }

  const entry = (name, value) => [element("dt", {}, name), element("dd", {}, value)];

  // What an interruption cost here, and the success through each of its exits.
  function exitsOf(node) {
    if (node.action.kind !== "interruption") return [];
    const own = states(task(), summary.detours.filter((each) => String(each.arrival) === String(compared.set[node.members[0]])), compared);
    return own.flatMap((row) => entry(`${row.mode} over ${row.place || "an unknown screen"}`, element("ul", {},
      ...row.exits.map((each) => element("li", {}, `exit ${each.name}: ${each.successes} of ${each.trials} succeeded (${percent(each.successes, each.trials)})`)),
      element("li", {}, `back on the clean graph ${row.returned.successes} of ${row.returned.trials} times, after ${number(row.depth, 1)} actions; lost pairs ${row.lost} of ${row.pairs}`))));
  }

  function describe(id, graph) {
    const details = byId("details");
    const node = graph.nodes.get(id), edge = graph.edges.get(id.slice(1));
    if (node) {
      const members = node.members.length > 1 ? entry("Wordings", element("ul", {}, node.members.map((index) => element("li", {}, task().actions[index].label)))) : [];
      details.replaceChildren(
        picture(node) || "",
        element("h2", {}, node.action.label),
        element("dl", {}, exitsOf(node), entry("Place", node.action.place || "–"), entry("Visits", String(node.visits)), entry("Trajectories", `${node.trajectories.size}, ${percent(node.won, node.trajectories.size)} success`), entry("Value", number(node.value, 4)), entry("Importance", number(node.importance, 4)), entry("Mean step", number(node.mean + 1, 1)), entry("Steps", [...node.histogram].sort((a, b) => a[0] - b[0]).map(([step, count]) => `${step + 1}: ${count}×`).join(", ")), entry("Ends here", `${(graph.ends.get(node.key) || [0, 0])[0]} successes, ${(graph.ends.get(node.key) || [0, 0])[1]} failures`), entry("Unnecessary", `${node.unneeded} of ${node.labelled}`), entry("Conditions", [...node.conditions].map(([name, count]) => `${name || "unknown"} ${count}`).join(", ")), members),
        picture(node) ? "" : element("p", { class: "quiet" }, "No screenshot."),
      );
    } else if (edge) {
      const [low, high] = wilson(edge.won, edge.trajectories.size);
      details.replaceChildren(
        element("h2", {}, `${edge.kind} edge`),
        element("dl", {}, entry("From", graph.nodes.get(edge.source).action.label), entry("To", graph.nodes.get(edge.target).action.label), entry("Traversals", `${edge.count}, success ratio ${number(edge.ratio)}`), entry("Frequency", number(edge.weight, 4)), entry("Trajectories", `${edge.trajectories.size}, of which ${edge.won} succeeded [${number(low)}–${number(high)}]`), entry("Conditions", [...edge.conditions].map((name) => name || "unknown").join(", "))),
      );
    } else details.replaceChildren(element("p", { class: "quiet" }, "Select a node or an edge, in the graph or in a table."));
  }

  function select(id, pane) {
    state.selected = id;
    describe(id, pane.graph.nodes.has(id) || pane.graph.edges.has(id.slice(1)) ? pane.graph : current);
    for (const each of panes) {
      each.cy.elements().unselect();
      each.cy.getElementById(id).select();
    }
  }

  function jump(id) {
    const pane = panes.find((each) => each.graph.nodes.has(id)) || panes[0];
    select(id, { graph: current });
    const found = pane.cy.getElementById(id);
    if (found.length) pane.cy.animate({ center: { eles: found }, zoom: Math.max(pane.cy.zoom(), LEAST_ZOOM) }, { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 250 });
  }

  function highlight() {
    const index = state.trajectory;
    const one = index >= 0 ? task().trajectories[index] : null;
    for (const view of panes) {
      view.cy.elements().removeClass("dim on");
      if (!one || !view.graph.chosen.includes(index)) continue;
      const { set } = compared;
      const path = one.steps.map((action, step) => (state.mode === "before" ? `${index}.${step}` : state.mode === "step" ? `${step}:${set[action]}` : `${set[action]}`));
      view.cy.elements().addClass("dim");
      const on = (id) => view.cy.getElementById(id).removeClass("dim").addClass("on");
      path.forEach(on);
      on(START);
      on(one.success ? SUCCESS : FAIL);
      for (let step = 0; step + 1 < path.length; step += 1) on(`e${path[step]}→${path[step + 1]}`);
      if (path.length) {
        on(`s${path[0]}`);
        on(`${one.success ? "w" : "f"}${path[path.length - 1]}`);
      }
    }
    const facts = one ? compared.facts.get(index) : null;
    byId("trajectory-note").textContent = one ? `${one.success ? "Success" : "Failure"} (${one.reason || "reason unknown"}), ${one.length} actions, ${facts.unneeded} unnecessary${facts.inflation === null ? "" : `, inflation ${number(facts.inflation)}`}${facts.strategy ? `, ${facts.strategy}` : ""}` : "";
  }

  function table(caption, columns, rows, parent) {
    const body = element("tbody");
    const add = (from, to) => {
      for (const row of rows.slice(from, to)) {
        body.append(element("tr", {}, row.map((cell, index) => {
          const numeric = columns[index].numeric ? "number" : null;
          return index === 0 ? element("th", { scope: "row" }, cell) : element("td", { class: numeric }, cell);
        })));
      }
    };
    add(0, MOST_ROWS);
    const head = element("thead", {}, element("tr", {}, columns.map((column) => element("th", { scope: "col", class: column.numeric ? "number" : null }, column.name))));
    parent.replaceChildren(element("table", {}, element("caption", {}, caption), head, body));
    if (rows.length > MOST_ROWS) {
      const more = element("button", { type: "button", onclick: () => { add(MOST_ROWS, rows.length); more.remove(); } }, `Show all ${rows.length} rows`);
      parent.append(more);
    }
  }

  const text = (name) => ({ name, numeric: false });
  const numeric = (name) => ({ name, numeric: true });
  const toNode = (graph, key) => element("button", { type: "button", onclick: () => jump(key) }, graph.nodes.get(key).action.label);

  function tables(graph) {
    const nodes = [...graph.nodes.values()].sort((a, b) => a.mean - b.mean || b.visits - a.visits);
    table(`${counted(nodes.length, "node", "nodes")}, in order of the mean step.`, [text("Action"), text("Place"), numeric("Mean step"), numeric("Visits"), numeric("Trajectories"), numeric("Success"), numeric("Value"), numeric("Importance")],
      nodes.map((node) => [toNode(graph, node.key), node.action.place, number(node.mean + 1, 1), String(node.visits), String(node.trajectories.size), percent(node.won, node.trajectories.size), number(node.value), number(node.importance, 3)]), byId("nodes"));
    const edges = [...graph.edges.values()].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.count - a.count);
    table(`${counted(edges.length, "edge", "edges")}, traps, bottlenecks and critical ones first. The interval is that of the trajectories that succeeded.`, [text("From"), text("To"), text("Class"), numeric("Traversals"), numeric("Success ratio"), numeric("Frequency"), numeric("Trajectories"), text("95% interval"), text("Conditions")],
      edges.map((edge) => {
        const [low, high] = wilson(edge.won, edge.trajectories.size);
        return [toNode(graph, edge.source), toNode(graph, edge.target), edge.kind, String(edge.count), number(edge.ratio), number(edge.weight, 3), String(edge.trajectories.size), `${number(low)}–${number(high)}`, [...edge.conditions].map((name) => name || "unknown").join(", ")];
      }), byId("edges"));
    table(`${counted(graph.chosen.length, "trajectory", "trajectories")}. Unnecessary actions, inflation and strategy come from the comparison with all trajectories of the chosen agents; the cluster is the one among all trajectories of the task, at the threshold ${number(OPTIONS.theta)}.`, [text("Trajectory"), text("Agent"), text("Condition"), text("Outcome"), text("Reason"), numeric("Actions"), numeric("Unnecessary"), numeric("Inflation"), text("Strategy"), numeric("Cluster")],
      graph.chosen.map((index) => {
        const one = task().trajectories[index], facts = compared.facts.get(index);
        const button = element("button", { type: "button", onclick: () => { byId("trajectory").value = String(index); state.trajectory = index; highlight(); } }, one.id);
        return [button, one.agent, one.condition || "unknown", one.success ? "success" : "failure", one.reason || "–", String(one.length), String(facts.unneeded), number(facts.inflation), facts.strategy || "–", one.cluster === null ? "–" : String(one.cluster)];
      }), byId("trajectories"));
  }

  function interruptions(chosenNow) {
    const parent = byId("interruptions");
    parent.replaceChildren();
    const first = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Conditions" }), second = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Interruptions and exits" });
    const { hasClean } = compared, known = (value) => (hasClean ? String(value) : "–");
    table("The graph of each condition against the clean graph of the chosen agents, which the filters by condition and outcome do not change.", [text("Condition"), numeric("Success"), numeric("Mean actions"), numeric("Nodes"), numeric("New nodes"), numeric("New edges"), numeric("Edges not taken"), numeric("Ends off the clean graph")],
      conditionsOf(chosenNow).map((name) => {
        const row = condition(task(), chosenNow.filter((index) => task().trajectories[index].condition === name), compared);
        return [name || "unknown", `${row.success.successes}/${row.success.trials}`, number(row.actions, 1), String(row.nodes), known(row.newNodes), known(row.newEdges), known(row.missingEdges), known(row.offEnds)];
      }), first);
    parent.append(first);
    if (!summary.detours.length) {
      parent.append(element("p", { class: "quiet" }, "No interruption was shown in these trajectories."));
      return;
    }
    table("Each interruption in the trajectories that are left: success of the trajectories that met it, through each exit; lost are pairs that succeeded clean and failed here; recovery depth is the number of actions until the path is back on the clean graph.", [text("Interruption"), text("Over"), text("Mode"), numeric("Shown"), numeric("Success"), numeric("Lost pairs"), numeric("Extra actions"), numeric("Recovery depth"), numeric("Returned"), text("Exits: success")],
      states(task(), summary.detours, compared).map((row) => [row.interruption, row.place, row.mode, String(row.shown), `${row.success.successes}/${row.success.trials}`, `${row.lost}/${row.pairs}`, number(row.extra, 1), number(row.depth, 1), `${row.returned.successes}/${row.returned.trials}`, row.exits.map((each) => `${each.name} ${each.successes}/${each.trials}`).join("; ")]), second);
    parent.append(second);
    const labels = new Map([...compared.paths].flatMap(([index, path]) => path.map((node, step) => [node, task().actions[task().trajectories[index].steps[step]].label])));
    const returns = [...summary.returns].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    if (returns.length) parent.append(element("p", {}, `Paths return at: ${returns.map(([node, count]) => `${labels.get(node)} (${count})`).join(", ")}.`));
  }

  function legend() {
    const parent = byId("legend");
    const swatch = (colour, words) => {
      const box = element("i");
      box.style.background = colour;
      return element("span", {}, box, words);
    };
    const line = (colour, words, dashed) => {
      const box = element("i", { class: dashed ? "line dashed" : "line" });
      box.style.borderColor = colour;
      return element("span", {}, box, words);
    };
    const scales = { value: ["value -1", "0", "value 1"], success: ["never succeeds", "half", "always succeeds"], detour: ["only with interruptions", "", "also clean"] };
    const [low, middle, high] = scales[state.colour];
    parent.replaceChildren(
      swatch(shade(state.colour === "detour" ? -0.7 : -1), low), middle ? swatch(shade(0), middle) : "", swatch(shade(state.colour === "detour" ? 0.5 : 1), high),
      ...KINDS.map((kind) => line(COLOURS[kind], kind)), line(COLOURS.quiet, "not in the clean graph", true),
      ...["faint: only in the clean graph", "⚡ interruption", "↩ paths return here", "✓ ✗ trajectories end here", panes.length > 1 ? "V value within the graph of its condition; the tables count all conditions shown" : "V value"].map((words) => element("span", {}, words)),
    );
  }

  function chosen(filter) {
    const found = [];
    task().trajectories.forEach((one, index) => {
      const matches = state.agents.has(one.agent) && state.conditions.has(one.condition) && (state.outcome === "all" || (state.outcome === "success") === one.success);
      if (matches && filter(one)) found.push(index);
    });
    return found;
  }

  const conditionsOf = (indexes) => [...new Set(indexes.map((index) => task().trajectories[index].condition))].sort((a, b) => (b === "clean") - (a === "clean") || (a < b ? -1 : 1));

  function paneOf(name, indexes, places, vertical, ghost) {
    const graph = compute(task(), indexes, state.mode, compared);
    const row = condition(task(), indexes, compared);
    const note = `${row.success.successes} of ${row.success.trials} succeed · ${number(row.actions, 1)} actions · ${counted(graph.nodes.size, "node", "nodes")} · ${counted(graph.edges.size, "edge", "edges")}`;
    return { name, title: name || "unknown condition", note, graph, vertical, places: places || layout(graph, state.mode, vertical), ghost };
  }

  function update() {
    compared = compare(task(), state.agents, state.theta);
    const everyone = compared.indexes, shown = chosen(() => true);
    const whole = compute(task(), everyone, state.mode, compared);
    const clean = compute(task(), everyone.filter((index) => task().trajectories[index].condition === "clean"), state.mode, compared);
    const both = clean.chosen.length > 0 && clean.chosen.length < everyone.length;
    cleanKeys.nodes = both && state.mode !== "before" ? new Set(clean.nodes.keys()) : new Set();
    cleanKeys.edges = both && state.mode !== "before" ? new Set(clean.edges.keys()) : new Set();
    summary = summarize(task(), shown, compared, state.theta);
    current = compute(task(), shown, state.mode, compared);
    const names = conditionsOf(shown), beside = state.view !== "one" && names.length > 1;
    const vertical = beside && state.view === "beside";
    const places = state.mode === "before" ? null : layout(whole, state.mode, vertical);
    if (beside) {
      show(names.map((name) => paneOf(name, shown.filter((index) => task().trajectories[index].condition === name), places, vertical, name !== "clean" && both && state.mode !== "before" ? clean : null)));
    } else show([{ ...paneOf("all", shown, places, vertical, null), title: names.map((name) => name || "unknown").join(", ") || "No trajectory" }]);
    const words = task().links.filter(([, , similarity]) => similarity >= state.theta - 1e-9).length;
    byId("theta-value").textContent = number(state.theta);
    byId("theta-note").textContent = task().links.length ? `${words} of ${task().links.length} similar wordings are merged.` : "No two actions differ in their wording only: the threshold changes nothing here.";
    byId("limits").replaceChildren(...limits(task(), shown, compared, summary).map((sentence) => element("p", { class: "notice" }, sentence)));
    summaryList(shown);
    interruptions(shown);
    tables(current);
    legend();
    describe("", current);
    const options = shown.map((index) => {
      const each = task().trajectories[index];
      return element("option", { value: index }, `${each.agent} ${each.condition} ${each.success ? "✓" : "✗"} ${each.name}`);
    });
    if (!shown.includes(state.trajectory)) state.trajectory = -1;
    byId("trajectory").replaceChildren(element("option", { value: "-1" }, "none"), ...options);
    byId("trajectory").value = String(state.trajectory);
    highlight();
  }

  function summaryList(shown) {
    const { success } = summary, strategies = ["direct", "hybrid", "exploratory"].map((name) => `${summary.strategies.get(name) || 0} ${name}`).join(", ");
    const fact = (name, value) => element("div", {}, element("dt", {}, name), element("dd", {}, value));
    byId("summary").replaceChildren(
      fact("Trajectories", `${shown.length} of ${task().trajectories.length}`), fact("Success", `${success.successes}/${success.trials} (${percent(success.successes, success.trials)})`),
      fact("Steps", String(current.visits)), fact("Nodes, edges", `${current.nodes.size}, ${current.edges.size}`), fact("Complexity", number(shown.length ? (current.nodes.size * current.edges.size) / shown.length : 0, 1)),
      fact("Actions", number(summary.actions, 1)), fact("Necessary", percent(summary.labelled - summary.unneeded, summary.labelled)), fact("Shortest success", summary.shortest === null ? "–" : String(summary.shortest)), fact("Inflation", number(summary.inflation)),
      fact("Strategies", strategies), fact("Early ends", `${summary.early.successes}/${summary.early.trials}`), fact("Path diversity", number(summary.diversity.normalized)), fact("Clusters", summary.clusters === null ? "–" : `${summary.clusters} of ${task().clusters}`), fact("Recovery depth", number(summary.depth, 1)),
    );
  }

  function checks(parent, names, chosenNames, changed) {
    parent.replaceChildren(...names.map((name) => {
      const box = element("input", { type: "checkbox", value: name, onchange: () => { if (box.checked) chosenNames.add(name); else chosenNames.delete(name); changed(); } });
      box.checked = chosenNames.has(name);
      return element("label", {}, box, name || "unknown");
    }));
  }

  function openTask(index) {
    state.task = index;
    state.trajectory = -1;
    const one = task();
    const conditions = conditionsOf(one.trajectories.map((_, at) => at));
    const agents = [...new Set(one.trajectories.map((each) => each.agent))].sort();
    state.conditions = new Set(conditions);
    state.agents = new Set(agents);
    byId("heading").textContent = one.task;
    byId("views").hidden = conditions.length < 2;
    checks(byId("conditions"), conditions, state.conditions, update);
    checks(byId("agents"), agents, state.agents, update);
    update();
  }

  function onRadio(name, apply) {
    for (const box of document.querySelectorAll(`input[name=${name}]`)) box.addEventListener("change", () => { if (box.checked) { apply(box.value); update(); } });
  }

  readColours();
  byId("totals").textContent = DATA.totals;
  byId("task").replaceChildren(...DATA.tasks.map((each, index) => element("option", { value: index }, each.task)));
  byId("task").addEventListener("change", (event) => openTask(Number(event.target.value)));
  byId("theta").value = String(OPTIONS.theta);
  byId("theta").addEventListener("change", (event) => { state.theta = Number(event.target.value); update(); });
  byId("theta").addEventListener("input", (event) => { byId("theta-value").textContent = number(Number(event.target.value)); });
  byId("trajectory").addEventListener("change", (event) => { state.trajectory = Number(event.target.value); highlight(); });
  addEventListener("scroll", () => { byId("tip").hidden = true; }, { capture: true, passive: true });
  byId("fit").addEventListener("click", () => { for (const pane of panes) pane.cy.fit(undefined, 18); });
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  document.querySelector(`input[name=view][value=${state.view}]`).checked = true;
  onRadio("view", (value) => { state.view = value; });
  onRadio("mode", (value) => { state.mode = value; });
  onRadio("outcome", (value) => { state.outcome = value; });
  onRadio("colour", (value) => { state.colour = value; });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); update(); });
  window.graphPage = { panes: () => panes, state, current: () => current, compared: () => compared, summary: () => summary, select: jump };
  if (DATA.tasks.length) openTask(0);
  else byId("heading").textContent = "No trajectory";
})();
