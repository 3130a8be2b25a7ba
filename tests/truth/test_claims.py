"""What the rule pages say of TensorFlow holds on the one that is installed. `benchmarks/truth.py` asks older ones."""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from processes import PATIENCE, run
from rows import each

HERE = Path(__file__).parent
ROOT = HERE.parents[1]


class Written(NamedTuple):
    """A claim, as it is read from its file without TensorFlow."""

    name: str
    page: str
    said: str


def written() -> list[Written]:
    found = []
    for path in sorted((HERE / "claims").glob("*.py")):
        for node in ast.parse(path.read_bytes()).body:
            match getattr(node, "decorator_list", ()):
                case [ast.Call(func=ast.Name(id="claim"), args=[page, said])]:
                    name = f"{path.stem}.{node.name}"
                    found.append(Written(name, ast.literal_eval(page), ast.literal_eval(said)))
    return found


@pytest.mark.nightly  # Another TensorFlow changes them, hardly ever a commit.
@pytest.mark.tensorflow
def test_the_claims_hold() -> None:
    command = [sys.executable, str(HERE / "run.py")]
    environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "-1"}
    done = run(command, env=environment, stderr=subprocess.PIPE, patience=6 * PATIENCE)
    assert done.returncode == 0, done.stderr[-3000:]
    tried = json.loads(done.stdout)["claims"]
    assert {claim["name"] for claim in tried} == {claim.name for claim in written()}
    wrong = [claim for claim in tried if claim["outcome"] != "holds"]
    assert not wrong, "\n\n".join(f"{c['page']}: {c['said']}\n{c['why']}" for c in wrong)


@each("claim", written())
def test_the_page_says_so(claim: Written) -> None:
    [page] = (ROOT / "rules").glob(f"{claim.page}-*.md")
    assert claim.said in " ".join(page.read_text("utf-8").split())
