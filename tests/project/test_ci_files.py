"""What other programs read: the hooks, the action, and the examples of `docs/ci.md`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
_EXAMPLE = re.compile(r"```yaml\n# (?P<file>\S+)\n(?P<text>.*?)```", re.DOTALL)
EXAMPLES = [
    (match["file"], match["text"]) for match in _EXAMPLE.finditer((ROOT / "docs" / "ci.md").read_text(encoding="utf-8"))
]
#: Some patterns of that schema are not right as Unicode patterns.
_PATTERNS = ("--regex-variant", "nonunicode")
#: The schemas that come with check-jsonschema, by the names of files.
SCHEMAS = {
    ".github/workflows/": ["vendor.github-workflows"],
    ".gitlab-ci.yml": ["vendor.gitlab-ci", "--data-transform", "gitlab-ci"],
    "azure-pipelines.yml": ["vendor.azure-pipelines", "--data-transform", "azure-pipelines", *_PATTERNS],
}


def check(module: str, *arguments: str | Path) -> None:
    done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_action() -> None:
    check("check_jsonschema", "--builtin-schema", "vendor.github-actions", ROOT / "action.yml")


def test_the_hooks() -> None:
    check("pre_commit", "validate-manifest", ROOT / ".pre-commit-hooks.yaml")


@pytest.mark.parametrize(("file", "text"), EXAMPLES, ids=[file for file, _ in EXAMPLES])
def test_the_examples(file: str, text: str, tmp_path: Path) -> None:
    path = tmp_path / "example.yml"
    path.write_text(text, encoding="utf-8")
    if file == ".pre-commit-config.yaml":
        check("pre_commit", "validate-config", path)
        return
    (schema,) = [schema for name, schema in SCHEMAS.items() if file.startswith(name)]
    check("check_jsonschema", "--builtin-schema", *schema, path)


def test_there_is_an_example_for_each_service() -> None:
    files = " ".join(file for file, _ in EXAMPLES)
    assert all(name in files for name in (*SCHEMAS, ".pre-commit-config.yaml"))
