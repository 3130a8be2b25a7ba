"""The hooks, run by pre-commit, which installs this project from a git repository."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
import samples

pytestmark = pytest.mark.release

ROOT = Path(__file__).parents[2]
#: What is needed to install the project.
PARTS = ("tfdata_lint", "rules", "pyproject.toml", "README.md", "LICENSE", "docs", ".pre-commit-hooks.yaml")
SAFELY_FIXABLE = samples.FIXABLE.replace("dataset.shuffle(", "dataset = dataset.shuffle(")
SETTINGS = '[tool.tfdata-lint]\nexclude = ["generated"]\n'

PreCommit = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """No git of the outside, and a place of its own for what pre-commit installs."""
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    author = {f"GIT_{who}_{what}": "a@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    return inherited | author | {"PRE_COMMIT_HOME": str(tmp_path_factory.mktemp("pre-commit"))}


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory, environment: dict[str, str]) -> str:
    """A repository of this project as it is now; a hook's configuration names it and its commit."""
    repository = tmp_path_factory.mktemp("project")
    for part in PARTS:
        if (ROOT / part).is_dir():
            shutil.copytree(ROOT / part, repository / part, ignore=shutil.ignore_patterns("__pycache__", ".*_cache"))
        else:
            shutil.copy(ROOT / part, repository / part)
    commit = committed(repository, environment)
    hooks = "".join(f"  - id: {name}\n" for name in ("tfdata-lint", "tfdata-lint-fix"))
    return f"repos:\n- repo: {repository.as_uri()}\n  rev: {commit}\n  hooks:\n{hooks}"


def committed(repository: Path, environment: dict[str, str]) -> str:
    def git(*arguments: str) -> str:
        return subprocess.run(
            ["git", *arguments], cwd=repository, env=environment, check=True, capture_output=True, text=True
        ).stdout.strip()

    git("init", "--quiet")
    git("add", "--all")
    git("commit", "--quiet", "--message", "all")
    return git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path, project: str, environment: dict[str, str]) -> Path:
    """A repository that uses the hooks, with something to fix in a module and in a notebook."""
    files = {
        ".pre-commit-config.yaml": project,
        "pyproject.toml": SETTINGS,
        "pipeline.py": SAFELY_FIXABLE,
        "pipeline.ipynb": samples.notebook(samples.DEPRECATED),
        "generated/pipeline.py": SAFELY_FIXABLE,
        "notes.txt": SAFELY_FIXABLE,
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text, encoding="utf-8")
    committed(tmp_path, environment)
    return tmp_path


@pytest.fixture
def pre_commit(repository: Path, environment: dict[str, str]) -> PreCommit:
    def call(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "pre_commit", *arguments],
            cwd=repository, env=environment, capture_output=True, text=True, check=False,
        )  # fmt: skip

    installed = call("install-hooks")
    if installed.returncode != 0:
        pytest.skip("what the hooks need cannot be installed here")
    return call


def test_they_find_and_fix(repository: Path, pre_commit: PreCommit) -> None:
    found = pre_commit("run", "tfdata-lint", "--all-files")
    assert found.returncode == 1
    assert "pipeline.py:9:19: warning TFD102" in found.stdout
    assert "pipeline.ipynb:cell 1:3:12: warning TFD701" in found.stdout
    assert "generated" not in found.stdout

    fixed = pre_commit("run", "tfdata-lint-fix", "--all-files")
    assert fixed.returncode == 1
    assert "files were modified by this hook" in fixed.stdout
    assert "Fixed 2 findings in 2 files:\n  pipeline.ipynb:cell 1:3:12 TFD701" in fixed.stdout
    assert "\n  pipeline.py:9:19 TFD102" in fixed.stdout
    assert "num_parallel_calls" in (repository / "pipeline.py").read_text(encoding="utf-8")
    assert (repository / "generated" / "pipeline.py").read_text(encoding="utf-8") == SAFELY_FIXABLE

    again = pre_commit("run", "--all-files")
    assert again.returncode == 0, again.stdout
