// Writes all that is served into dist/, or the named folder: the page's code, Pyodide, and the linter of this checkout.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const here = dirname(fileURLToPath(import.meta.url));
const root = join(here, "..", "..");
const dist = process.argv[2] ?? join(here, "dist");

const EXAMPLES = ["train", "image_classification", "reviews", "speech", "clean"];
const PYODIDE = ["pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json"];

rmSync(dist, { recursive: true, force: true });
mkdirSync(join(dist, "pyodide"), { recursive: true });
await build({
  absWorkingDir: here,
  entryPoints: { playground: "main.js", worker: "worker.js" },
  outdir: dist,
  bundle: true,
  format: "esm",
  minify: true,
  target: "es2022",
  external: ["./pyodide/pyodide.mjs"],
});
for (const name of PYODIDE) cpSync(join(here, "node_modules", "pyodide", name), join(dist, "pyodide", name));
for (const name of ["playground.css", "playground.py", "index.html"]) cpSync(join(here, name), join(dist, name));
const examples = EXAMPLES.map((name) => [name, readFileSync(join(root, "examples", `${name}.py`), "utf8")]);
writeFileSync(join(dist, "examples.json"), JSON.stringify(Object.fromEntries(examples)));

const python = process.env.PYTHON ?? "python3";
execFileSync(python, ["-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", dist, root], { stdio: "inherit" });
const wheel = readdirSync(dist).find((name) => name.endsWith(".whl"));
renameSync(join(dist, wheel), join(dist, "tfdata_lint.whl"));
