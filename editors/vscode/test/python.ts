/** The Python that the tests use, which sees this checkout. */

import { execFileSync } from "node:child_process";
import * as path from "node:path";

process.env.PYTHONPATH ??= path.resolve(__dirname, "../../../..");
process.env.PYTHONDONTWRITEBYTECODE = "1";

export const PYTHON = process.env.TFDATA_LINT_PYTHON ?? "python3";

/** Why nothing can be tested with it; false when all is there. */
export const missing = ((): string | false => {
  try {
    execFileSync(PYTHON, ["-c", "import libcst, pygls"], { stdio: "ignore" });
    return false;
  } catch {
    return `${PYTHON} does not have what the server needs`;
  }
})();
