// Python and the linter, in a thread of their own: the page never waits for them.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const at = (name) => new URL(name, import.meta.url).href;

async function start() {
  const [pyodide, wheel, glue] = await Promise.all([
    loadPyodide({ indexURL: at("pyodide/") }),
    fetch(at("tfdata_lint.whl")).then((answer) => answer.arrayBuffer()),
    fetch(at("playground.py")).then((answer) => answer.text()),
  ]);
  pyodide.unpackArchive(wheel, "wheel", { extractDir: "/lib/linter" });
  pyodide.runPython("import sys; sys.path.insert(0, '/lib/linter')");
  return pyodide.runPython(glue);
}

const started = start();
started.then(
  () => postMessage({ ready: true }),
  (problem) => postMessage({ problem: String(problem) }),
);
onmessage = async ({ data: { id, name, words } }) => {
  const answer = await started;
  try {
    postMessage({ id, result: JSON.parse(answer(name, ...words)) });
  } catch (problem) {
    postMessage({ id, problem: String(problem) });
  }
};
