/** What a user is asked whose interpreter has no server, with an editor that only remembers. */

import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import Module from "node:module";
import { homedir, tmpdir } from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";

/** All that can be had of the editor: what is not in `known` can be called, made and inherited from. */
function anything(name: string, known: Record<string, unknown>): unknown {
  const inner = (key: string): unknown => known[`${name}${key}`] ?? anything(`${name}${key}.`, known);
  return new Proxy(function () {}, {
    get: (target, key) =>
      typeof key === "symbol" || key === "then" ? undefined : key === "prototype" ? target.prototype : inner(key),
    apply: () => anything(name, known),
    construct: () => ({}),
  });
}

describe("a missing server", { skip: process.platform === "win32" && "needs programs written in sh" }, () => {
  const before = process.env.PATH;
  let folder: string;
  let offered: string[][];
  let started: unknown[][];
  let answer: string | undefined;
  let ended: (event: { execution: unknown; exitCode: number }) => unknown;

  let settings: Record<string, string>;
  let run: unknown;
  let typed: string | undefined;

  const log = Object.fromEntries(["info", "warn", "error", "show", "dispose"].map((name) => [name, () => {}]));
  const known: Record<string, unknown> = {
    "extensions.getExtension": () => undefined,
    "languages.createLanguageStatusItem": () => ({ dispose: () => {} }),
    "tasks.executeTask": async (task: unknown) => (run = task),
    "tasks.onDidEndTaskProcess": (then: typeof ended) => {
      ended = then;
      return { dispose: () => {} };
    },
    "window.createOutputChannel": () => log,
    "window.showWarningMessage": async (_: string, ...items: string[]) => {
      offered.push(items);
      return answer;
    },
    "window.showInputBox": async () => typed,
    "workspace.getConfiguration": (section: string) => ({
      get: (name: string) => settings[`${section}.${name}`],
    }),
    ProcessExecution: class {
      constructor(...made: unknown[]) {
        started.push(made);
      }
    },
  };

  async function activated(): Promise<void> {
    const load = (Module as unknown as { _load: (name: string, ...rest: unknown[]) => unknown })._load;
    const editor = anything("", known);
    Object.assign(Module, {
      _load: (name: string, ...rest: unknown[]) => (name === "vscode" ? editor : load.call(Module, name, ...rest)),
    });
    try {
      await require("../src/extension").activate({ subscriptions: [] });
    } finally {
      Object.assign(Module, { _load: load });
    }
  }

  /** What goes on without being waited for. */
  async function until(holds: () => unknown): Promise<void> {
    while (!holds()) {
      await new Promise(setImmediate);
    }
  }

  /** How often the interpreter was looked into. */
  const looks = () => readFileSync(path.join(folder, "looks"), "utf8").length;

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "tfdata-lint "));
    process.env.PATH = `${folder}:/usr/bin:/bin`;
    known["workspace.workspaceFolders"] = [{ uri: { fsPath: folder } }];
    settings = {
      "python.defaultInterpreterPath": path.join(folder, "python"),
      "tfdata-lint.installFrom": "${workspaceFolder}/checkout[lsp]",
    };
    [offered, started, answer, run, typed] = [[], [], undefined, undefined, undefined];
    // An interpreter without the server.
    writeFileSync(path.join(folder, "python"), `#!/bin/sh\nprintf x >> '${folder}/looks'\necho tfdata_lint\n`);
    chmodSync(path.join(folder, "python"), 0o755);
  });

  afterEach(() => {
    process.env.PATH = before;
    rmSync(folder, { recursive: true });
  });

  test("it is installed where its user wants that, and then looked for again", async () => {
    const python = path.join(folder, "python");
    answer = `Install in ${python}`;
    await activated();
    await until(() => run && ended);
    assert.deepEqual(offered, [[answer, "Show Log"]]);
    assert.deepEqual(started, [[python, ["-I", "-m", "pip", "install", `${folder}/checkout[lsp]`]]]);

    assert.equal(looks(), 1);
    await ended({ execution: "another", exitCode: 0 });
    await ended({ execution: run, exitCode: 1 });
    assert.equal(looks(), 1);
    await ended({ execution: run, exitCode: 0 });
    // It was in vain, and to ask once is enough.
    assert.deepEqual([looks(), offered.length], [2, 1]);
  });

  test("its user says from where, if no setting does", async () => {
    settings["tfdata-lint.installFrom"] = "";
    typed = "~/checkout[lsp]";
    answer = `Install in ${path.join(folder, "python")}`;
    await activated();
    await until(() => started.length);
    assert.deepEqual(started[0]?.[1], ["-I", "-m", "pip", "install", path.join(homedir(), "checkout[lsp]")]);
  });

  test("nothing is done where no answer comes", async () => {
    await activated();
    await until(() => offered.length);
    assert.deepEqual(started, []);
  });

  test("nothing is to be installed without an interpreter", async () => {
    rmSync(path.join(folder, "python"));
    await activated();
    await until(() => offered.length);
    assert.deepEqual(offered, [["Show Log"]]);
  });
});
