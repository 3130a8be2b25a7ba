// The page: an editor, and beside it what the linter says of the code.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { bracketMatching, defaultHighlightStyle, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { lintGutter, setDiagnostics } from "@codemirror/lint";
import { Compartment, EditorState } from "@codemirror/state";
import { oneDark } from "@codemirror/theme-one-dark";
import { drawSelection, EditorView, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { marked } from "marked";
import { packed, unpacked } from "./link.js";

const PAUSE_MS = 250;
const TARGETS = ["2.20", "2.16", "2.12", "2.10", "2.5", "1.15"];
const SEVERITIES = { error: "error", warning: "warning", advice: "info" };
const at = (name) => new URL(name, import.meta.url).href;
const root = document.getElementById("tfdata-lint-playground");

root.innerHTML = `
  <div class="pg-bar">
    <select class="pg-examples" aria-label="Example"><option value="">Examples…</option></select>
    <select class="pg-target" aria-label="TensorFlow"><option value="">newest TensorFlow</option></select>
    <button type="button" class="pg-link">Copy link</button>
    <span class="pg-state" role="status">Python is loading…</span>
  </div>
  <div class="pg-panes">
    <div class="pg-editor"></div>
    <div class="pg-side">
      <div class="pg-tabs" role="tablist"></div>
      <div class="pg-panel" role="tabpanel" tabindex="0"></div>
    </div>
  </div>`;
const part = (name) => root.querySelector(name);

// ── the linter ────────────────────────────────────────────────────────────────────────────────────────────────────

const worker = new Worker(at("worker.js"), { type: "module" });
const waiting = new Map();
let asked = 0;
let ready = false;

function ask(name, ...words) {
  worker.postMessage({ id: ++asked, name, words });
  return new Promise((resolve, reject) => waiting.set(asked, { resolve, reject }));
}

worker.onmessage = ({ data }) => {
  if (data.id) {
    const { resolve, reject } = waiting.get(data.id);
    waiting.delete(data.id);
    data.problem ? reject(new Error(data.problem)) : resolve(data.result);
  } else if (data.ready) {
    ready = true;
    check();
  } else say(`Python could not be started: ${data.problem}`);
};
worker.onerror = (problem) => say(`Python could not be started: ${problem.message ?? "see the console"}`);

const say = (text) => (part(".pg-state").textContent = text);

// ── the editor ────────────────────────────────────────────────────────────────────────────────────────────────────

const theme = new Compartment();
const isDark = () => {
  const scheme = document.body.dataset.mdColorScheme;
  return scheme ? scheme === "slate" : matchMedia("(prefers-color-scheme: dark)").matches;
};
const look = () => (isDark() ? oneDark : syntaxHighlighting(defaultHighlightStyle));

const editor = new EditorView({
  parent: part(".pg-editor"),
  state: EditorState.create({
    extensions: [
      lineNumbers(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), lintGutter(),
      indentUnit.of("    "), python(), theme.of(look()),
      keymap.of([...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.contentAttributes.of({ "aria-label": "Code" }),
      EditorView.updateListener.of((update) => update.docChanged && later()),
    ],
  }),
});
const code = () => editor.state.doc.toString();
const write = (text) => editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: text } });

function dress() {
  root.classList.toggle("pg-dark", isDark());
  editor.dispatch({ effects: theme.reconfigure(look()) });
}
dress();
new MutationObserver(dress).observe(document.body, { attributeFilter: ["data-md-color-scheme"] });
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", dress);

let timer;
function later() {
  clearTimeout(timer);
  timer = setTimeout(check, PAUSE_MS);
}

const offset = ({ row, column }) => {
  const line = editor.state.doc.line(Math.min(row, editor.state.doc.lines));
  return Math.min(line.from + [...line.text].slice(0, column - 1).join("").length, line.to);
};

const target = () => part(".pg-target").value;
for (const version of TARGETS) part(".pg-target").append(element("option", { value: version, textContent: `TensorFlow ${version}` }));
part(".pg-target").onchange = check;

let isNew = false;
// What is opened begins with its docstring; what matters is the first thing that was found.
function lead() {
  const first = findings.find((found) => found.severity === "error") ?? findings[0];
  if (isNew && first) editor.dispatch({ effects: EditorView.scrollIntoView(offset(first.location), { y: "center" }) });
  isNew = false;
}

let findings = [];
let graph = "";

async function check() {
  if (!ready) return;
  const text = code();
  const began = performance.now();
  try {
    ({ findings, graph } = await ask("checked", text, target()));
  } catch (problem) {
    return say(problem.message);
  }
  // What was typed meanwhile is asked for by then.
  if (text !== code()) return;
  const spent = Math.round(performance.now() - began);
  const marks = findings.map((found) => ({
    from: offset(found.location),
    to: Math.max(offset(found.end_location), offset(found.location)),
    severity: SEVERITIES[found.severity],
    source: found.code,
    message: [found.message, found.cost, found.advice].filter(Boolean).join("\n"),
  }));
  editor.dispatch(setDiagnostics(editor.state, marks));
  say(findings.length ? `${findings.length} finding${findings.length > 1 ? "s" : ""} in ${spent} ms` : `Nothing found, in ${spent} ms`);
  lead();
  show();
}

// ── beside it ─────────────────────────────────────────────────────────────────────────────────────────────────────

const PANELS = { Findings: showFindings, Pipelines: showGraph, Fixes: showFixes, Rule: showRule };
let open = "Findings";
let ruleShown = "";
let isUnsafe = false;

for (const name of Object.keys(PANELS)) {
  const tab = element("button", { type: "button", role: "tab", textContent: name });
  tab.onclick = () => turn(name);
  part(".pg-tabs").append(tab);
}

function element(name, properties = {}, ...children) {
  const made = Object.assign(document.createElement(name), properties);
  if (properties.role) made.setAttribute("role", properties.role);
  made.append(...children);
  return made;
}

function turn(name) {
  open = name;
  show();
}

async function show() {
  for (const tab of part(".pg-tabs").children) tab.setAttribute("aria-selected", String(tab.textContent === open));
  const wanted = open;
  let content;
  try {
    content = await PANELS[open]();
  } catch (problem) {
    content = [element("p", { textContent: problem.message })];
  }
  if (wanted === open) part(".pg-panel").replaceChildren(...content);
}

function showFindings() {
  if (!findings.length) return [element("p", { className: "pg-soft", textContent: ready ? "Nothing to report." : "…" })];
  return findings.map((found) => {
    const place = element("button", { type: "button", className: "pg-place", textContent: `line ${found.location.row}` });
    place.onclick = () => {
      editor.dispatch({ selection: { anchor: offset(found.location) }, scrollIntoView: true });
      editor.focus();
    };
    const rule = element("button", { type: "button", className: "pg-rule", textContent: `${found.code} ${found.name}` });
    rule.onclick = () => {
      ruleShown = found.code;
      turn("Rule");
    };
    const head = element("div", {}, element("b", { textContent: found.severity }), " ", rule, " ", place);
    const said = [found.cost, found.advice].filter(Boolean).map((text) => element("p", { innerHTML: inline(text) }));
    const message = element("p", { className: "pg-message", innerHTML: inline(found.message) });
    return element("article", { className: `pg-finding pg-${found.severity}` }, head, message, ...said, ...changes(found.change));
  });
}

const KINDS = { "+": "pg-added", "-": "pg-removed", "@": "pg-soft" };
const changes = (rows) => {
  const marked = rows.map((row) => element("span", { className: KINDS[row[0]] ?? "", textContent: `${row}\n` }));
  return rows.length ? [element("pre", { className: "pg-diff" }, ...marked)] : [];
};
const escaped = (text) => text.replace(/[&<>]/g, (sign) => `&#${sign.charCodeAt(0)};`);
const inline = (text) => escaped(text).replace(/`([^`]*)`/g, "<code>$1</code>");

async function showGraph() {
  if (!graph) return [element("p", { className: "pg-soft", textContent: "No pipeline is recovered from this code." })];
  // What the linter draws has every text of the code escaped.
  return [element("div", { innerHTML: graph })];
}

async function showFixes() {
  const box = element("input", { type: "checkbox", checked: isUnsafe });
  box.onchange = () => {
    isUnsafe = box.checked;
    show();
  };
  const label = element("label", {}, box, " unsafe ones, too");
  if (!ready) return [label];
  const { text, diff } = await ask("fixed", code(), isUnsafe, target());
  if (!diff) return [label, element("p", { className: "pg-soft", textContent: "Nothing that can be fixed." })];
  const apply = element("button", { type: "button", className: "pg-apply", textContent: "Apply" });
  apply.onclick = () => write(text);
  return [label, " ", apply, ...changes(diff.split("\n").slice(2))];
}

async function showRule() {
  const code = ruleShown || findings[0]?.code;
  if (!ready || !code) return [element("p", { className: "pg-soft", textContent: "Choose a finding." })];
  // Only what our own pages hold becomes HTML here. Their links to one another lead nowhere from this page.
  const text = (await ask("page", code)).replace(/\[([^\]]*)\]\((?!https?:)[^)]*\)/g, "$1").replace(/^```python .*$/gm, "```python");
  return [element("div", { className: "pg-page", innerHTML: marked.parse(text) })];
}

// ── examples and links ────────────────────────────────────────────────────────────────────────────────────────────

const examples = await (await fetch(at("examples.json"))).json();
for (const name of Object.keys(examples)) part(".pg-examples").append(element("option", { value: name, textContent: `${name}.py` }));
part(".pg-examples").onchange = ({ target }) => {
  if (target.value) start(examples[target.value]);
  target.value = "";
};
function start(text) {
  isNew = true;
  write(text);
}
// The cells of a notebook, as a script has them.
const cells = (notebook) => notebook.cells.filter((cell) => cell.cell_type === "code").map((cell) => `# %%\n${[cell.source].flat().join("")}\n`).join("\n");
part(".pg-editor").addEventListener("drop", async (event) => {
  const [file] = event.dataTransfer.files;
  if (!file) return;
  event.preventDefault();
  event.stopPropagation();
  try {
    const text = await file.text();
    start(file.name.endsWith(".ipynb") ? cells(JSON.parse(text)) : text);
  } catch {
    say(`${file.name} is no notebook`);
  }
}, true);
part(".pg-link").onclick = async () => {
  const link = new URL(location.href);
  link.hash = `code=${await packed(code())}`;
  history_(link);
  await navigator.clipboard?.writeText(link.href).catch(() => {});
  say("The link is copied, and stands in the address bar");
};
const history_ = (link) => window.history.replaceState(null, "", link);

const held = location.hash.match(/^#code=(.+)$/)?.[1];
start(held ? await unpacked(held).catch(() => "# The link is broken.\n") : Object.values(examples)[0]);
show();
