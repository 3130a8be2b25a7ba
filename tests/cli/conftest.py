from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace

import pytest

from tfdata_lint import Rule
from tfdata_lint.cli import main
from tfdata_lint.lint import examining
from tfdata_lint.rules.base import Entry
from tfdata_lint.rules.meta import InternalError, UnreadableSource, UnusedSuppression


@dataclass(frozen=True)
class Run:
    """What a command did."""

    code: int
    out: str
    err: str


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("NO_COLOR", "FORCE_COLOR", "TFDATA_LINT_DEBUG", "VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Callable[..., Run]:
    """Runs the command line in this process."""

    def call(*arguments: str) -> Run:
        code = main(arguments)
        captured = capsys.readouterr()
        return Run(code, captured.out, captured.err)

    return call


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[Mapping[str, str | bytes]], Path]:
    """Writes files into an empty folder and makes it the working directory."""
    root = tmp_path / "project"
    root.mkdir()
    monkeypatch.chdir(root)

    def write(files: Mapping[str, str | bytes]) -> Path:
        for name, content in files.items():
            path = root / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        return root

    return write


@pytest.fixture
def stdin(monkeypatch: pytest.MonkeyPatch) -> Callable[[str | bytes], None]:
    """Puts a text where the next command reads its standard input."""

    def give(text: str | bytes) -> None:
        data = text.encode() if isinstance(text, str) else text
        monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(data)))

    return give


@pytest.fixture
def with_rules(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Makes these the rules that are on, besides those of the engine."""

    def use(*rules: Rule) -> None:
        meta: tuple[Rule, ...] = (UnreadableSource(), UnusedSuppression(), InternalError())
        active = tuple(map(Entry.of, (*meta, *rules)))
        monkeypatch.setattr(examining, "active_rules", lambda settings, ignored: active)

    return use
