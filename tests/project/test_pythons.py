"""The package alone, on the other Pythons that are here: it finds what it finds on this one."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.release

ROOT = Path(__file__).parents[2]
OLDEST = 10
BLOCK = re.compile(r"^```python.*?\n(.*?)^```", re.MULTILINE | re.DOTALL)


def _others() -> dict[str, str]:
    """Version → interpreter. Those that pyenv has need not be on the path."""
    managed = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    found = {}
    for minor in range(OLDEST, 20):
        name = f"3.{minor}"
        candidates = [shutil.which(f"python{name}"), *map(str, sorted(managed.glob(f"{name}.*/bin/python")))]
        works = (path for path in candidates if path and _version(path) == name)
        if minor != sys.version_info.minor and (path := next(works, None)):
            found[name] = path
    return found


def _version(path: str) -> str:
    words = [path, "-c", "import sys; print('%d.%d' % sys.version_info[:2])"]
    return subprocess.run(words, capture_output=True, text=True, check=False).stdout.strip()


@pytest.fixture(scope="module")
def code(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The blocks of all pages."""
    folder = tmp_path_factory.mktemp("pages")
    for page in sorted((ROOT / "rules").glob("*.md")):
        for number, block in enumerate(BLOCK.findall(page.read_text(encoding="utf-8"))):
            (folder / f"{page.stem}-{number}.py").write_text(block, encoding="utf-8")
    return folder


def _found(python: str, code: Path) -> list[str]:
    words = [python, "-m", "tfdata_lint", "check", "--isolated", "--no-cache", "-q", "--output-format", "concise", "."]
    done = subprocess.run(words, cwd=code, capture_output=True, text=True, check=False)
    assert done.returncode == 1, done.stderr
    return done.stdout.splitlines()


#: What the oldest can read they all can.
_VERSIONS = [
    pytest.param(version, marks=pytest.mark.nightly if place else ()) for place, version in enumerate(_others())
]


@pytest.mark.thorough
@pytest.mark.parametrize("version", _VERSIONS)
def test_it_finds_the_same(version: str, code: Path, tmp_path: Path) -> None:
    venv = tmp_path / "venv"
    subprocess.run([_others()[version], "-m", "venv", venv], check=True)
    python = str(venv / ("Scripts" if os.name == "nt" else "bin") / "python")
    subprocess.run([python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", ROOT], check=True)
    mine, others = _found(sys.executable, code), _found(python, code)
    assert len(mine) > 500
    # What no Python can parse, each says in its own words.
    syntax = [row for row in {*mine} ^ {*others} if " TFD000 " not in row]
    assert syntax == []
