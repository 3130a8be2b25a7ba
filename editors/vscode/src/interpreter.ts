/** Where the server is to be found: in an interpreter, or on the PATH. */

import { execFile } from "node:child_process";
import { homedir } from "node:os";
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

// The working directory is that of the workspace, whose modules must not stand in for those of Python.
const SAFE = "import sys; sys.path[:] = filter(None, sys.path)";
const RUN = `${SAFE}; from tfdata_lint.cli import main; sys.exit(main())`;
const LOOK = `${SAFE}; from importlib.util import find_spec as f; print(*[m for m in ("tfdata_lint", "pygls") if not f(m)])`;
const PATIENCE = 20_000;

/** The first of the choices with the server in it, or else the program on the PATH; throws with what was wrong. */
export async function find(choices: Choice[], folder: string | undefined): Promise<Program> {
  const problems: string[] = [];
  for (const { path, from, only } of choices) {
    if (!path) {
      continue;
    }
    const command = expanded(path, folder);
    const problem = await problemOf(command, folder);
    if (!problem) {
      return { command, args: ["-c", RUN], from };
    }
    problems.push(`${command} (${from}) ${problem}`);
    if (only) {
      throw new Error(problems.join("\n"));
    }
  }
  try {
    await run("tfdata-lint", ["--version"], { timeout: PATIENCE });
    return { command: "tfdata-lint", args: [], from: "PATH" };
  } catch {
    throw new Error([...problems, "there is no `tfdata-lint` on the PATH"].join("\n"));
  }
}

async function problemOf(python: string, folder: string | undefined): Promise<string> {
  try {
    const { stdout } = await run(python, ["-c", LOOK], { cwd: folder, timeout: PATIENCE });
    if (stdout.includes("tfdata_lint")) {
      return "has no tfdata-lint";
    }
    return stdout.includes("pygls") ? "has tfdata-lint without its extra `lsp`" : "";
  } catch (error) {
    return `cannot be run: ${error instanceof Error ? error.message.split("\n")[0] : error}`;
  }
}

function expanded(path: string, folder: string | undefined): string {
  return path.replace(/^~(?=[\\/]|$)/, homedir()).replace(/^\$\{workspaceFolder\}/, folder ?? "");
}

const run = promisify(execFile);
