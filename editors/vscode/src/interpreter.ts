/** Where the server is to be found: in an interpreter, or on the PATH. */

import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import * as path from "node:path";
import { promisify } from "node:util";

/** A command that runs `tfdata-lint`, to which its arguments are added. */
export interface Program {
  command: string;
  args: string[];
  /** Who said so. */
  from: string;
}

/** An interpreter that somebody has chosen. */
export interface Choice {
  path: string | undefined;
  from: string;
  /** Nothing else will do. */
  only?: boolean;
}

/** There is no server; `python` is the first interpreter that it could be installed in, if there is one. */
export class Missing extends Error {
  constructor(
    problems: string[],
    readonly python?: string,
  ) {
    super(problems.join("\n"));
  }
}

// The working directory is that of the workspace, whose modules must not stand in for those of Python.
const SAFE = "import sys; sys.path[:] = filter(None, sys.path)";
const RUN = `${SAFE}; from tfdata_lint.cli import main; sys.exit(main())`;
const LOOK = `${SAFE}; from importlib.util import find_spec as f; print(*[m for m in ("tfdata_lint", "pygls") if not f(m)])`;
const PATIENCE = 20_000;

/** The first of the choices with the server in it, or else the program on the PATH. Throws `Missing`. */
export async function find(choices: Choice[], folder: string | undefined): Promise<Program> {
  const problems: string[] = [];
  let python: string | undefined;
  for (const { path, from, only } of choices) {
    if (!path) {
      continue;
    }
    const command = expanded(path, folder);
    const { problem, runs } = await look(command, folder);
    if (!problem) {
      return { command, args: ["-c", RUN], from };
    }
    problems.push(`${command} (${from}) ${problem}`);
    python ??= runs ? command : undefined;
    if (only) {
      throw new Missing(problems, python);
    }
  }
  try {
    await run("tfdata-lint", ["--version"], { timeout: PATIENCE });
    return { command: "tfdata-lint", args: [], from: "PATH" };
  } catch {
    throw new Missing([...problems, "there is no `tfdata-lint` on the PATH"], python);
  }
}

/** The interpreter of the virtual environment in a folder, if there is one. */
export function environmentIn(folder: string | undefined): string | undefined {
  const inside = process.platform === "win32" ? ["Scripts", "python.exe"] : ["bin", "python"];
  const python = folder && path.join(folder, ".venv", ...inside);
  return python && existsSync(python) ? python : undefined;
}

/** The arguments with which an interpreter installs the server. `-I`: not with a `pip` of the working directory. */
export function installing(requirement: string, folder: string | undefined): string[] {
  return ["-I", "-m", "pip", "install", expanded(requirement, folder)];
}

async function look(python: string, folder: string | undefined): Promise<{ problem: string; runs: boolean }> {
  try {
    const { stdout } = await run(python, ["-c", LOOK], { cwd: folder, timeout: PATIENCE });
    if (stdout.includes("tfdata_lint")) {
      return { problem: "has no tfdata-lint", runs: true };
    }
    return { problem: stdout.includes("pygls") ? "has tfdata-lint without its extra `lsp`" : "", runs: true };
  } catch (error) {
    const why = error instanceof Error ? error.message.split("\n")[0] : error;
    return { problem: `cannot be run: ${why}`, runs: false };
  }
}

function expanded(path: string, folder: string | undefined): string {
  return path.replace(/^~(?=[\\/]|$)/, homedir()).replace(/^\$\{workspaceFolder\}/, folder ?? "");
}

const run = promisify(execFile);
