#!/usr/bin/env node
// Taps what the instruction names, in order, and closes dialogs that interrupt.
//   a process:  garabench run --agents process:./agent.js
//   a service:  node agent.js --port 8000     garabench run --agents http://127.0.0.1:8000/
"use strict";
const http = require("node:http");
const readline = require("node:readline");

const CLOSE = ["以后再说", "稍后再说", "暂不更新", "我知道了", "取消", "Not now", "Cancel"];
const ENTITIES = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

function unescape(text) {
  return text.replace(/&(?:#(\d+)|(\w+));/g, (all, code, name) =>
    code ? String.fromCodePoint(Number(code)) : (ENTITIES[name] ?? all));
}

// Every element of the tree that shows something, with the middle of its bounds.
function elements(tree) {
  return [...tree.matchAll(/<node ([^>]*?)\/?>/g)].map(([, attributes]) => {
    const get = (name) => unescape(new RegExp(`(?:^| )${name}="([^"]*)"`).exec(attributes)?.[1] ?? "");
    const [left, top, right, bottom] = get("bounds").match(/-?\d+/g).map(Number);
    return {
      label: get("text") || get("content-desc"),
      x: Math.trunc((left + right) / 2),
      y: Math.trunc((top + bottom) / 2),
    };
  }).filter((element) => element.label.length > 1);
}

function decide({ task, tree, history }) {
  const seen = elements(tree);
  const tap = ({ x, y, label }, thought) => ({ action: { type: "tap", x, y }, thought: `${thought} ${label}` });
  const dialog = seen.find(({ label }) => CLOSE.includes(label));
  if (dialog) return tap(dialog, "close by");
  const tapped = new Set(history.map(({ thought }) => thought.replace("tap ", "")));
  const named = seen
    .filter(({ label }) => task.instruction.includes(label) && !tapped.has(label))
    .sort((a, b) => task.instruction.indexOf(a.label) - task.instruction.indexOf(b.label));
  if (named.length) return tap(named[0], "tap");
  return { action: { type: "done" }, thought: "nothing more is named" };
}

// One message in, one answer out; start and end have none.
function answer(message) {
  switch (message.type) {
    case "hello": return { type: "ready", protocol: 1, image: "none" };
    case "observe": return { type: "decision", step: message.step, ...decide(message) };
    default: return null;
  }
}

function serve(port) {
  const server = http.createServer((request, response) => {
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      response.setHeader("Content-Type", "application/json");
      response.end(JSON.stringify(answer(JSON.parse(Buffer.concat(chunks)))));
    });
  });
  server.listen(port, "127.0.0.1", () => console.error(`listening on port ${server.address().port}`));
}

if (process.argv[2] === "--port") {
  serve(Number(process.argv[3]));
} else {
  readline.createInterface({ input: process.stdin }).on("line", (line) => {
    const said = answer(JSON.parse(line));
    if (said) process.stdout.write(JSON.stringify(said) + "\n");
  });
}
