"""Findings as text: `full` with the code and the way of the pipeline, or `concise`, one line each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tfdata_lint.config.settings.model import NOTES

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic, Place, PlacedFix

#: Longer lines of code are cut around what is marked.
WIDTH = 160

_STYLES = {"error": "1;31", "warning": "1;33", "advice": "1;36", "code": "1", "frame": "34", "note": "1;34"}


def render(diagnostic: Diagnostic, *, concise: bool = False, color: bool = False) -> str:
    """One finding, without a newline at its end."""
    paint = _painter(color)
    header = (
        f"{diagnostic.place}: {paint(diagnostic.severity, diagnostic.severity)} "
        f"{paint(diagnostic.code, 'code')} {diagnostic.name}: {diagnostic.message}"
    )
    if concise:
        return header
    if diagnostic.code in NOTES:
        return f"{header} ({diagnostic.advice[0].lower()}{diagnostic.advice[1:]})"
    return "\n".join([header, *_body(diagnostic, paint)])


def summary(counts: Counter[str], files: int, checked: int, hidden: int = 0) -> str:
    """The last line: how many findings of each severity, in how many of the files; and how many are not shown."""
    rest = f"; {hidden} old {'one is' if hidden == 1 else 'ones are'} not shown." if hidden else "."
    if not counts:
        return f"All clear: no {'new ' if hidden else ''}findings in {_count(checked, 'file')}{rest}"
    return f"Found {counted(counts)} in {files} of {_count(checked, 'file')}{rest}"


def assumed(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """Which TensorFlow was assumed where none is declared, if another one would change something."""
    resting = [diagnostic for diagnostic in diagnostics if diagnostic.assumed and diagnostic.by_version]
    if not resting:
        return
    versions = " and ".join(sorted({diagnostic.assumed for diagnostic in resting}, reverse=True))
    by_severity = Counter(diagnostic.severity for diagnostic in resting)
    turns = {"advice": "warning on an older one", "warning": "advice on a newer one"}
    parts = [
        f"{counted(Counter({severity: count}))} would have severity {turns[severity]}"
        for severity, count in sorted(by_severity.items())
    ]
    yield (f"Assumed TensorFlow {versions}, as no version is declared: {', '.join(parts)} (set `target-tensorflow`).")


def counted(counts: Counter[str]) -> str:
    """How many findings of each severity, in words."""
    words = [("error", "error"), ("warning", "warning"), ("advice", "piece")]
    parts = [
        _count(counts[severity], word) + (" of advice" if severity == "advice" else "")
        for severity, word in words
        if counts[severity]
    ]
    return ", ".join(parts)


def fixed(diagnostics: Sequence[Diagnostic], *, would: bool, each: bool) -> Iterator[str]:
    """What was fixed: how often each rule, or each finding."""
    if not diagnostics:
        yield "Nothing to fix." if would else "Fixed nothing."
        return
    files = {diagnostic.place.path for diagnostic in diagnostics}
    line = f"{'Would fix' if would else 'Fixed'} {_count(len(diagnostics), 'finding')} in {_count(len(files), 'file')}"
    if not each:
        counts = Counter(diagnostic.code for diagnostic in diagnostics)
        yield f"{line}: {', '.join(f'{count} {code}' for code, count in sorted(counts.items()))}."
        return
    yield f"{line}:"
    for diagnostic in diagnostics:
        title = _fix(diagnostic.fix) if diagnostic.fix else ""
        yield f"  {diagnostic.place} {diagnostic.code} {diagnostic.name}: {title}"


def fixable(diagnostics: Iterable[Diagnostic], *, unsafe: bool, fixing: bool) -> Iterator[str]:
    """How to fix what is left; after fixing, why that was not done."""
    offered = [
        (diagnostic, diagnostic.fix)
        for diagnostic in diagnostics
        if diagnostic.fix
        and diagnostic.fix.edits
        and diagnostic.fix.applicability != "display-only"
        and not diagnostic.fix.is_needless
    ]
    hidden = [(diagnostic, fix) for diagnostic, fix in offered if fix.applicability == "unsafe" and not unsafe]
    shown = len(offered) - len(hidden)
    if not fixing:
        options = "`--fix --unsafe-fixes`" if unsafe else "`--fix`"
        parts = [f"{shown} can be fixed with {options}"] * bool(shown)
        parts += [f"{len(hidden)}{' more' if shown else ' can be fixed'} with `--fix --unsafe-fixes`"] * bool(hidden)
        if parts:
            yield f"{', '.join(parts)}."
        return
    if hidden:
        yield f"{_count(len(hidden), 'finding')} can be fixed with `--unsafe-fixes`:"
    reasons: dict[tuple[str, str, str], list[Diagnostic]] = {}
    for diagnostic, fix in hidden:
        reasons.setdefault((diagnostic.code, diagnostic.name, fix.reason), []).append(diagnostic)
    for (code, name, reason), found in reasons.items():
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        yield f"  {found[0].place}{more} {code} {name}: {reason}"


def suppressed(diagnostics: Sequence[Diagnostic], *, would: bool) -> str:
    """How many suppressions were written."""
    if not diagnostics:
        return "Nothing to suppress."
    files = {diagnostic.place.path for diagnostic in diagnostics}
    what = f"{_count(len(diagnostics), 'finding')} in {_count(len(files), 'file')}"
    return f"{'Would suppress' if would else 'Suppressed'} {what}."


def statistics(counts: Counter[tuple[str, str, str]], *, color: bool = False) -> Iterator[str]:
    """A table of how often each rule found something, the most frequent first."""
    paint = _painter(color)
    width = len(str(max(counts.values(), default=0)))
    names = max((len(name) for _, name, _ in counts), default=0)
    for (code, name, severity), count in sorted(counts.items(), key=lambda item: (-item[1], item[0])):
        yield f"{count:>{width}}  {paint(code, 'code')}  {name:<{names}}  {paint(severity, severity)}"


class _painter:
    def __init__(self, color: bool):
        self.color = color

    def __call__(self, text: str, style: str) -> str:
        return f"\x1b[{_STYLES[style]}m{text}\x1b[0m" if self.color else text


def _body(diagnostic: Diagnostic, paint: _painter) -> Iterator[str]:
    related = diagnostic.related
    rows = [row for place in (diagnostic.place, *(r.place for r in related)) for row, _ in place.lines]
    gutter = len(str(max(rows, default=0)))
    edge = paint(" " * gutter + " |", "frame")
    if diagnostic.place.lines:
        yield edge
        yield from _frame(diagnostic.place, gutter, "^", diagnostic.severity, paint)
        yield edge
    for item in related:
        yield f"{' ' * gutter}{paint(':::', 'frame')} {item.place}: {item.message}"
        yield from _frame(item.place, gutter, "-", "note", paint)
        yield edge
    notes = [("cost", diagnostic.cost), ("advice", diagnostic.advice)]
    if diagnostic.confidence == "likely":
        notes.insert(0, ("confidence", "likely, not proven"))
    if diagnostic.fix:
        notes.append(("fix", _fix(diagnostic.fix)))
    notes += [("or", _fix(fix)) for fix in diagnostic.alternatives]
    for name, text in notes:
        if text:
            yield f"{' ' * gutter} {paint('=', 'frame')} {paint(name, 'code')}: {text}"


def _fix(fix: PlacedFix) -> str:
    return f"{fix.title} ({fix.applicability}: {fix.reason})" if fix.reason else f"{fix.title} ({fix.applicability})"


def _frame(place: Place, gutter: int, mark: str, style: str, paint: _painter) -> Iterator[str]:
    """The lines of a place, those in its range underlined."""
    previous = None
    for row, text in place.lines:
        if previous is not None and row > previous + 1:
            yield paint("." * max(gutter, 3), "frame")
        previous = row
        first, last = _marked(place, row, text)
        text, first, last = _cut(text, first, last)
        bar = paint(f"{row:>{gutter}} |", "frame")
        yield f"{bar} {_plain(text)}".rstrip()
        if first < last:
            empty = paint(" " * gutter + " |", "frame")
            marks = mark * max(_width(text[first:last]), 1)
            yield f"{empty} {' ' * _width(text[:first])}{paint(marks, style)}"


def _marked(place: Place, row: int, text: str) -> tuple[int, int]:
    """The marked columns of a row, from 0; equal when there are none."""
    if not place.row <= row <= place.end_row or (row > place.row and not text.strip()):
        return 0, 0
    indent = len(text) - len(text.lstrip())
    first = place.column - 1 if row == place.row else indent
    last = place.end_column - 1 if row == place.end_row else len(text.rstrip())
    return first, max(last, first + 1)


def _cut(text: str, first: int, last: int) -> tuple[str, int, int]:
    """A long line, cut so that the marked part is seen."""
    if len(text) <= WIDTH:
        return text, first, last
    start = 0 if last < WIDTH else max(0, first - WIDTH // 4)
    end = start + WIDTH
    before, after = "…" if start else "", "…" if end < len(text) else ""
    shift = start - len(before)
    return before + text[start:end] + after, first - shift, min(last - shift, WIDTH + len(before))


def _plain(text: str) -> str:
    """Tabs as four blanks; other control characters as one."""
    if text.isprintable():
        return text
    return "".join("    " if c == "\t" else c if c.isprintable() else " " for c in text)


def _width(text: str) -> int:
    """How many columns of a terminal a text takes, printed by `_plain`."""
    if text.isascii():
        return len(text) + 3 * text.count("\t")
    from unicodedata import combining, east_asian_width

    return sum(4 if c == "\t" else 0 if combining(c) else 2 if east_asian_width(c) in "WF" else 1 for c in text)


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
