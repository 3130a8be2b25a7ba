"""Who follows `docs/writing-a-rule.md` to the letter has a rule, and its tests pass."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
GUIDE = (ROOT / "docs" / "writing-a-rule.md").read_text(encoding="utf-8")


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    for name in ("tfdata_lint", "rules", "tests", "docs"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__", "*.so"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_the_rule_of_the_guide(checkout: Path) -> None:
    (page, code), (place, text) = (
        re.findall(r"`(rules/\w+-[\w-]+\.md)`.*?^````markdown\n(.*?)^````$", GUIDE, re.MULTILINE | re.DOTALL)[0],
        re.findall(r"`(tfdata_lint/rules/\w+/\w+\.py)`.*?^```python\n(.*?)^```$", GUIDE, re.MULTILINE | re.DOTALL)[0],
    )
    name = Path(page).stem.replace("-", " ", 1)
    headings = list(dict.fromkeys(re.findall(r"`(## [^`]+)`", GUIDE)))
    assert "## Options" in headings
    example, marker, cases = code.partition("## Cases\n")
    own = {"## Example": example, "## Use instead": "", "## Cases": marker + cases}
    sections = [own.get(heading, f"{heading}\n\nOne sentence.\n") for heading in headings if heading != "## Options"]
    (checkout / page).write_text("\n".join([f"# {name}\n\n**performance**\n", *sections]), encoding="utf-8")
    (checkout / place).write_text(text, encoding="utf-8")
    env = {**os.environ, "PYTHONPATH": str(checkout)}
    subprocess.run([sys.executable, "tests/project/test_generated.py", "index"], cwd=checkout, env=env, check=True)
    pytest_ = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--quick"]
    run = subprocess.run(
        [*pytest_, "tests/rules", "-k", "TFD399"],
        cwd=checkout, env=env, capture_output=True, text=True,
    )  # fmt: skip
    assert run.returncode == 0, run.stdout
    assert re.search(r"[1-9]\d* passed", run.stdout)
