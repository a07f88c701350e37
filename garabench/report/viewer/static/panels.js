// The panels of an episode's page: step, goal and rules, prompt and reply, times, log.

import { element } from "./dom.js";
import { actionWords, count, foreign, seconds, truth, visible } from "./texts.js";

function pairs(entries) {
  const shown = entries.filter(([, value]) => value !== null && value !== undefined && value !== "");
  return element("dl", { class: "pairs" }, shown.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

function verdict(holds) {
  const kind = holds === true ? "success" : holds === false ? "failure" : "error";
  return element("span", { class: `badge ${kind}` }, truth(holds));
}

const long = (text) => foreign(text, 4000);

export function stepPanel(data, step, frame) {
  const interruptions = data.interruptions.filter(({ token }) => step.injected.includes(token) || step.resolved.includes(token));
  const usage = step.usage;
  return [
    pairs([
      ["Action", step.action ? foreign(actionWords(step.action, step.target), 600) : element("span", { class: "quiet" }, "none")],
      ["Thought", step.thought ? long(step.thought) : null],
      ["Performed", step.performed ? [step.performed.ok ? "yes" : element("strong", {}, "no"), step.performed.detail ? [": ", long(step.performed.detail)] : null] : null],
      ["Settled", step.settled ? `${step.settled.still ? "yes" : "no, the time limit was reached"}, ${count(step.settled.readings, "reading")} in ${seconds(step.settled.seconds)}` : null],
      ["Goal afterwards", step.goal ? [verdict(step.goal.holds), " ", long(step.goal.reason)] : null],
      ["Harm afterwards", step.harm ? [verdict(step.harm.holds), " ", long(step.harm.reason)] : null],
      ["Model", usage ? `${count(usage.requests ?? 0, "request")}, ${(usage.sent ?? 0).toLocaleString("en")} tokens sent, ${(usage.received ?? 0).toLocaleString("en")} received${usage.cost ? `, $${usage.cost}` : ""}` : null],
      ["Window", foreign(`${frame.package}/${frame.activity}`)],
      ["Tree from", frame.source_reason ? foreign(`${frame.source} (${frame.source_reason})`, 600) : foreign(frame.source)],
      ["Screen", [element("code", {}, frame.signature), frame.still ? "" : ", not still", ` at ${seconds(frame.t)}`]],
    ]),
    interruptions.map(timeline),
  ];
}

/** An interruption from its injection to its end. */
export function timeline(found) {
  const end = { answered: `answered: ${found.exit}`, left: `left by ${found.exit}`, open: "open at the end" }[found.how] ?? "without an end";
  return element(
    "section",
    { class: "life" },
    element("h3", {}, visible(found.interruption), " ", element("span", { class: "badge error" }, visible(found.mode)), " ", element("span", { class: "quiet" }, visible([found.category, found.severity].filter(Boolean).join(", ")))),
    element("p", {}, element("strong", {}, end.replaceAll("_", " ")), found.steps ? ` after ${count(found.steps, "step")}` : "", found.incomplete ? [", incomplete: ", long(found.incomplete)] : ""),
    found.reason ? element("p", {}, "Injected because ", long(found.reason)) : null,
    element(
      "ol", { class: "moments" },
      found.moments.map((moment) =>
        element("li", { class: moment.ok ? null : "failed" }, element("a", { href: `#step-${moment.step}` }, `step ${moment.step}`), element("span", { class: "time" }, seconds(moment.t)),
          element("span", {}, element("strong", {}, moment.kind), moment.text ? [" ", long(moment.text)] : null))),
    ),
  );
}

function condition(found, onEvidence) {
  const line = [verdict(found.holds), " ", element("code", {}, visible(found.name)), " ", long(found.reason)];
  if (found.evidence.length) {
    line.push(" ", element("button", { type: "button", class: "small", onclick: () => onEvidence(found.evidence) }, `show ${count(found.evidence.length, "element")}`));
  }
  return element("li", {}, line, found.parts.length ? element("ul", {}, found.parts.map((part) => condition(part, onEvidence))) : null);
}

const SIGNS = { true: ["✓", "met"], false: ["✗", "not met"], null: ["?", "unknown"] };

/** Each condition of the goal on every screen: when it began to hold, and whether it stayed so. */
function trace(found, frames, current) {
  if (!found.length || !frames.length) return null;
  return element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Conditions at each step" },
    element("table", { class: "trace" },
      element("caption", {}, "Conditions at each step"),
      element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Condition"), frames.map(({ name }, place) =>
        element("th", { scope: "col", class: place === current ? "current" : null }, element("a", { href: name === "end" ? "#end" : `#step-${name}` }, name))))),
      element("tbody", {}, found.map((row) =>
        element("tr", {}, element("th", { scope: "row" }, row.role === "harm" ? "harm: " : null, foreign(row.condition, 300)),
          row.holds.map((holds, place) => {
            const [sign, words] = SIGNS[String(holds)];
            return element("td", { class: [`holds-${holds}`, place === current ? "current" : ""].join(" ") }, element("span", { "aria-hidden": "true" }, sign), element("span", { class: "visually-hidden" }, words));
          }))))));
}

const FIRES = { true: "matches", false: "does not match", null: "unknown" };

export function conditionsPanel(data, step, found, onEvidence, names, current) {
  if (found.problem) return [element("p", { class: "notice" }, foreign(found.problem, 2000))];
  const recorded = step.goal ? element("p", {}, "Recorded after this step: ", verdict(step.goal.holds), " ", long(step.goal.reason)) : null;
  return [
    found.notice ? element("p", { class: "notice" }, found.notice) : null,
    recorded,
    found.goals.map((goal) => [
      element("h3", {}, goal.role === "goal" ? "Goal on this screen: " : "Harm on this screen: ", element("code", {}, visible(goal.id))),
      element("ul", { class: "conditions" }, condition(goal, onEvidence)),
    ]),
    trace(found.trace, names.map((name) => ({ name })), current),
    element("h3", {}, "Rules on this screen"),
    found.rules.length
      ? found.rules.map((rule) =>
          element("details", { open: rule.injected || rule.fires === true },
            element("summary", {}, element("code", {}, visible(rule.rule)), ` ${FIRES[String(rule.fires)]}`, rule.probability < 1 ? ` (probability ${rule.probability})` : "", rule.injected ? element("strong", {}, " and injected here") : ""),
            element("ul", { class: "conditions" }, rule.parts.map((part) => condition(part, onEvidence)))))
      : element("p", { class: "quiet" }, data.condition === "clean" ? "No rules apply in a clean episode." : "The task has no rules."),
  ];
}

export function exchangesPanel(data, found) {
  if (found.problem) return [element("p", { class: "notice bad" }, foreign(found.problem, 2000))];
  const block = (text) => element("pre", { class: "code-block", dir: "auto", tabindex: "0" }, visible(text));
  return found.exchanges.map((each, number) => {
    const { reply, usage } = each;
    return element(
      "section", {},
      element("h3", {}, number ? `Repair ${number}` : "Prompt"),
      each.messages.map((message, place) =>
        element("details", { open: place === each.messages.length - 1 || message.role === "system" && each.messages.length < 3, class: "message" },
          element("summary", {}, visible(message.role) || "message", element("span", { class: "quiet" }, ` ${message.parts.map((part) => ("picture" in part ? `picture ${part.size}` : count((part.text ?? "").length, "character"))).join(", ")}`)),
          message.parts.map((part) =>
            "picture" in part
              ? part.picture
                ? element("a", { href: `/image/${data.run}/${part.picture}` }, element("img", { class: "sent", src: `/image/${data.run}/${part.picture}`, alt: `Picture in the prompt, ${part.size}`, loading: "lazy" }))
                : element("p", { class: "quiet" }, "The picture is missing.")
              : block(part.text ?? "")))),
      element("details", {}, element("summary", {}, "Other parts of the request"), block(each.request)),
      element("h3", {}, "Reply"),
      each.fault ? element("p", { class: "notice bad" }, long(each.fault)) : null,
      reply
        ? [
            reply.reasoning ? element("details", {}, element("summary", {}, "Reasoning"), block(reply.reasoning)) : null,
            block(reply.text || "(no text)"),
            reply.calls.map((call) => [element("p", {}, "Call of ", element("code", {}, visible(call.name))), block(call.arguments)]),
          ]
        : null,
      pairs([
        ["Parsed as", foreign(JSON.stringify(each.outcome), 2000)],
        ["Model", reply ? foreign(`${reply.model || "unnamed"}, ${seconds(reply.seconds)}, stop: ${reply.stop}${reply.tries > 1 ? `, ${reply.tries} tries` : ""}${reply.from_cache ? ", from the cache" : ""}`) : null],
        ["Tokens", usage ? `${(usage.sent ?? 0).toLocaleString("en")} sent, ${(usage.received ?? 0).toLocaleString("en")} received` : null],
      ]),
    );
  });
}

const ACTIVITIES = ["observe", "inject", "decide", "act", "settle", "follow up", "check"];

export function timesPanel(data, current, onStep) {
  const totals = Object.fromEntries(ACTIVITIES.map((name) => [name, data.steps.reduce((sum, step) => sum + (step.times[name] ?? 0), 0)]));
  const used = ACTIVITIES.filter((name) => totals[name] > 0);
  const longest = Math.max(...data.steps.map((step) => used.reduce((sum, name) => sum + (step.times[name] ?? 0), 0)), 0.001);
  const bar = (times) =>
    element("div", { class: "times", "aria-hidden": "true" },
      used.map((name) => {
        const part = element("span", { class: `time-${name.replace(" ", "-")}` });
        part.style.setProperty("--share", `${(100 * (times[name] ?? 0)) / longest}%`);
        return part;
      }));
  const all = used.reduce((sum, name) => sum + totals[name], 0);
  return [
    element("ul", { class: "legend" }, used.map((name) => element("li", {}, element("span", { class: `time-${name.replace(" ", "-")}` }), ` ${name} ${seconds(totals[name])}`))),
    element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "Time by step" },
      element("table", { class: "time-table" },
        element("caption", {}, `Seconds by step and activity; ${seconds(all)} in all`),
        element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "Step"), element("th", { scope: "col" }, "Share"), used.map((name) => element("th", { scope: "col", class: "number" }, name)))),
        element("tbody", {}, data.steps.map((step) =>
          element("tr", { class: step.step === current ? "selected" : null },
            element("th", { scope: "row" }, element("a", { href: `#step-${step.step}`, onclick: () => onStep(step.step) }, String(step.step))),
            element("td", {}, bar(step.times)),
            used.map((name) => element("td", { class: "number" }, step.times[name] ? step.times[name].toFixed(3) : "–"))))))),
  ];
}

export function logPanel(step) {
  return [
    element("ol", { class: "events" }, step.events.map(({ type, ...fields }) =>
      element("li", {}, element("code", {}, type), " ", foreign(JSON.stringify(fields), 6000)))),
  ];
}

export function effectsSection(data) {
  const changed = data.effects.filter((app) => app.unknown || app.added.length || app.removed.length || app.changed.length);
  if (!data.ended) return null;
  const list = (title, texts) => (texts.length ? element("li", {}, `${title}: `, texts.map((text, place) => [place ? "; " : "", foreign(text, 300)])) : null);
  return element(
    "section", {},
    element("h2", {}, "What it changed"),
    data.effects_unknown ? element("p", { class: "quiet" }, `Unknown: `, foreign(data.effects_unknown, 600)) : null,
    changed.map((app) =>
      element("div", {}, element("h3", {}, visible(app.package)),
        app.unknown ? element("p", { class: "quiet" }, "Unknown: ", foreign(app.unknown, 600)) : element("ul", {}, list("added", app.added), list("removed", app.removed), list("changed", app.changed)))),
    changed.length || data.effects_unknown ? null : element("p", { class: "quiet" }, "Nothing."),
  );
}
