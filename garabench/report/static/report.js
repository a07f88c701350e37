"use strict";
// Filters of the matrix, kept in the address after "#matrix?", and the episodes behind a cell.
// Texts of the data become text nodes, never markup.
(() => {
  const form = document.getElementById("filters");
  const data = JSON.parse(document.getElementById("data").textContent);
  for (const each of document.querySelectorAll(".script-only")) each.hidden = false;

  // The contents mark the section that is being read.
  const links = new Map([...document.querySelectorAll(".contents a")].map((a) => [a.hash.slice(1), a]));
  const watcher = new IntersectionObserver((entries) => {
    for (const entry of entries) {
      if (!entry.isIntersecting) continue;
      for (const link of links.values()) link.removeAttribute("aria-current");
      links.get(entry.target.id)?.setAttribute("aria-current", "true");
    }
  }, { rootMargin: "-20% 0px -70% 0px" });
  for (const section of document.querySelectorAll("main > section")) watcher.observe(section);

  // Everything that is folded is printed.
  let opened = [];
  addEventListener("beforeprint", () => {
    opened = [...document.querySelectorAll("details:not([open])")];
    for (const each of opened) each.open = true;
  });
  addEventListener("afterprint", () => { for (const each of opened) each.open = false; });

  if (!form) return;
  const table = document.querySelector(".matrix");
  const rows = [...table.tBodies[0].rows];
  const agents = [...new Set(data.columns.map(([agent]) => agent))];
  const conditions = [...new Set(data.columns.map(([, condition]) => condition))];
  const heads = [...table.tHead.rows[0].cells].slice(1);
  const subheads = [...table.tHead.rows[1].cells];
  const boxes = (name) => [...form.querySelectorAll(`input[name=${name}]`)];
  const states = { failure: [".failure", ".mixed"], error: [".error"], mixed: [".mixed"], missing: [".missing"] };

  const known = ["success", "failure", "mixed"];
  const state = (cell) => known.find((name) => cell.matches(`.${name}`));

  // Whether a visible cell has another state than the clean one of its agent, which may be hidden.
  function differs(cells, visible) {
    return cells.some((cell, j) => {
      const clean = data.clean[j];
      if (!visible[j] || clean === null || clean === j) return false;
      const [before, after] = [state(cells[clean]), state(cell)];
      return before && after && before !== after;
    });
  }

  function wanted() {
    const chosen = (name, all) => {
      const found = boxes(name);
      return found.length ? all.filter((_, i) => found[i].checked) : all;
    };
    return {
      task: form.elements.task.value.trim(),
      group: form.elements.group?.value ?? "",
      show: form.elements.show.value,
      agents: chosen("agent", agents),
      conditions: chosen("condition", conditions),
    };
  }

  function apply() {
    const now = wanted();
    const visible = data.columns.map(([a, c]) => now.agents.includes(a) && now.conditions.includes(c));
    heads.forEach((head, i) => {
      const span = data.columns.filter(([a], j) => a === agents[i] && visible[j]).length;
      head.hidden = span === 0;
      if (span) head.colSpan = span;
    });
    subheads.forEach((head, i) => { head.hidden = !visible[i]; });
    const part = now.task.toLowerCase();
    let count = 0;
    rows.forEach((row, i) => {
      const cells = [...row.cells].slice(1);
      cells.forEach((cell, j) => { cell.hidden = !visible[j]; });
      const seen = cells.filter((cell, j) => visible[j]);
      const has = (selectors) => seen.some((cell) => selectors.some((s) => cell.matches(s)));
      const passes = !now.show
        || (now.show === "differs" && differs(cells, visible))
        || (now.show === "success" && seen.length > 0 && seen.every((cell) => cell.matches(".success")))
        || (now.show in states && has(states[now.show]));
      row.hidden = !(passes && data.tasks[i].toLowerCase().includes(part)
        && (!now.group || row.dataset.group === now.group));
      count += !row.hidden;
    });
    document.getElementById("count").textContent = `${count} of ${rows.length} tasks`;
    document.getElementById("nothing").hidden = count > 0 && visible.some(Boolean);
    return now;
  }

  function remember() {
    const now = apply();
    const query = new URLSearchParams();
    for (const name of ["task", "group", "show"]) if (now[name]) query.set(name, now[name]);
    if (now.agents.length < agents.length) query.set("agents", JSON.stringify(now.agents));
    if (now.conditions.length < conditions.length) query.set("conditions", JSON.stringify(now.conditions));
    const text = query.toString();
    history.replaceState(null, "", text ? `#matrix?${text}` : "#matrix");
  }

  function names(query, key, all) {
    try {
      const found = JSON.parse(query.get(key) ?? "null");
      return Array.isArray(found) ? found : all;
    } catch { return all; }
  }

  function restore() {
    if (!location.hash.startsWith("#matrix")) return apply();
    const query = new URLSearchParams(location.hash.slice("#matrix".length).replace(/^\?/, ""));
    form.elements.task.value = query.get("task") ?? "";
    for (const name of ["group", "show"]) {
      const select = form.elements[name];
      if (!select) continue;
      const value = query.get(name) ?? "";
      select.value = [...select.options].some((option) => option.value === value) ? value : "";
    }
    boxes("agent").forEach((box, i) => { box.checked = names(query, "agents", agents).includes(agents[i]); });
    boxes("condition").forEach((box, i) => {
      box.checked = names(query, "conditions", conditions).includes(conditions[i]);
    });
    apply();
    if (query.size) document.getElementById("matrix").scrollIntoView({ behavior: "instant" });
  }

  form.addEventListener("input", remember);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(remember));
  addEventListener("hashchange", restore);
  restore();

  const dialog = document.getElementById("episodes");
  const titles = {
    outcome: "Outcome", reason: "Reason", seed: "Seed", actions: "Actions", seconds: "Seconds",
    shown: "Interruptions shown", exits: "Exits", missed: "Could not be shown", fault: "Fault", unknown: "Unknown because",
    excluded: "Excluded", record: "Record",
  };
  table.addEventListener("click", (event) => {
    const cell = event.target.closest("button")?.closest("td");
    if (!cell) return;
    const row = rows.indexOf(cell.parentElement), column = cell.cellIndex - 1;
    const [agent, condition] = data.columns[column];
    document.getElementById("episodes-title").textContent = `${data.tasks[row]}: ${agent}, ${condition}`;
    const list = document.getElementById("episodes-list");
    list.replaceChildren(...(data.episodes[`${row}.${column}`] ?? []).map((episode) => {
      const found = document.createElement("dl");
      for (const [name, title] of Object.entries(titles)) {
        if (!(name in episode)) continue;
        const term = document.createElement("dt"), value = document.createElement("dd");
        term.textContent = title;
        value.textContent = episode[name];
        found.append(term, value);
      }
      return found;
    }));
    dialog.showModal();
  });
  dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
})();
