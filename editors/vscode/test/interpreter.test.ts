import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import * as path from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";

import { environmentIn, find, installing } from "../src/interpreter";
import { missing, PYTHON } from "./python";

describe("finding the server", { skip: process.platform === "win32" && "needs programs written in sh" }, () => {
  const before = process.env.PATH;
  let folder: string;

  /** An executable that says something. */
  function program(name: string, says = ""): string {
    const file = path.join(folder, name);
    writeFileSync(file, `#!/bin/sh\necho ${says}\n`);
    chmodSync(file, 0o755);
    return file;
  }

  beforeEach(() => {
    folder = mkdtempSync(path.join(tmpdir(), "tfdata-lint "));
    process.env.PATH = `${folder}:/usr/bin:/bin`;
  });

  afterEach(() => {
    process.env.PATH = before;
    rmSync(folder, { recursive: true });
  });

  test("the first interpreter that has the server wins", async () => {
    const choices = [
      { path: undefined, from: "nobody" },
      { path: program("without", "tfdata_lint"), from: "a" },
      { path: program("half", "pygls"), from: "b" },
      { path: program("with"), from: "c" },
      { path: program("later"), from: "d" },
    ];
    const found = await find(choices, folder);
    assert.deepEqual([found.command, found.from], [path.join(folder, "with"), "c"]);
  });

  test("then the program on the PATH", async () => {
    program("tfdata-lint", "tfdata-lint 1.0");
    const found = await find([{ path: path.join(folder, "gone"), from: "a" }], folder);
    assert.deepEqual(found, { command: "tfdata-lint", args: [], from: "PATH" });
  });

  test("what was tried is told when there is none", async () => {
    const choices = [
      { path: program("without", "tfdata_lint pygls"), from: "a" },
      { path: program("half", "pygls"), from: "b" },
    ];
    await assert.rejects(find(choices, folder), {
      message: [
        `${folder}/without (a) has no tfdata-lint`,
        `${folder}/half (b) has tfdata-lint without its extra \`lsp\``,
        "there is no `tfdata-lint` on the PATH",
      ].join("\n"),
      python: path.join(folder, "without"),
    });
  });

  test("nothing is installed in what cannot be run", async () => {
    const choices = [{ path: path.join(folder, "gone"), from: "a" }];
    await assert.rejects(find(choices, folder), { python: undefined });
  });

  test("the environment of the folder", () => {
    assert.equal(environmentIn(folder), undefined);
    assert.equal(environmentIn(undefined), undefined);
    mkdirSync(path.join(folder, ".venv", "bin"), { recursive: true });
    const python = program(path.join(".venv", "bin", "python"));
    assert.equal(environmentIn(folder), python);
  });

  test("pip is that of the interpreter, and takes a checkout of the folder", { skip: missing }, () => {
    writeFileSync(path.join(folder, "pip.py"), "raise SystemExit('wrong module')\n");
    const [isolated, ...pip] = installing("${workspaceFolder}/tfdata-lint[lsp]", folder);
    assert.deepEqual([isolated, ...pip], ["-I", "-m", "pip", "install", `${folder}/tfdata-lint[lsp]`]);
    const said = execFileSync(PYTHON, [isolated!, "-m", "pip", "--version"], { cwd: folder, encoding: "utf8" });
    assert.match(said, /^pip \d/);
  });

  test("nothing is taken instead of the interpreter in the settings", async () => {
    program("tfdata-lint", "tfdata-lint 1.0");
    const choices = [
      { path: "${workspaceFolder}/gone", from: "tfdata-lint.interpreter", only: true },
      { path: program("with"), from: "a" },
    ];
    await assert.rejects(find(choices, folder), /gone \(tfdata-lint\.interpreter\) cannot be run/);
  });

  test("a path may begin with the folder", async () => {
    program("with");
    const found = await find([{ path: "${workspaceFolder}/with", from: "a" }], folder);
    assert.equal(found.command, path.join(folder, "with"));
  });

  test("modules of the workspace do not stand in for those of Python", { skip: missing }, async () => {
    for (const module of ["argparse", "json", "tfdata_lint", "pygls"]) {
      writeFileSync(path.join(folder, `${module}.py`), "raise SystemExit('wrong module')\n");
    }
    const { command, args } = await find([{ path: PYTHON, from: "a", only: true }], folder);
    const said = execFileSync(command, [...args, "--version"], { cwd: folder, encoding: "utf8" });
    assert.match(said, /^tfdata-lint \d/);
  });
});
