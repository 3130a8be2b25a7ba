"""What other programs read: the hooks, the action, and the examples of `docs/ci.md`."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import samples
import yaml
from processes import run

pytestmark = pytest.mark.slow

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


_USES = re.compile(r"^\s*(?:- )?uses: (?P<action>[^./\s]\S*)(?: # (?P<version>v\d+\.\d+\.\d+))?$", re.MULTILINE)


def check(module: str, *arguments: str | Path) -> None:
    done = subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_action() -> None:
    check("check_jsonschema", "--builtin-schema", "vendor.github-actions", ROOT / "action.yml")


def test_what_proposes_newer_actions() -> None:
    if not (ROOT / ".github").exists():
        pytest.skip("only in a checkout")
    check("check_jsonschema", "--builtin-schema", "vendor.dependabot", ROOT / ".github" / "dependabot.yml")


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


def test_actions_of_others_are_pinned_by_commit() -> None:
    """Here and in what we tell others to write: a tag may be moved, a commit may not."""
    files = [ROOT / "action.yml", ROOT / "README.md", *(ROOT / ".github").rglob("*.yml")]
    files += [page for folder in ("docs", "editors", "website") for page in (ROOT / folder).rglob("*.md")]
    files = [file for file in files if "node_modules" not in file.parts]
    uses = [found for file in files for found in _USES.finditer(file.read_text(encoding="utf-8"))]
    assert len(uses) > 5
    versions: dict[str, set[str | None]] = {}
    for found in uses:
        action, version = found["action"], found["version"]
        assert re.fullmatch(r"[\w-]+(/[\w-]+)+@[0-9a-f]{40}", action), action
        assert version, f"{action} without its version in a comment"
        versions.setdefault("/".join(action.split("/")[:2]).partition("@")[0], set()).add(f"{action[-40:]} {version}")
    # Every mention names the same release.
    assert [name for name, found in versions.items() if len(found) > 1] == []


class Action:
    """The steps of the action that are scripts, as GitHub runs them."""

    def __init__(self, temporary: Path, workspace: Path) -> None:
        self.steps = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["runs"]["steps"]
        self.workspace = workspace
        self.outputs = temporary / "outputs"
        self.results = temporary / "tfdata-lint-results"
        self.python = temporary / "tfdata-lint" / "bin" / "python"
        self._values = {"runner.temp": str(temporary), "runner.os": "Linux", "runner.arch": "X64",
                        "github.action_path": str(ROOT)}  # fmt: skip

    def run(self, number: int, inputs: Mapping[str, str]) -> subprocess.CompletedProcess[str]:
        """Run a script, the first of which has the number 0."""
        step = [step for step in self.steps if "run" in step][number]
        values = self._values | {f"inputs.{name}": value for name, value in inputs.items()}
        variables = {
            name: re.sub(r"\$\{\{ (\S+) \}\}", lambda found: values[found[1]], text)
            for name, text in step["env"].items()
        }
        assert "${{" not in step["run"], "what a user writes must not become a part of the script"
        return run(
            [step["shell"], "--noprofile", "--norc", "-eo", "pipefail", "-c", step["run"]],
            cwd=self.workspace, env=os.environ | variables | {"GITHUB_OUTPUT": str(self.outputs)},
        )  # fmt: skip

    def check(self, **inputs: str) -> subprocess.CompletedProcess[str]:
        """Run the linter."""
        defaults = yaml.safe_load((ROOT / "action.yml").read_text(encoding="utf-8"))["inputs"]
        return self.run(2, {name: each["default"] for name, each in defaults.items()} | inputs)

    def pretend_installed(self) -> None:
        """Put in place of the installation what runs this source."""
        self.python.parent.mkdir(parents=True)
        python = shlex.quote(sys.executable)
        linter = f"PYTHONPATH={shlex.quote(str(ROOT))} exec {python} -m tfdata_lint"
        for name, command in {"python": f"exec {python}", "tfdata-lint": linter}.items():
            program = self.python.with_name(name)
            program.write_text(f'#!/bin/sh\n{command} "$@"\n', encoding="utf-8")
            program.chmod(0o755)


@pytest.fixture
def action(tmp_path: Path) -> Action:
    if shutil.which("bash") is None or os.name == "nt":
        pytest.skip("needs bash")
    workspace, temporary = tmp_path / "a checkout", tmp_path / "a temporary folder"
    for folder in (workspace / "my code", workspace / "$(touch pwned)", temporary):
        folder.mkdir(parents=True)
    for name in ("my code/train.py", "my code/it's *.py", "$(touch pwned)/b.py", "-c.py", "other.py"):
        (workspace / name).write_text(samples.DEPRECATED, encoding="utf-8")
    return Action(temporary, workspace)


def linted(done: subprocess.CompletedProcess[str]) -> list[str]:
    return [Path(finding["filename"]).as_posix() for finding in json.loads(done.stdout)]


def test_the_action_takes_paths_with_blanks(action: Action) -> None:
    """And with everything else that a shell would read, without a file that is not asked for."""
    action.pretend_installed()
    paths = "my code/it's *.py\n\n  $(touch pwned)  \n-c.py\n"
    done = action.check(paths=paths, format="json")
    assert done.returncode == 1
    assert linted(done) == ["$(touch pwned)/b.py", "-c.py", "my code/it's *.py"]
    assert not list(action.workspace.rglob("pwned"))

    assert len(linted(action.check(format="json"))) == 5
    found = action.check(args='--ignore "TFD102, TFD701" --output-file "a report.json"', format="json")
    assert (found.returncode, found.stdout) == (0, "")
    assert json.loads((action.workspace / "a report.json").read_text(encoding="utf-8")) == []
    assert linted(action.check(args="--exit-zero other.py", format="json")) == ["other.py"]
    wrong = action.check(args='--select "TFD1')
    assert (wrong.returncode, wrong.stdout) == (2, "::error::args: No closing quotation\n")


def test_the_action_keeps_results(action: Action) -> None:
    """In the folder that is cached, with the key that signs them; or nowhere."""
    action.pretend_installed()
    action.check(cache="false", args="--no-cache")
    assert not action.results.exists()
    first = action.check()
    assert (action.results / "home" / "tfdata-lint" / "key").is_file()
    assert any(file.is_file() for file in (action.results / "found" / "results").rglob("*"))
    assert not (action.workspace / ".tfdata_lint_cache").exists()
    assert "not kept" not in first.stdout
    assert action.check().stdout == first.stdout
    cached = [step["with"]["path"] for step in action.steps if "actions/cache/" in step.get("uses", "")]
    assert set(cached) == {"${{ runner.temp }}/tfdata-lint", "${{ runner.temp }}/tfdata-lint-results"}


def key(action: Action) -> Any:
    done = action.run(0, {})
    assert done.returncode == 0, done.stdout
    return action.outputs.read_text(encoding="utf-8").splitlines()[-1]


def test_the_key_of_an_installation(action: Action, tmp_path: Path) -> None:
    """It is that of the text of tfdata-lint, wherever that lies."""
    here = key(action)
    assert re.fullmatch(r"key=tfdata-lint-Linux-X64-[0-9a-f]{32}", here)
    copy = tmp_path / "copy"
    (copy / "tfdata_lint").mkdir(parents=True)
    shutil.copy(ROOT / "pyproject.toml", copy)
    action._values["github.action_path"] = str(copy)
    before = key(action)
    (copy / "tfdata_lint" / "new.py").write_text("")
    assert len({here, before, key(action)}) == 3
    (copy / "tfdata_lint" / "new.pyc").write_text("")
    (copy / "notes.txt").write_text("")
    assert key(action) == action.outputs.read_text(encoding="utf-8").splitlines()[2].strip()


@pytest.mark.thorough
@pytest.mark.slow
@pytest.mark.release
def test_the_action_installs(action: Action) -> None:
    """A module of the checkout does not stand in for one of Python."""
    (action.workspace / "json.py").write_text("raise SystemExit('this is not the json of Python')")
    installed = action.run(1, {})
    if installed.returncode and re.search("No matching distribution|Could not fetch|HTTPSConnection", installed.stdout):
        pytest.skip("what it needs cannot be had here")
    assert installed.returncode == 0, installed.stdout
    done = action.check(paths="my code", format="json")
    assert linted(done) == ["my code/it's *.py", "my code/train.py"]
