"""What `--verify` says while it runs: one row on a terminal, lines elsewhere."""

from __future__ import annotations

import io

import pytest

from tfdata_lint.verify.command import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def said(out: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setattr("sys.stderr", out)
    monkeypatch.setenv("COLUMNS", "20")
    progress = Progress()
    for phase in ("starting", "starting", "the code runs and runs and runs"):
        progress(phase)
    progress.before(out.write)("a verdict\n")
    progress("judging")
    progress.clear()
    progress.clear()
    return out.getvalue()


def test_a_row_that_is_rewritten(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    clear = "\r\x1b[K"
    assert said(Terminal(), monkeypatch) == (
        f"  … starting{clear}  … the code runs a{clear}a verdict\n  … judging{clear}"
    )


@pytest.mark.parametrize(("terminal", "term"), [(False, "xterm"), (True, "dumb")])
def test_lines_elsewhere(terminal: bool, term: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", term)
    out = Terminal() if terminal else io.StringIO()
    assert said(out, monkeypatch) == ("  … starting\n  … the code runs and runs and runs\na verdict\n  … judging\n")
