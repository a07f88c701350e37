/* The page of trajectory graphs. Texts are always text: nothing that a device or an agent wrote becomes markup. */
(() => {
  "use strict";

  const DATA = JSON.parse(document.getElementById("graph-data").textContent);
  const OPTIONS = DATA.options;
  const START = "start", SUCCESS = "success", FAIL = "fail";
  const COLUMN = 196, ROW = 96;
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

  const number = (value, digits = 2) => (value === null || value === undefined ? "–" : value.toFixed(digits));
  const percent = (part, whole) => (whole ? `${Math.round((100 * part) / whole)}%` : "–");
  const short = (text, limit) => (text.length <= limit ? text : `${text.slice(0, limit - 1)}…`);

  // Wilson's interval of a rate.
  function wilson(successes, trials) {
    if (!trials) return [0, 1];
    const z = 1.959963984540054, p = successes / trials, n = trials;
    const center = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
    const half = (z / (1 + (z * z) / n)) * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n));
    return [successes === 0 ? 0 : Math.max(0, center - half), successes === n ? 1 : Math.min(1, center + half)];
  }

  function percentile(values, share) {
    const sorted = [...values].sort((a, b) => a - b);
    const at = (sorted.length - 1) * (share / 100), low = Math.floor(at);
    return sorted[low] + (sorted[Math.min(low + 1, sorted.length - 1)] - sorted[low]) * (at - low);
  }

  // Sets of actions at a threshold: the links are the maximum spanning forest of the similar wordings.
  function merged(task, theta) {
    const parent = task.actions.map((_, index) => index);
    const find = (item) => {
      while (parent[item] !== item) item = parent[item] = parent[parent[item]];
      return item;
    };
    for (const [a, b, similarity] of task.links) {
      if (similarity >= theta - 1e-9) {
        const x = find(a), y = find(b);
        parent[Math.max(x, y)] = Math.min(x, y);
      }
    }
    return task.actions.map((_, index) => find(index));
  }

  // The graph of some of a task's trajectories, as garabench.graph.consensus builds it.
  function compute(task, chosen, mode, theta) {
    const set = merged(task, theta);
    const nodes = new Map(), edges = new Map(), ends = new Map(), starts = new Map();
    let visits = 0;
    const keyOf = (trajectory, step, action) =>
      mode === "before" ? `${trajectory}.${step}` : mode === "step" ? `${step}:${set[action]}` : `${set[action]}`;
    for (const index of chosen) {
      const trajectory = task.trajectories[index], won = trajectory.success ? 1 : 0;
      const path = trajectory.steps.map((action, step) => keyOf(index, step, action));
      path.forEach((key, step) => {
        const action = trajectory.steps[step];
        if (!nodes.has(key)) {
          nodes.set(key, { key, counts: new Map(), visits: 0, trajectories: new Set(), won: 0, steps: 0, conditions: new Map(), unneeded: 0, labelled: 0 });
        }
        const node = nodes.get(key);
        visits += 1;
        node.visits += 1;
        node.steps += step;
        node.counts.set(action, (node.counts.get(action) || 0) + 1);
        node.conditions.set(trajectory.condition, (node.conditions.get(trajectory.condition) || 0) + 1);
        if (!node.trajectories.has(index)) {
          node.trajectories.add(index);
          node.won += won;
        }
        if (trajectory.necessary[step] !== null) {
          node.labelled += 1;
          node.unneeded += trajectory.necessary[step] ? 0 : 1;
        }
      });
      for (let step = 0; step + 1 < path.length; step += 1) {
        const key = `${path[step]}→${path[step + 1]}`;
        if (!edges.has(key)) edges.set(key, { key, source: path[step], target: path[step + 1], count: 0, successes: 0, trajectories: new Set(), won: 0, conditions: new Set() });
        const edge = edges.get(key);
        edge.count += 1;
        edge.successes += won;
        edge.conditions.add(trajectory.condition);
        if (!edge.trajectories.has(index)) {
          edge.trajectories.add(index);
          edge.won += won;
        }
      }
      if (path.length) {
        starts.set(path[0], (starts.get(path[0]) || 0) + 1);
        const last = path[path.length - 1];
        if (!ends.has(last)) ends.set(last, [0, 0]);
        ends.get(last)[won ? 0 : 1] += 1;
      }
    }
    const graph = { nodes, edges, ends, starts, visits, chosen };
    propagate(graph);
    classify(graph);
    weigh(graph);
    for (const node of nodes.values()) {
      const [best] = [...node.counts].sort((a, b) => b[1] - a[1] || a[0] - b[0])[0];
      node.action = task.actions[best];
      node.members = [...node.counts.keys()].sort((a, b) => a - b);
      node.mean = node.steps / node.visits;
    }
    return graph;
  }

  // The values solve a linear system; with a discount below 1, repeated substitution converges to them.
  function propagate(graph) {
    const leaving = new Map(), following = new Map(), reward = new Map();
    for (const edge of graph.edges.values()) {
      leaving.set(edge.source, (leaving.get(edge.source) || 0) + edge.count);
      if (!following.has(edge.source)) following.set(edge.source, []);
      following.get(edge.source).push(edge);
    }
    for (const [key, [successes, failures]] of graph.ends) {
      leaving.set(key, (leaving.get(key) || 0) + successes + failures);
      reward.set(key, successes - failures);
    }
    for (const node of graph.nodes.values()) node.value = 0;
    const order = [...graph.nodes.values()].reverse();
    for (let round = 0; round < 1000; round += 1) {
      let change = 0;
      for (const node of order) {
        let sum = reward.get(node.key) || 0;
        for (const edge of following.get(node.key) || []) sum += edge.count * graph.nodes.get(edge.target).value;
        const value = (OPTIONS.gamma * sum) / (leaving.get(node.key) || 1);
        change = Math.max(change, Math.abs(value - node.value));
        node.value = value;
      }
      if (change < 1e-12) break;
    }
  }

  function classify(graph) {
    const counts = [...graph.edges.values()].map((edge) => edge.count);
    if (!counts.length) return;
    const total = counts.reduce((a, b) => a + b, 0);
    const rare = percentile(counts, OPTIONS.rare), frequent = percentile(counts, OPTIONS.frequent);
    for (const edge of graph.edges.values()) {
      edge.ratio = edge.successes / edge.count;
      edge.weight = edge.count / total;
      edge.kind = "normal";
      if (edge.count < OPTIONS.least) continue;
      if (edge.count >= frequent && edge.ratio <= OPTIONS.trap) edge.kind = "trap";
      else if (edge.count >= frequent && edge.ratio < OPTIONS.critical) edge.kind = "bottleneck";
      else if (edge.count <= rare && edge.ratio >= OPTIONS.critical) edge.kind = "critical";
    }
  }

  function weigh(graph) {
    const sides = new Map([...graph.nodes.keys()].map((key) => [key, [[], []]]));
    for (const edge of graph.edges.values()) {
      sides.get(edge.source)[1].push(edge.ratio);
      sides.get(edge.target)[0].push(edge.ratio);
    }
    const mean = (values) => values.reduce((a, b) => a + b, 0) / values.length;
    for (const node of graph.nodes.values()) {
      const found = sides.get(node.key).filter((side) => side.length).map(mean);
      const success = found.length ? mean(found) : node.won / node.trajectories.size;
      node.importance = (success * node.visits) / graph.visits;
    }
  }

  // Columns are steps, without empty ones. The most visited node of each is in the middle: the backbone.
  function layout(graph, mode) {
    const places = new Map();
    if (mode === "before") {
      const rows = new Map(graph.chosen.map((index, row) => [String(index), row]));
      for (const node of graph.nodes.values()) {
        const [trajectory, step] = node.key.split(".");
        places.set(node.key, { x: Number(step) * COLUMN, y: rows.get(trajectory) * ROW, column: Number(step) });
      }
      return withEnds(places);
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
          if (places.has(source)) {
            sum += places.get(source).y * count;
            weight += count;
          }
        }
        return weight ? sum / weight : 0;
      };
      const [first, ...others] = columns.get(key).sort((a, b) => b.visits - a.visits || (a.key < b.key ? -1 : 1));
      places.set(first.key, { x: column * COLUMN, y: 0, column });
      const pulls = new Map(others.map((node) => [node, pull(node)]));
      others.sort((a, b) => Math.abs(pulls.get(a)) - Math.abs(pulls.get(b)));
      let above = 0, below = 0;
      for (const node of others) {
        const up = pulls.get(node) === 0 ? above <= below : pulls.get(node) < 0 ? above <= below + 1 : above < below - 1;
        if (up) above += 1;
        else below += 1;
        places.set(node.key, { x: column * COLUMN, y: (up ? -above : below) * ROW, column });
      }
    });
    return withEnds(places);
  }

  function withEnds(places) {
    const xs = [...places.values()].map((place) => place.x), ys = [...places.values()].map((place) => place.y);
    const last = xs.reduce((a, b) => Math.max(a, b), 0), top = ys.reduce((a, b) => Math.min(a, b), 0), bottom = ys.reduce((a, b) => Math.max(a, b), 0);
    const middle = (top + bottom) / 2;
    const end = Math.round(last / COLUMN) + 1;
    places.set(START, { x: -COLUMN, y: middle, column: -1 });
    places.set(SUCCESS, { x: last + COLUMN, y: middle - ROW, column: end });
    places.set(FAIL, { x: last + COLUMN, y: middle + ROW, column: end });
    return places;
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

  const state = { task: 0, mode: "merged", theta: OPTIONS.theta, colour: "value", outcome: "all", agents: new Set(), conditions: new Set(), beside: false, trajectory: -1, selected: null };
  const views = { left: null, right: null };
  let current = null;

  const task = () => DATA.tasks[state.task];
  const nodeLabel = (node) => `${short(node.action.label, 40)}\n${node.visits}× · V ${number(node.value)}`;

  // An edge that would run through other nodes is bent: one that skips columns, goes back, or stays in its column.
  function bend(places, source, target) {
    const from = places.get(source), to = places.get(target);
    const span = to.column - from.column;
    if (source === target || span === 1) return 0;
    if (span === 0) return Math.abs(to.y - from.y) > ROW * 1.5 ? 110 : 0;
    if (Math.abs(to.y - from.y) > ROW * Math.abs(span)) return 0;
    return (span > 0 ? -1 : -1.4) * (34 + 17 * Math.abs(span));
  }

  function edgeElement(places, id, source, target, count, classes) {
    const bent = bend(places, source, target);
    return {
      data: { id, source, target, width: 1 + Math.log2(1 + count), label: count > 1 && !classes.includes("sink") ? String(count) : "", bend: bent },
      classes: bent ? `${classes} bent` : classes,
    };
  }

  function elementsOf(graph, places) {
    const made = [];
    const scheme = state.colour;
    for (const node of graph.nodes.values()) {
      made.push({
        data: { id: node.key, label: nodeLabel(node), colour: nodeColour(node, scheme) },
        position: { ...places.get(node.key) },
        classes: node.action.kind === "interruption" ? "arrival" : cleanKeys.nodes.has(node.key) || !cleanKeys.nodes.size ? "" : "detour",
      });
    }
    made.push({ data: { id: START, label: `Start\n${graph.chosen.length}`, colour: COLOURS.panel }, position: { ...places.get(START) }, classes: "end" });
    const wins = graph.chosen.filter((index) => task().trajectories[index].success).length;
    made.push({ data: { id: SUCCESS, label: `Success\n${wins}`, colour: shade(1) }, position: { ...places.get(SUCCESS) }, classes: "end" });
    made.push({ data: { id: FAIL, label: `Failure\n${graph.chosen.length - wins}`, colour: shade(-1) }, position: { ...places.get(FAIL) }, classes: "end" });
    for (const edge of graph.edges.values()) {
      const detour = cleanKeys.nodes.size && !cleanKeys.edges.has(edge.key);
      made.push(edgeElement(places, `e${edge.key}`, edge.source, edge.target, edge.count, `${edge.kind}${detour ? " off" : ""}`));
    }
    for (const [key, count] of graph.starts) made.push(edgeElement(places, `s${key}`, START, key, count, "normal sink"));
    for (const [key, [successes, failures]] of graph.ends) {
      if (successes) made.push(edgeElement(places, `w${key}`, key, SUCCESS, successes, "won sink"));
      if (failures) made.push(edgeElement(places, `f${key}`, key, FAIL, failures, "failed sink"));
    }
    return made;
  }

  function styleSheet() {
    const edge = (name) => ({ selector: `edge.${name}`, style: { "line-color": COLOURS[name], "target-arrow-color": COLOURS[name] } });
    return [
      { selector: "node", style: { label: "data(label)", "text-wrap": "wrap", "text-max-width": 150, "text-overflow-wrap": "anywhere", "font-size": 15, "font-family": getComputedStyle(document.body).fontFamily, "text-valign": "center", "text-halign": "center", color: COLOURS.text, shape: "round-rectangle", width: 160, height: 72, "background-color": "data(colour)", "border-width": 1, "border-color": COLOURS.quiet, "min-zoomed-font-size": 6 } },
      { selector: "node.detour", style: { "border-style": "dashed", "border-width": 2, "border-color": COLOURS.warn } },
      { selector: "node.arrival", style: { shape: "cut-rectangle", "border-width": 3, "border-color": COLOURS.warn } },
      { selector: "node.end", style: { shape: "ellipse", width: 104, height: 64, "font-weight": "bold" } },
      { selector: "edge", style: { width: "data(width)", "curve-style": "bezier", "control-point-step-size": 70, "loop-direction": "-45deg", "loop-sweep": "40deg", "target-arrow-shape": "triangle", "arrow-scale": 0.9, label: "data(label)", "font-size": 13, color: COLOURS.text, "text-background-color": COLOURS.bg, "text-background-opacity": 0.8, "min-zoomed-font-size": 7, opacity: 0.85 } },
      ...KINDS.map(edge),
      { selector: "edge.bent", style: { "curve-style": "unbundled-bezier", "control-point-distances": "data(bend)", "control-point-weights": 0.5 } },
      { selector: "edge.sink", style: { opacity: 0.35 } },
      { selector: "edge.won", style: { "line-color": COLOURS.good, "target-arrow-color": COLOURS.good } },
      { selector: "edge.failed", style: { "line-color": COLOURS.bad, "target-arrow-color": COLOURS.bad } },
      { selector: "edge.off", style: { "line-style": "dashed" } },
      { selector: ".dim", style: { opacity: 0.12 } },
      { selector: "node.on", style: { "border-width": 4, "border-color": COLOURS.mark, opacity: 1 } },
      { selector: "edge.on", style: { "line-color": COLOURS.mark, "target-arrow-color": COLOURS.mark, opacity: 1 } },
      { selector: ":selected", style: { "border-width": 5, "border-color": COLOURS.accent } },
      { selector: "edge:selected", style: { "line-color": COLOURS.accent, "target-arrow-color": COLOURS.accent, opacity: 1 } },
    ];
  }

  function show(side, graph, places) {
    if (views[side]) views[side].cy.destroy();
    const big = graph.nodes.size > 400;
    const cy = cytoscape({
      container: byId(side), elements: elementsOf(graph, places), style: styleSheet(), layout: { name: "preset" },
      minZoom: 0.02, maxZoom: 3, textureOnViewport: big, hideEdgesOnViewport: big, pixelRatio: big ? 1 : "auto",
    });
    views[side] = { cy, graph };
    cy.on("mouseover", "node", (event) => showTip(event, graph));
    cy.on("mouseout", "node", () => { byId("tip").hidden = true; });
    cy.on("tap", "node, edge", (event) => select(event.target.id(), graph));
    cy.on("viewport", () => {
      byId("tip").hidden = true;
      follow(cy);
    });
    fit(cy);
  }

  // The clean and the interrupted graph show the same part.
  let following = false;
  function follow(moved) {
    if (following) return;
    following = true;
    for (const view of Object.values(views)) {
      if (view && view.cy !== moved) view.cy.viewport({ zoom: moved.zoom(), pan: { ...moved.pan() } });
    }
    following = false;
  }

  function fit(cy) {
    cy.fit(undefined, 18);
    if (cy.zoom() > 1) {
      cy.zoom(1);
      cy.center();
    } else if (cy.zoom() < 0.45) {
      cy.zoom(0.5);  // labels stay legible; the graph begins at the left
      const box = cy.elements().boundingBox(), start = cy.getElementById(START);
      cy.pan({ x: 18 - box.x1 * cy.zoom(), y: cy.height() / 2 - start.position("y") * cy.zoom() });
    }
  }

  function picture(node) {
    const source = node.action.picture === null ? null : DATA.pictures[node.action.picture];
    return source ? element("img", { src: source, alt: `Screen before: ${node.action.label}`, width: DATA.width }) : null;
  }

  function showTip(event, graph) {
    const node = graph.nodes.get(event.target.id());
    if (!node) return;
    const tip = byId("tip"), at = event.renderedPosition, box = event.cy.container().getBoundingClientRect();
    tip.replaceChildren(element("strong", {}, node.action.label), element("div", { class: "quiet" }, node.action.place), element("div", {}, `${node.visits} visits, ${percent(node.won, node.trajectories.size)} success, value ${number(node.value)}`), picture(node) || "");
    tip.hidden = false;
    const x = box.left + at.x + 18, y = box.top + at.y + 12;
    tip.style.left = `${Math.max(4, Math.min(x, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${Math.max(4, Math.min(y, innerHeight - tip.offsetHeight - 8))}px`;
  }

  const entry = (name, value) => [element("dt", {}, name), element("dd", {}, value)];

  function describe(id, graph) {
    const details = byId("details");
    const node = graph.nodes.get(id), edge = graph.edges.get(id.slice(1));
    if (node) {
      const members = node.members.length > 1 ? entry("Wordings", element("ul", {}, node.members.map((index) => element("li", {}, task().actions[index].label)))) : [];
      details.replaceChildren(
        picture(node) || "",
        element("h2", {}, node.action.label),
        element("dl", {}, entry("Place", node.action.place || "–"), entry("Visits", String(node.visits)), entry("Trajectories", `${node.trajectories.size}, ${percent(node.won, node.trajectories.size)} success`), entry("Value", number(node.value, 4)), entry("Importance", number(node.importance, 4)), entry("Mean step", number(node.mean + 1, 1)), entry("Unnecessary", `${node.unneeded} of ${node.labelled}`), entry("Conditions", [...node.conditions].map(([name, count]) => `${name || "unknown"} ${count}`).join(", ")), members),
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

  function select(id, graph) {
    state.selected = id;
    describe(id, graph);
    for (const view of Object.values(views)) {
      if (!view) continue;
      view.cy.elements().unselect();
      view.cy.getElementById(id).select();
    }
  }

  function jump(id) {
    const view = views.left;
    select(id, view.graph);
    const found = view.cy.getElementById(id);
    if (found.length) view.cy.animate({ center: { eles: found }, zoom: Math.max(view.cy.zoom(), 0.8) }, { duration: matchMedia("(prefers-reduced-motion: reduce)").matches ? 0 : 250 });
  }

  function highlight() {
    const index = state.trajectory;
    const one = index >= 0 ? task().trajectories[index] : null;
    for (const view of Object.values(views)) {
      if (!view) continue;
      view.cy.elements().removeClass("dim on");
      if (!one || !view.graph.chosen.includes(index)) continue;
      const set = merged(task(), state.theta);
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
    byId("trajectory-note").textContent = one ? `${one.success ? "Success" : "Failure"} (${one.reason || "reason unknown"}), ${one.length} actions, ${one.unneeded} unnecessary${one.inflation === null ? "" : `, inflation ${number(one.inflation)}`}${one.strategy ? `, ${one.strategy}` : ""}` : "";
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
    table(`${nodes.length} nodes, in order of the mean step.`, [text("Action"), text("Place"), numeric("Mean step"), numeric("Visits"), numeric("Trajectories"), numeric("Success"), numeric("Value"), numeric("Importance")],
      nodes.map((node) => [toNode(graph, node.key), node.action.place, number(node.mean + 1, 1), String(node.visits), String(node.trajectories.size), percent(node.won, node.trajectories.size), number(node.value), number(node.importance, 3)]), byId("nodes"));
    const edges = [...graph.edges.values()].sort((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || b.count - a.count);
    table(`${edges.length} edges, traps, bottlenecks and critical ones first. The interval is that of the trajectories that succeeded.`, [text("From"), text("To"), text("Class"), numeric("Traversals"), numeric("Success ratio"), numeric("Frequency"), numeric("Trajectories"), text("95% interval"), text("Conditions")],
      edges.map((edge) => {
        const [low, high] = wilson(edge.won, edge.trajectories.size);
        return [toNode(graph, edge.source), toNode(graph, edge.target), edge.kind, String(edge.count), number(edge.ratio), number(edge.weight, 3), String(edge.trajectories.size), `${number(low)}–${number(high)}`, [...edge.conditions].map((name) => name || "unknown").join(", ")];
      }), byId("edges"));
    table(`${graph.chosen.length} trajectories. Unnecessary actions, inflation, strategy and cluster come from the comparison with all trajectories of the task.`, [text("Trajectory"), text("Agent"), text("Condition"), text("Outcome"), text("Reason"), numeric("Actions"), numeric("Unnecessary"), numeric("Inflation"), text("Strategy"), numeric("Cluster")],
      graph.chosen.map((index) => {
        const one = task().trajectories[index];
        const button = element("button", { type: "button", onclick: () => { byId("trajectory").value = String(index); state.trajectory = index; highlight(); } }, one.id);
        return [button, one.agent, one.condition || "unknown", one.success ? "success" : "failure", one.reason || "–", String(one.length), String(one.unneeded), number(one.inflation), one.strategy || "–", one.cluster === null ? "–" : String(one.cluster)];
      }), byId("trajectories"));
  }

  function interruptions() {
    const view = task().view, parent = byId("interruptions");
    parent.replaceChildren();
    const first = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Conditions" }), second = element("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": "Interruptions and exits" });
    table("The graph of each condition against the clean one, over all trajectories of the task: filters do not change it.", [text("Condition"), numeric("Success"), numeric("Mean actions"), numeric("Nodes"), numeric("New nodes"), numeric("New edges"), numeric("Edges not taken"), numeric("Ends off the clean graph")],
      view.conditions.map((row) => [row.condition || "unknown", `${row.successes}/${row.trials}`, number(row.mean_actions, 1), String(row.nodes), view.has_clean ? String(row.new_nodes) : "–", view.has_clean ? String(row.new_edges) : "–", view.has_clean ? String(row.missing_edges) : "–", view.has_clean ? String(row.off_ends) : "–"]), first);
    parent.append(first);
    if (!view.states.length) {
      parent.append(element("p", { class: "quiet" }, "No interruption was shown in these trajectories."));
      return;
    }
    table("Each interruption, over all trajectories of the task: success of the trajectories that met it, through each exit; lost are pairs that succeeded clean and failed here; recovery depth is the number of actions until the path is back on the clean graph.", [text("Interruption"), text("Over"), text("Mode"), numeric("Shown"), numeric("Success"), numeric("Lost pairs"), numeric("Extra actions"), numeric("Recovery depth"), numeric("Returned"), text("Exits: success")],
      view.states.map((row) => [row.interruption, row.place, row.mode, String(row.shown), `${row.successes}/${row.trials}`, `${row.lost}/${row.pairs}`, number(row.extra, 1), number(row.depth, 1), `${row.returned}/${row.compared}`, row.exits.map(([name, successes, trials]) => `${name} ${successes}/${trials}`).join("; ")]), second);
    parent.append(second);
    if (view.returns.length) parent.append(element("p", {}, `Paths return at: ${view.returns.map(([label, count]) => `${label} (${count})`).join(", ")}.`));
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

  function update() {
    const everyone = task().trajectories.map((_, index) => index);
    const whole = compute(task(), everyone, state.mode, state.theta);
    const clean = compute(task(), everyone.filter((index) => task().trajectories[index].condition === "clean"), state.mode, state.theta);
    const both = clean.chosen.length > 0 && clean.chosen.length < everyone.length;
    cleanKeys.nodes = both && state.mode !== "before" ? new Set(clean.nodes.keys()) : new Set();
    cleanKeys.edges = both && state.mode !== "before" ? new Set(clean.edges.keys()) : new Set();
    const places = layout(whole, state.mode);
    const beside = state.beside && both;
    byId("panes").classList.toggle("beside", beside);
    byId("right-pane").hidden = !beside;
    const all = compute(task(), chosen(() => true), state.mode, state.theta);
    const left = beside ? compute(task(), chosen((one) => one.condition === "clean"), state.mode, state.theta) : all;
    current = all;
    byId("left-title").textContent = beside ? "Clean" : [...state.conditions].map((name) => name || "unknown").join(", ") || "No condition";
    show("left", left, places);
    if (beside) show("right", compute(task(), chosen((one) => one.condition !== "clean"), state.mode, state.theta), places);
    else if (views.right) {
      views.right.cy.destroy();
      views.right = null;
    }
    const words = task().links.filter(([, , similarity]) => similarity >= state.theta - 1e-9).length;
    byId("theta-value").textContent = number(state.theta);
    byId("theta-note").textContent = task().links.length ? `${words} of ${task().links.length} similar wordings are merged.` : "No two actions differ in their wording only: the threshold changes nothing here.";
    byId("summary").textContent = `${all.chosen.length} of ${everyone.length} trajectories, ${all.visits} steps, ${all.nodes.size} nodes, ${all.edges.size} edges, complexity ${number(all.chosen.length ? (all.nodes.size * all.edges.size) / all.chosen.length : 0, 1)}. ${task().summary}`;
    tables(all);
    legend();
    describe("", all);
    highlight();
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
    const conditions = [...new Set(one.trajectories.map((each) => each.condition))].sort((a, b) => (b === "clean") - (a === "clean") || (a < b ? -1 : 1));
    const agents = [...new Set(one.trajectories.map((each) => each.agent))].sort();
    state.conditions = new Set(conditions);
    state.agents = new Set(agents);
    byId("heading").textContent = one.task;
    byId("limits").replaceChildren(...one.limits.map((words) => element("p", { class: "notice" }, words)));
    byId("aside-label").hidden = !(conditions.includes("clean") && conditions.length > 1);
    checks(byId("conditions"), conditions, state.conditions, update);
    checks(byId("agents"), agents, state.agents, update);
    byId("trajectory").replaceChildren(element("option", { value: "-1" }, "none"), ...one.trajectories.map((each, at) => element("option", { value: at }, `${each.agent} ${each.condition} ${each.success ? "✓" : "✗"} ${each.name}`)));
    interruptions();
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
  byId("aside").addEventListener("change", (event) => { state.beside = event.target.checked; update(); });
  byId("fit").addEventListener("click", () => { for (const view of Object.values(views)) if (view) view.cy.fit(undefined, 18); });
  byId("controls").addEventListener("submit", (event) => event.preventDefault());
  onRadio("mode", (value) => { state.mode = value; });
  onRadio("outcome", (value) => { state.outcome = value; });
  onRadio("colour", (value) => { state.colour = value; });
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); update(); });
  window.graphPage = { views, state, current: () => current, select: jump };
  if (DATA.tasks.length) openTask(0);
  else byId("heading").textContent = "No trajectory";
})();
