"""A wheel with the compiled pipeline finds what the sources find. It takes minutes to build, hence only in the night.

That mypyc understands the sources is always asked.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest
from rows import each

ROOT = Path(__file__).parents[2]

pytestmark = pytest.mark.release
TRANSLATE = "import sys, hatch_build; hatch_build.translated(sys.argv[1])"


def test_it_can_be_translated(tmp_path: Path) -> None:
    """mypyc crashes on some Python, `x in (a, *b)` for one: this is all but the C compiler."""
    done = subprocess.run([sys.executable, "-c", TRANSLATE, str(tmp_path)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert list(tmp_path.rglob("*.c"))


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("compiled")
    subprocess.run(
        [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", str(folder), str(ROOT)],
        env=os.environ | {"HATCH_BUILD_HOOK_ENABLE_CUSTOM": "1"}, check=True,
    )  # fmt: skip
    ZipFile(next(folder.glob("*.whl"))).extractall(folder)
    return folder


def run(package: Path, *arguments: str) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], env=os.environ | {"PYTHONPATH": str(package)}, cwd=ROOT / "examples",
        capture_output=True, text=True,
    )  # fmt: skip
    assert "Traceback" not in done.stderr
    return done.stdout


@pytest.mark.nightly
def test_all_of_the_pipeline_is_compiled(compiled: Path) -> None:
    sources = [path for path in (compiled / "tfdata_lint/pipeline").rglob("*.py") if path.stat().st_size]
    assert sources
    assert all(list(path.parent.glob(f"{path.stem}.*-*")) for path in sources)
    loaded = run(compiled, "-c", "import tfdata_lint.pipeline.recover as door; print(door.__file__)")
    assert not loaded.rstrip().endswith(".py")


@pytest.mark.nightly
@each("arguments", [["check", "--output-format=full"], ["check", "--diff"], ["graph"]])
def test_it_finds_the_same(arguments: list[str], compiled: Path) -> None:
    files = sorted(path.name for path in (ROOT / "examples").glob("*.py"))
    command = ["-m", "tfdata_lint", *arguments, *files]
    if arguments[0] == "check":
        command.append("--no-cache")
    found = run(compiled, *command)
    assert found
    assert found == run(ROOT, *command)
