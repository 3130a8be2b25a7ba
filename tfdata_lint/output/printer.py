"""What `tfdata-lint check` prints: findings as they come, what was fixed, and the summary."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from importlib import import_module
from itertools import filterfalse, groupby
from time import monotonic
from typing import TYPE_CHECKING, TextIO

from tfdata_lint.config.formats import STREAMED, TEXTS
from tfdata_lint.config.settings.model import ALWAYS_ON, NOTES
from tfdata_lint.lint.diagnostics import is_folded, rank
from tfdata_lint.lint.reports import Fixing, Suppressing
from tfdata_lint.source.visible import painted

if TYPE_CHECKING:
    from tfdata_lint.config.settings.model import Settings
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.lint.reports import FileReport
    from tfdata_lint.output.text import Text
    from tfdata_lint.rules.base import Severity

_AT_LEAST = {"error": ("error",), "warning": ("error", "warning"), "advice": ("error", "warning", "advice")}


class Printer:
    """Prints reports as they come, and counts."""

    def __init__(
        self,
        settings: Settings,
        changing: Fixing | Suppressing | None,
        out: TextIO,
        *,
        unsafe: bool,
        statistics: bool,
        quiet: bool,
        only_fixes: bool,
        show_fixes: bool,
        color: bool,
        worst_first: bool = False,
        with_overview: bool = False,
        is_complete: bool = True,
        with_advice: bool = True,
        with_evidence: bool = False,
        with_baseline: bool = False,
    ):
        """`is_complete`: each finding says everything, whatever others of its rule have said. `with_advice`: advice is
        printed as errors and warnings are, not in short. `with_evidence`: what costs most is told first.
        `with_baseline`: findings are written to a baseline, so that nothing is clear where none is left."""
        self.progress = _Progress(on=not quiet)
        self.problems: list[str] = []
        """What could not be written, and why."""
        self.checked = 0
        self.failing = 0
        """Findings that make the exit code 1; with a diff, the files that it changes."""
        self.internal_errors = 0
        self._changing = changing
        self._out = out
        self._format = settings.output_format
        self._unsafe = unsafe
        self._statistics = statistics
        self._quiet = quiet
        self._only_fixes = only_fixes
        self._show_fixes = show_fixes
        self._color = color
        self._worst_first = worst_first
        self._with_overview = with_overview
        self._is_complete = is_complete
        self._settings = settings
        self._with_advice = with_advice
        self._with_evidence = with_evidence
        self._with_baseline = with_baseline
        self._width = _terminal_width() if out.isatty() else 0
        self._fail_levels = _AT_LEAST[settings.fail_level]
        self._hidden = 0
        self._using = 0
        self._left: list[Diagnostic] = []
        self._fixed: list[Diagnostic] = []
        self._formatters: list[str] = []

    @property
    def has_fixed(self) -> bool:
        """Was something fixed, and written?"""
        return isinstance(self._changing, Fixing) and self._changing.write and bool(self._fixed)

    def add(self, report: FileReport) -> None:
        self.checked += not report.is_addition
        self._using += report.uses_tf_data
        self.progress.show(self.checked)
        if not (report.diagnostics or report.fixed or report.hidden or report.problem) and report.after is None:
            # As most of them.
            return
        if report.problem:
            self.problems.append(f"{report.path}: {report.problem}")
        self._fixed += report.fixed
        self._formatters += [report.formatter] * bool(report.formatter)
        if report.after is not None and self._changing and not self._changing.write:
            self.failing += 1
            self.progress.clear()
            self._print_diff(report)
        self.internal_errors += sum(diagnostic.code == "TFD002" for diagnostic in report.diagnostics)
        self._hidden += report.hidden
        self._left += report.diagnostics
        if self._only_fixes:
            self._print_hindrances(report.diagnostics)
            return
        self.failing += sum(map(self._fails, report.diagnostics))
        if report.diagnostics and self._streams and not self._statistics:
            self.progress.clear()
            self._print_findings(report.diagnostics)

    @property
    def _streams(self) -> bool:
        waits = self._with_evidence and self._format in TEXTS
        return self._format in STREAMED and not self._worst_first and not waits

    @cached_property
    def _text(self) -> Text:
        from tfdata_lint.output.text import Text

        concise = self._format == "concise"
        return Text(concise=concise, color=self._color, width=self._width, is_complete=self._is_complete)

    def _fails(self, diagnostic: Diagnostic) -> bool:
        is_told = diagnostic.severity in self._fail_levels and diagnostic.code not in NOTES
        return is_told and not self._is_shortened(diagnostic)

    def excuse(self, is_settled: Callable[[Diagnostic], bool]) -> None:
        """What turned out to be none does not make the exit code 1."""
        self.failing -= sum(self._fails(diagnostic) and is_settled(diagnostic) for diagnostic in self._left)

    def _print_findings(self, diagnostics: Sequence[Diagnostic]) -> None:
        if self._format not in TEXTS:
            module = import_module(f"tfdata_lint.output.{self._format.replace('-', '_')}")
            if text := module.render(diagnostics):
                if self._format == "junit" and _is_narrow(self._out):
                    text = text.encode("ascii", "xmlcharrefreplace").decode()
                print(text, file=self._out)
            return
        if self._with_evidence:
            diagnostics = sorted(filterfalse(is_folded, diagnostics), key=_cheapest_last)
        if self._format == "concise":
            for diagnostic in filterfalse(self._is_shortened, diagnostics):
                print(self._text.render(diagnostic), file=self._out)
            return
        from tfdata_lint.output.text import joined

        here = (d for d in diagnostics if d.code not in NOTES and not self._is_shortened(d))
        for diagnostic, others in joined(here):
            print(self._text.render(diagnostic, others), end="\n\n", file=self._out)

    def _is_shortened(self, diagnostic: Diagnostic) -> bool:
        if self._with_advice or self._statistics or self._format not in TEXTS or _is_at_stake(diagnostic):
            return False
        from tfdata_lint.output.advice import is_shortened

        return is_shortened(diagnostic, self._settings)

    def _print_notes(self) -> None:
        """One for all files that say the same: what they share matters, and how many they are."""
        notes = [d for d in self._left if d.code in NOTES] if self._format == "full" else []
        for message, alike in groupby(sorted(notes, key=_said), key=_said):
            first, *others = alike
            if others:
                rest = "1 more file" if len(others) == 1 else f"{len(others)} more files"
                first = first._replace(message=f"{message}; so it is in {rest}")
            print(self._text.render(first), end="\n\n", file=self._out)

    def _print_advice(self) -> None:
        left = self._left if self._format == "full" else ()
        shortened = filter(self._is_shortened, filterfalse(is_folded, left))
        if told := [] if self._quiet else list(shortened):
            from tfdata_lint.output.advice import in_short

            for line in in_short(told, self._width):
                print(painted(line), file=self._out)

    def _print_hindrances(self, diagnostics: Iterable[Diagnostic]) -> None:
        """Why a file, or a part of it, was not fixed."""
        from tfdata_lint.output.text import render

        for diagnostic in diagnostics:
            if diagnostic.code in ALWAYS_ON:
                self.progress.clear()
                print(render(diagnostic, concise=True), file=sys.stderr)

    def _print_diff(self, report: FileReport) -> None:
        from tfdata_lint.output.diff import put

        assert report.after is not None
        put(report.path, report.before, report.after, color=self._color)

    def close(self) -> None:
        """Print the summary."""
        self.progress.clear()
        if self._statistics and not self._only_fixes:
            self._print_statistics()
        elif not self._streams and not self._only_fixes:
            self._print_findings(sorted(self._left, key=rank) if self._worst_first else self._left)
        if not self._statistics and not self._only_fixes:
            self._print_notes()
            self._print_advice()
        if self._quiet or not self.checked:
            return
        is_text = self._format in TEXTS and not (self._changing and not self._changing.write)
        out = self._out if is_text else sys.stderr
        from tfdata_lint.output.text import wrapped

        for line in self._summary(full=is_text):
            print(painted("\n".join(wrapped(line, self._width, "  "))), file=out)

    def _print_statistics(self) -> None:
        rules = ((diagnostic.code, diagnostic.name, diagnostic.severity) for diagnostic in self._left)
        counts: Counter[tuple[str, str, Severity]] = Counter(rules)
        if self._format == "json":
            from tfdata_lint.output import json

            print(json.statistics(counts), file=self._out)
            return
        from tfdata_lint.output import summary

        for line in summary.statistics(counts, color=self._color):
            print(painted(line), file=self._out)

    def _summary(self, *, full: bool) -> Iterable[str]:
        from tfdata_lint.output import summary

        if isinstance(self._changing, Suppressing):
            if self._fixed or not self.problems:
                yield summary.suppressed(self._fixed, would=not self._changing.write)
            return
        if self._changing:
            yield from summary.fixed(self._fixed, would=not self._changing.write, each=self._show_fixes)
            yield from summary.formatted(self._formatters, would=not self._changing.write)
        if full and not self._only_fixes:
            told = list(filterfalse(is_folded, self._left))
            in_full = [diagnostic for diagnostic in told if not self._is_shortened(diagnostic)]
            is_long = self._format == "full" and len(self._left) > summary.MANY and not self._statistics
            if self._left and (is_long or self._with_overview):
                table = not self._statistics
                yield from summary.overview(in_full, table=table, color=self._color, width=self._width)
            files = {diagnostic.place.path for diagnostic in self._left}
            if self._left or not self._with_baseline:
                old = sum(d.severity == "warning" and self._is_shortened(d) for d in self._left)
                counts: Counter[str] = Counter(d.severity for d in self._left)
                using = self.checked if self._changing else self._using
                yield summary.summary(counts, len(files), self.checked, self._hidden, old, using)
            yield from summary.measured(self._left)
            yield from summary.assumed(in_full)
        elif self._with_evidence and not self._only_fixes:
            yield from summary.measured(self._left)
        if full or self._changing:
            left = list(filterfalse(is_folded, self._left))
            yield from summary.fixable(left, unsafe=self._unsafe, fixing=self._changing is not None)


def _is_at_stake(diagnostic: Diagnostic) -> bool:
    """Was it measured that something is to be gained? Then it is not told in short."""
    return diagnostic.evidence is not None and diagnostic.evidence.kind in ("confirmed", "waits")


def _cheapest_last(diagnostic: Diagnostic) -> float:
    return -diagnostic.evidence.cost if diagnostic.evidence else 0.0


class _Progress:
    """A line on a terminal that says how far a long run is."""

    def __init__(self, on: bool):
        self._on = on and sys.stderr.isatty()
        self._begin = monotonic()
        self._next = self._begin + 1
        self._shown = False

    def show(self, files: int) -> None:
        if self._on and (now := monotonic()) >= self._next:
            self._next = now + 0.1
            self._shown = True
            said = f"{files} file{'s' * (files != 1)} checked"
            print(f"\r{said}, {now - self._begin:.0f} s …", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _said(diagnostic: Diagnostic) -> str:
    return diagnostic.message


def _is_narrow(out: TextIO) -> bool:
    """Does it hold fewer characters than the UTF-8 that a report claims to be in?"""
    return (getattr(out, "encoding", None) or "utf-8").lower().replace("_", "-") not in ("utf-8", "utf8")


def _terminal_width() -> int:
    """`shutil` takes as long to import as a small file to lint: only a person at a terminal waits for it."""
    from shutil import get_terminal_size

    return get_terminal_size().columns
