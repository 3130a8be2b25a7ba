"""Tries the claims of `claims/` on the TensorFlow of this interpreter, and prints what came out as JSON.

    python tests/truth/run.py [NAME]... [--jobs N]

Nothing but TensorFlow is needed. A claim is a function that asserts what a rule page says; each runs in a process of
its own, forked once TensorFlow is imported. One that needs what this TensorFlow does not have is "missing" there.
"""

from __future__ import annotations

import argparse
import importlib
import json
import os
import signal
import sys
import tempfile
import traceback
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from select import select
from typing import Any

HERE = Path(__file__).parent
#: Seconds that a claim may take.
LIMIT = 120


@dataclass(frozen=True)
class Claim:
    """A sentence of a rule page, and what tries it."""

    page: str
    """The code of the rule."""
    said: str
    """What the page says, word by word."""
    check: Callable[[], None]

    @property
    def name(self) -> str:
        return f"{self.check.__module__}.{self.check.__name__}"


CLAIMS: list[Claim] = []


def claim(page: str, said: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Make a function the proof of a sentence: it raises an AssertionError where that does not hold."""

    def register(check: Callable[[], None]) -> Callable[[], None]:
        CLAIMS.append(Claim(page, said, check))
        return check

    return register


def raises(work: Callable[[], Any]) -> str:
    """The name of the exception that some work raises, empty if it does not."""
    try:
        work()
    except Exception as error:
        return type(error).__name__
    return ""


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="claims, or the beginnings of their names (default: all)")
    parser.add_argument("--jobs", type=int, default=1)
    options = parser.parse_args(arguments)
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
    import tensorflow as tf

    # The claims find `claim` in this very module.
    sys.modules["run"] = sys.modules["__main__"]
    sys.path.insert(0, str(HERE / "claims"))
    for path in sorted((HERE / "claims").glob("*.py")):
        importlib.import_module(path.stem)
    wanted = [c for c in CLAIMS if not options.names or c.name.startswith(tuple(options.names))]
    with ThreadPoolExecutor(options.jobs) as pool:
        tried = list(pool.map(tried_alone, wanted))
    json.dump({"tensorflow": tf.__version__, "claims": tried}, answers)


def tried_alone(claim: Claim) -> dict[str, str]:
    """What comes out of a claim in a process of its own: `holds`, `fails` or `missing`, and why."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reader)
        _try(claim, writer)
    os.close(writer)
    answer = b""
    while select([reader], [], [], LIMIT)[0] and (data := os.read(reader, 65536)):
        answer += data
    os.close(reader)
    with suppress(ProcessLookupError):
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    outcome = json.loads(answer) if answer else {"outcome": "fails", "why": f"it crashed, or took more than {LIMIT} s"}
    return {"name": claim.name, "page": claim.page, "said": claim.said, **outcome}


def _try(claim: Claim, writer: int) -> None:
    outcome, why = "holds", ""
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        try:
            claim.check()
        except (AttributeError, ImportError) as error:
            outcome, why = "missing", f"{type(error).__name__}: {error}"
        except BaseException:
            outcome, why = "fails", traceback.format_exc(limit=-2)
    with os.fdopen(writer, "w") as answers:
        json.dump({"outcome": outcome, "why": why}, answers)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1:])
