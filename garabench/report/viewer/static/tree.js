// The UI tree of a screen: a list of elements that is linked with the screenshot in both directions.

import { element, replace } from "./dom.js";
import { foreign, visible } from "./texts.js";

const MOST = 1500;

/** The smallest element at a point; of equal ones the one drawn last. */
export function smallestAt(nodes, x, y) {
  let best = -1;
  let least = Infinity;
  nodes.forEach(({ bounds: [left, top, right, bottom] }, place) => {
    if (left <= x && x < right && top <= y && y < bottom) {
      const area = (right - left) * (bottom - top);
      if (area <= least) [best, least] = [place, area];
    }
  });
  return best;
}

function label(node) {
  const parts = [element("span", { class: "node-class" }, visible(node.class || "node"))];
  if (node.id) parts.push(" ", element("span", { class: "node-id" }, `#${visible(node.id)}`));
  const text = node.text || node.desc || node.hint;
  if (text) parts.push(" ", element("span", { class: "node-text" }, "“", foreign(text, 80), "”"));
  if (node.package) parts.push(" ", element("span", { class: "quiet" }, visible(node.package)));
  return parts;
}

/** Show a tree in `container`; `onHover(place or -1)` and `onPick(place)` report what the reader does. */
export function showTree(container, nodes, { onHover, onPick }) {
  let picked = -1;
  let hovered = -1;
  const rows = [];
  const make = (node, place) => {
    const button = element("button", { type: "button", class: "node", "data-place": place, tabindex: place ? "-1" : "0" }, label(node));
    button.style.setProperty("--depth", Math.min(node.depth, 24));
    return button;
  };
  const list = element("div", { class: "tree", role: "group", "aria-label": "Elements of the screen" });
  const add = (from, to) => {
    for (let place = from; place < Math.min(to, nodes.length); place += 1) rows.push(make(nodes[place], place));
    list.append(...rows.slice(from, to));
  };
  add(0, MOST);
  const rest = nodes.length - MOST;
  const more = rest > 0 && element("button", { type: "button", onclick: () => { add(MOST, nodes.length); more.remove(); } }, `Show ${rest.toLocaleString("en")} more elements`);
  const place = (target) => {
    const button = target instanceof Element ? target.closest("button.node") : null;
    return button ? Number(button.dataset.place) : -1;
  };
  list.addEventListener("mouseover", (event) => onHover(place(event.target)));
  list.addEventListener("mouseleave", () => onHover(-1));
  list.addEventListener("focusin", (event) => onHover(place(event.target)));
  list.addEventListener("click", (event) => { if (place(event.target) >= 0) onPick(place(event.target)); });
  list.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const current = place(event.target);
    if (!step || current < 0) return;
    event.preventDefault();
    event.stopPropagation();
    rows[current + step]?.focus();
  });
  replace(container, nodes.length ? list : element("p", { class: "quiet" }, "The tree has no elements."), more || null);

  const mark = (old, next, name, scroll) => {
    rows[old]?.classList.remove(name);
    const row = rows[next];
    row?.classList.add(name);
    if (row && scroll) {
      const [outer, inner] = [list.getBoundingClientRect(), row.getBoundingClientRect()];
      if (inner.top < outer.top || inner.bottom > outer.bottom) list.scrollTop += inner.top - outer.top - outer.height / 3;
    }
  };
  return {
    hover(next, scroll) { mark(hovered, next, "hovered", scroll); hovered = next; },
    pick(next, scroll) {
      rows[picked]?.removeAttribute("aria-pressed");
      mark(picked, next, "picked", scroll);
      rows[next]?.setAttribute("aria-pressed", "true");
      for (const row of [rows[picked], rows[0]]) row?.setAttribute("tabindex", "-1");
      (rows[next] ?? rows[0])?.setAttribute("tabindex", "0");
      picked = next;
    },
    mark(places) {
      for (const row of list.querySelectorAll(".evident")) row.classList.remove("evident");
      for (const each of places) rows[each]?.classList.add("evident");
    },
  };
}
