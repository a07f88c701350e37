// Keyboard shortcuts, and the dialog that lists them.

import { element } from "./dom.js";

const SIGNS = { ArrowDown: "↓", ArrowUp: "↑", ArrowLeft: "←", ArrowRight: "→" };

function inField(target) {
  return target instanceof Element && target.closest("input, textarea, select, dialog[open], [contenteditable]") !== null;
}

/** Bind shortcuts: a list of {keys, words, run}. `?` and the button in the bar show the list. */
export function bindKeys(shortcuts) {
  const dialog = element(
    "dialog",
    { "aria-labelledby": "help-title", id: "help" },
    element("h2", { id: "help-title" }, "Keyboard shortcuts"),
    element(
      "table",
      {},
      element(
        "tbody",
        {},
        [...shortcuts, { keys: ["?"], words: "Show this list" }, { keys: ["Esc"], words: "Close, or leave a field" }].map(
          ({ keys, words }) =>
            element("tr", {}, element("th", { scope: "row" }, keys.map((key) => [element("kbd", {}, SIGNS[key] ?? key), " "])), element("td", {}, words)),
        ),
      ),
    ),
    element("form", { method: "dialog" }, element("button", { class: "primary" }, "Close")),
  );
  document.body.append(dialog);
  const show = () => dialog.open || dialog.showModal();
  document.getElementById("help-button")?.addEventListener("click", show);
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && inField(event.target) && !dialog.open) {
      event.target.blur();
      return;
    }
    if (inField(event.target)) return;
    if (event.key === "?") {
      event.preventDefault();
      show();
      return;
    }
    // Enter and space belong to the focused control.
    if (event.key === "Enter" && event.target instanceof Element && event.target.closest("a, button, summary")) return;
    const found = shortcuts.find(({ keys }) => keys.includes(event.key));
    if (found) {
      event.preventDefault();
      found.run();
    }
  });
}
