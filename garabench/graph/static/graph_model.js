/* The calculations of the page of trajectory graphs, as garabench.graph does them; tests compare the two. */
(() => {
  "use strict";

  const ARRIVAL = "interruption";
  const ENDINGS = new Set(["done", "give_up"]);
  const REPEATABLE = new Set(["scroll", "wait", "key"]);
  const DIRECT_INFLATION = 1.25, EXPLORATORY_INFLATION = 2, DIRECT_REDUNDANCY = 0.1, EXPLORATORY_REDUNDANCY = 0.3;
  let OPTIONS = {};

  const mean = (values) => (values.length ? values.reduce((a, b) => a + b, 0) / values.length : null);
  const addTo = (counts, key, count = 1) => counts.set(key, (counts.get(key) || 0) + count);

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
  function compute(task, chosen, mode, compared) {
    const { set, facts } = compared;
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
          nodes.set(key, { key, counts: new Map(), visits: 0, trajectories: new Set(), won: 0, steps: 0, histogram: new Map(), conditions: new Map(), unneeded: 0, labelled: 0 });
        }
        const node = nodes.get(key);
        visits += 1;
        node.visits += 1;
        node.steps += step;
        addTo(node.histogram, step);
        node.counts.set(action, (node.counts.get(action) || 0) + 1);
        node.conditions.set(trajectory.condition, (node.conditions.get(trajectory.condition) || 0) + 1);
        if (!node.trajectories.has(index)) {
          node.trajectories.add(index);
          node.won += won;
        }
        const necessary = facts.get(index).necessary[step];
        if (necessary !== null) {
          node.labelled += 1;
          node.unneeded += necessary ? 0 : 1;
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
    for (const node of graph.nodes.values()) {
      const found = sides.get(node.key).filter((side) => side.length).map(mean);
      const success = found.length ? mean(found) : node.won / node.trajectories.size;
      node.importance = (success * node.visits) / graph.visits;
    }
  }

  // The nodes that every success visits; none if all of them took the same path.
  function unavoidable(task, indexes, paths) {
    const found = new Map();
    for (const index of indexes) {
      const one = task.trajectories[index];
      if (one.success && one.steps.length) found.set(paths.get(index).join(" "), paths.get(index));
    }
    if (found.size < 2) return new Set();
    const [first, ...others] = [...found.values()].map((path) => new Set(path));
    return new Set([...first].filter((node) => others.every((path) => path.has(node))));
  }

  // Whether each step was necessary: in no loop, and it changed something; null for arrivals and ends.
  function necessity(task, one, path, guarded) {
    const kinds = one.steps.map((action) => task.actions[action].kind);
    const labels = kinds.map((kind) => (kind === ARRIVAL || ENDINGS.has(kind) ? null : true));
    const remaining = new Map(), lastAt = new Map();
    path.forEach((node, index) => { if (labels[index]) addTo(remaining, node); });
    let stack = [];
    const erase = (position) => {
      const lost = new Map();
      for (const [, index] of stack.slice(position)) addTo(lost, path[index]);
      for (const [node, count] of lost) if (guarded.has(node) && remaining.get(node) === count) return;
      for (const [state, index] of stack.slice(position)) {
        labels[index] = false;
        lastAt.delete(state);
      }
      for (const [node, count] of lost) addTo(remaining, node, -count);
      stack = stack.slice(0, position);
    };
    one.steps.forEach((_, index) => {
      if (kinds[index] === ARRIVAL) return;
      let state = one.states[index];
      if (state === null && !ENDINGS.has(kinds[index]) && !REPEATABLE.has(kinds[index])) state = `node ${path[index]}`;
      if (state !== null && lastAt.has(state)) erase(lastAt.get(state));
      if (labels[index] === null) return;
      if (state !== null) lastAt.set(state, stack.length);
      stack.push([state, index]);
    });
    if (one.final !== null && lastAt.has(one.final)) erase(lastAt.get(one.final));
    return labels;
  }

  function strategyOf(inflation, redundancy) {
    if (inflation >= EXPLORATORY_INFLATION || redundancy >= EXPLORATORY_REDUNDANCY) return "exploratory";
    return inflation <= DIRECT_INFLATION && redundancy <= DIRECT_REDUNDANCY ? "direct" : "hybrid";
  }

  // What the trajectories of some agents are compared with: their shortest success, what all their successes do, and
  // their clean graph. Filters by condition and outcome do not change it.
  function compare(task, agents, theta) {
    const set = merged(task, theta);
    const indexes = task.trajectories.map((_, index) => index).filter((index) => agents.has(task.trajectories[index].agent));
    const paths = new Map(indexes.map((index) => [index, task.trajectories[index].steps.map((action) => set[action])]));
    const successes = indexes.filter((index) => task.trajectories[index].success);
    const shortest = successes.map((index) => task.trajectories[index].length).filter((length) => length > 1).reduce((a, b) => Math.min(a, b), Infinity);
    const guarded = unavoidable(task, indexes, paths);
    const clean = indexes.filter((index) => task.trajectories[index].condition === "clean");
    const cleanNodes = new Set(clean.flatMap((index) => paths.get(index))), cleanEdges = new Set(clean.flatMap((index) => edgesOf(paths.get(index))));
    const facts = new Map();
    for (const index of indexes) {
      const one = task.trajectories[index];
      const necessary = necessity(task, one, paths.get(index), guarded);
      const labelled = necessary.filter((label) => label !== null).length, unneeded = necessary.filter((label) => label === false).length;
      const inflated = one.success && shortest < Infinity && one.length > 1;
      const inflation = inflated ? one.length / shortest : null;
      facts.set(index, { necessary, labelled, unneeded, inflation, strategy: inflated ? strategyOf(inflation, unneeded / one.length) : "", early: one.success || shortest === Infinity ? null : one.length < shortest });
    }
    const compared = { set, indexes, paths, facts, shortest: shortest === Infinity ? null : shortest, hasClean: clean.length > 0, cleanNodes, cleanEdges };
    compared.detours = indexes.flatMap((index) => detoursOf(task, index, compared));
    return compared;
  }

  const edgesOf = (path) => path.slice(1).map((node, step) => `${path[step]}→${node}`);

  // What followed each interruption of a trajectory until it was back on the clean graph.
  function detoursOf(task, index, compared) {
    const one = task.trajectories[index], path = compared.paths.get(index);
    return one.encounters.map(([at, interruption, mode, place, exit]) => {
      let returned = null, depth = null, actions = 0;
      for (let step = at; step < path.length; step += 1) {
        const kind = task.actions[one.steps[step]].kind;
        if (compared.cleanNodes.has(path[step]) && !ENDINGS.has(kind)) {
          returned = path[step];
          depth = actions;
          break;
        }
        if (kind !== ARRIVAL) actions += 1;
      }
      return { index, arrival: path[at], interruption, mode, place, exit, returned, depth };
    });
  }

  const rate = (values) => ({ successes: values.filter(Boolean).length, trials: values.length });

  // What each interruption cost at each place, the most costly first.
  function states(task, detours, compared) {
    const groups = new Map();
    for (const each of detours) {
      const key = JSON.stringify([each.interruption, each.place, each.mode]);
      if (!groups.has(key)) groups.set(key, []);
      groups.get(key).push(each);
    }
    const rows = [...groups].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, group]) => {
      const own = [...new Set(group.map((each) => each.index))].map((index) => task.trajectories[index]);
      const pairs = own.filter((one) => one.partner !== null).map((one) => [task.trajectories[one.partner], one]);
      const exits = new Map();
      for (const each of group) {
        if (!exits.has(each.exit)) exits.set(each.exit, []);
        exits.get(each.exit).push(task.trajectories[each.index].success);
      }
      return {
        interruption: group[0].interruption, place: group[0].place, mode: group[0].mode, arrival: group[0].arrival, shown: group.length,
        success: rate(own.map((one) => one.success)), pairs: pairs.length,
        lost: pairs.filter(([clean, one]) => clean.success && !one.success).length,
        won: pairs.filter(([clean, one]) => one.success && !clean.success).length,
        extra: mean(pairs.filter(([clean, one]) => clean.success && one.success).map(([clean, one]) => one.length - clean.length)),
        depth: mean(group.filter((each) => each.depth !== null).map((each) => each.depth)),
        returned: rate(group.filter((each) => task.trajectories[each.index].partner !== null).map((each) => each.returned !== null)),
        exits: [...exits].map(([name, found]) => ({ name, ...rate(found) })).sort((a, b) => b.trials - a.trials || (a.name < b.name ? -1 : 1)),
      };
    });
    return rows.sort((a, b) => b.lost - b.won - (a.lost - a.won) || (b.extra || 0) - (a.extra || 0));
  }

  // The graph of one condition against the clean one.
  function condition(task, own, compared) {
    const nodes = new Set(own.flatMap((index) => compared.paths.get(index))), edges = new Set(own.flatMap((index) => edgesOf(compared.paths.get(index))));
    const lasts = own.map((index) => compared.paths.get(index)).filter((path) => path.length).map((path) => path[path.length - 1]);
    return {
      success: rate(own.map((index) => task.trajectories[index].success)), actions: mean(own.map((index) => task.trajectories[index].length)),
      nodes: nodes.size, edges: edges.size,
      newNodes: [...nodes].filter((node) => !compared.cleanNodes.has(node)).length, newEdges: [...edges].filter((edge) => !compared.cleanEdges.has(edge)).length,
      missingEdges: [...compared.cleanEdges].filter((edge) => !edges.has(edge)).length, offEnds: lasts.filter((node) => !compared.cleanNodes.has(node)).length,
    };
  }

  // Entropy over distinct paths, corrected as by Miller and Madow, over the highest possible one.
  function diversity(paths) {
    const counts = new Map(), n = paths.length;
    for (const path of paths) addTo(counts, path.join(" "));
    const entropy = Math.max(0, -[...counts.values()].reduce((sum, count) => sum + (count / n) * Math.log2(count / n), 0));
    const corrected = n ? entropy + (counts.size - 1) / (2 * n * Math.LN2) : 0;
    return { distinct: counts.size, normalized: n > 1 ? Math.min(1, corrected / Math.log2(n)) : 0 };
  }

  // Everything that the page says about the chosen trajectories as a whole.
  function summarize(task, chosen, compared, theta) {
    const all = chosen.map((index) => task.trajectories[index]), facts = chosen.map((index) => compared.facts.get(index)), own = new Set(chosen);
    const detours = compared.detours.filter((each) => own.has(each.index));
    const strategies = new Map();
    for (const each of facts) if (each.strategy) addTo(strategies, each.strategy);
    const returns = new Map();
    for (const each of detours) if (each.returned !== null) addTo(returns, each.returned);
    return {
      success: rate(all.map((one) => one.success)), actions: mean(all.map((one) => one.length)),
      labelled: facts.reduce((sum, each) => sum + each.labelled, 0), unneeded: facts.reduce((sum, each) => sum + each.unneeded, 0),
      inflation: mean(facts.filter((each) => each.inflation !== null).map((each) => each.inflation)), strategies,
      early: rate(facts.filter((each) => each.early !== null).map((each) => each.early)),
      shortest: compared.shortest, diversity: diversity(chosen.map((index) => compared.paths.get(index))),
      clusters: theta === OPTIONS.theta ? new Set(all.map((one) => one.cluster).filter((cluster) => cluster !== null)).size : null,
      depth: mean(detours.filter((each) => each.depth !== null).map((each) => each.depth)), detours, returns,
    };
  }

  // What cannot be concluded from the chosen trajectories, in the words of garabench.graph.task_analysis.
  function limits(task, chosen, compared, summary) {
    const all = chosen.map((index) => task.trajectories[index]), found = [];
    const { successes } = summary.success, single = all.filter((one) => one.success && one.length === 1).length;
    if (!all.length) return ["No trajectory is left."];
    if (all.length === 1) found.push("There is only one trajectory: the graph is its path, and nothing is compared.");
    if (compared.shortest === null) {
      found.push(successes ? "Every success has a single action: inflation and strategies are not defined." : "No trajectory succeeded: inflation, strategies and early ends are not defined.");
    }
    if (all.length > 1 && summary.diversity.distinct === 1) found.push("All trajectories are equal: nothing differs between them, and there is one cluster.");
    if (single && compared.shortest !== null) found.push(`${single} of ${successes} successes have a single action and are set aside.`);
    const empty = all.filter((one) => !one.steps.length).length;
    if (empty) found.push(`${empty} of ${all.length} trajectories have no action.`);
    const steps = all.flatMap((one) => one.steps), unknown = steps.filter((action) => task.actions[action].unknown).length;
    if (unknown) found.push(`${unknown} of ${steps.length} steps reach an unknown element, because the record has no UI tree: they are merged by action and screen.`);
    const unresolved = steps.filter((action) => task.actions[action].unresolved).length;
    if (unresolved) found.push(`${unresolved} of ${steps.length} steps name an element by a number that no accessibility tree resolves: they are merged by number and page, so one node may be several elements.`);
    if (!compared.hasClean && summary.detours.length) found.push("No clean trajectory: detours and returns are not defined.");
    if (task.unclustered) found.push(`${task.unclustered} rare paths were not clustered.`);
    return found;
  }

  globalThis.graphModel = { configure: (options) => { OPTIONS = options; }, wilson, compute, compare, states, condition, summarize, limits, merged, edgesOf };
})();
