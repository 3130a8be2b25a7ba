"""Programs of two files: no fix fails, and what changes them reports what a check says right after it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from moved_helpers import Program, programs
from rows import drawn, each

from tfdata_lint import Settings, lint_paths
from tfdata_lint.lint.diagnostics import Diagnostic
from tfdata_lint.lint.reports import Fixing, Suppressing
from tfdata_lint.testing import pages

pytestmark = pytest.mark.slow

PROGRAMS = list(programs())


class Folder:
    """An empty project with one of them."""

    def __init__(self, path: Path, program: Program) -> None:
        self.path = path
        code, target = pages.code_of(program.block.file), pages.target_of(program.block)
        self.settings = Settings(extend_select=(code,), target_tensorflow=target)
        (path / ".git").mkdir()
        self.write(program.files)

    def write(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            (self.path / name).write_text(text)

    def found(self, changing: Fixing | Suppressing | None = None) -> list[Diagnostic]:
        reports = lint_paths([str(self.path)], self.settings, changing)
        return [diagnostic for report in reports for diagnostic in report.diagnostics]


@each("program", drawn(PROGRAMS))
def test_fixing(program: Program, tmp_path: Path) -> None:
    folder = Folder(tmp_path, program)
    found = folder.found()
    assert "TFD002" not in {diagnostic.code for diagnostic in found}
    for unsafe in (False, True) if any(diagnostic.fix for diagnostic in found) else ():
        folder.write(program.files)
        would, said = folder.found(Fixing(unsafe, write=False)), folder.found(Fixing(unsafe))
        assert would == said == folder.found()
        assert "TFD002" not in {diagnostic.code for diagnostic in said}


@each("program", drawn(PROGRAMS))
def test_suppressing(program: Program, tmp_path: Path) -> None:
    folder = Folder(tmp_path, program)
    assert folder.found(Suppressing()) == []
    assert folder.found() == []
