"""What follows the findings: how many there are, the errors once more, what was fixed and what can be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from tfdata_lint.lint.diagnostics import RANKS, is_folded
from tfdata_lint.output.escapes import shown
from tfdata_lint.output.text import painter, said, wrapped
from tfdata_lint.source.visible import visible

if TYPE_CHECKING:
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.rules.base import Severity

#: From so many findings on they do not fit on a screen: then follows a table of them.
MANY = 10
#: So many errors are named once more.
_NAMED = 20


def overview(
    diagnostics: Sequence[Diagnostic], *, table: bool = True, color: bool = False, width: int = 0
) -> Iterator[str]:
    """How often each rule found something, unless the `table` was printed already, and where the errors are."""
    if table:
        yield from statistics(Counter((d.code, d.name, d.severity) for d in diagnostics), worst_first=True, color=color)
    yield ""
    errors = [diagnostic for diagnostic in diagnostics if diagnostic.severity == "error"]
    if not errors:
        return
    yield "Errors:"
    for diagnostic in map(shown, errors[:_NAMED]):
        yield from wrapped(f"  {diagnostic.place}: {diagnostic.code} {diagnostic.message}", width, "      ")
    if len(errors) > _NAMED:
        yield f"  … and {len(errors) - _NAMED} more"
    yield ""


def summary(
    counts: Counter[str], files: int, checked: int, hidden: int = 0, old: int = 0, using: int | None = None
) -> str:
    """The last line: how many findings of each severity, in how many of the files; and how many are not shown.

    `old`: the warnings about programs of TensorFlow 1, which are only counted. `using`: how many files use tf.data, if
    that is known.
    """
    rest = f"; {hidden} old {'one is' if hidden == 1 else 'ones are'} not shown." if hidden else "."
    if not counts and not hidden and checked > 1 and using not in (None, checked):
        uses = f"{using or 'none'} of {checked} files {'uses' if using == 1 else 'use'} tf.data"
        return f"All clear: no findings; {uses}."
    if not counts:
        return f"All clear: no {'new ' if hidden else ''}findings in {_count(checked, 'file')}{rest}"
    return f"Found {counted(counts, old)} in {files} of {_count(checked, 'file')}{rest}"


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
    yield (
        f"Assumed TensorFlow {versions}, because no version is declared: {', '.join(parts)} (set `target-tensorflow`)."
    )


def measured(diagnostics: Iterable[Diagnostic]) -> Iterator[str]:
    """How many findings are folded by what was measured, and of how many that is out of date."""
    kinds = Counter("folded" if is_folded(d) else d.evidence.kind for d in diagnostics if d.evidence)
    if count := kinds["folded"]:
        gains = "1 of them is folded: measurements show that it gains" if count == 1 else ""
        gains = gains or f"{count} of them are folded: measurements show that they gain"
        yield f"{gains} nothing (`--no-evidence` shows {'it' if count == 1 else 'them'})."
    if count := kinds["stale"]:
        what = f"The measurements of {_count(count, 'finding')} are out of date"
        yield f"{what} (`--verify` with `--ledger` measures again)."


def no_pipelines(files: int) -> str:
    """What `tfdata-lint graph` says of so many files."""
    return f"No pipelines in {_count(files, 'file')}."


def counted(counts: Counter[str], old: int = 0) -> str:
    """How many findings of each severity, in words."""
    warnings = counts["warning"] - old
    more = f"{old} more" if warnings else _count(old, "warning")
    parts = [
        (counts["error"], _count(counts["error"], "error")),
        (warnings, _count(warnings, "warning")),
        (old, f"{more} in TensorFlow 1 programs"),
        (counts["advice"], f"{_count(counts['advice'], 'piece')} of advice"),
    ]
    return ", ".join(part for count, part in parts if count)


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
    for diagnostic in map(shown, diagnostics):
        title = said(diagnostic.fix) if diagnostic.fix else ""
        yield f"  {diagnostic.place} {diagnostic.code} {diagnostic.name}: {title}"


def formatted(formatters: Iterable[str], *, would: bool) -> Iterator[str]:
    """How many files each formatter has laid out."""
    for formatter, count in sorted(Counter(formatters).items()):
        yield f"{'Would format' if would else 'Formatted'} {_count(count, 'file')} with {formatter}."


def fixable(diagnostics: Iterable[Diagnostic], *, unsafe: bool, fixing: bool) -> Iterator[str]:
    """How to fix what is left; after fixing, why that was not done."""
    offered = [
        (diagnostic, diagnostic.fix)
        for diagnostic in diagnostics
        if diagnostic.fix and diagnostic.fix.can_be_applied and not diagnostic.fix.is_needless
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
        yield f"{_count(len(hidden), 'finding')} can be fixed with `--fix --unsafe-fixes`:"
    reasons: dict[tuple[str, str, str], list[Diagnostic]] = {}
    for diagnostic, fix in hidden:
        reasons.setdefault((diagnostic.code, diagnostic.name, fix.reason), []).append(diagnostic)
    for (code, name, reason), found in reasons.items():
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        yield f"  {visible(str(found[0].place))}{more} {code} {name}: {visible(reason)}"


def suppressed(diagnostics: Sequence[Diagnostic], *, would: bool) -> str:
    """How many suppressions were written."""
    if not diagnostics:
        return "Nothing to suppress."
    files = {diagnostic.place.path for diagnostic in diagnostics}
    what = f"{_count(len(diagnostics), 'finding')} in {_count(len(files), 'file')}"
    return f"{'Would suppress' if would else 'Suppressed'} {what}."


def statistics(
    counts: Counter[tuple[str, str, Severity]], *, worst_first: bool = False, color: bool = False
) -> Iterator[str]:
    """A table of how often each rule found something, the most frequent first."""
    paint = painter(color)
    width = len(str(max(counts.values(), default=0)))
    names = max((len(name) for _, name, _ in counts), default=0)
    rows = sorted(counts.items(), key=lambda item: (worst_first and RANKS[item[0][2]], -item[1], item[0]))
    for (code, name, severity), count in rows:
        yield f"{count:>{width}}  {paint(code, 'code')}  {name:<{names}}  {paint(severity, severity)}"


def _count(number: int, word: str) -> str:
    return f"{number} {word}" if number == 1 else f"{number} {word}s"
