"""`tfdata-lint check --fix --interactive`: ask a person about each fix, as `git add --patch` does about each hunk."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from typing import TYPE_CHECKING

from tfdata_lint.cli.common import UsageError
from tfdata_lint.lint.diagnostics import Placer
from tfdata_lint.output.text import painter, render
from tfdata_lint.source.editing import replaced
from tfdata_lint.source.replacement import Replacement
from tfdata_lint.source.visible import code_line

if TYPE_CHECKING:
    from tfdata_lint.rules.base import Finding
    from tfdata_lint.source.module import Source

_HELP = """\
y - apply this fix
n - do not apply this fix
a - apply this fix and all later ones in the file
d - apply neither this fix nor any later one in the file
q - quit: apply no further fix
? - print help"""

#: A finding in one text, and the same wherever it stands.
_Exact = tuple[str, str, str, tuple[int, int, int, int]]
_Alike = tuple[str, str, str, str]


def refuse_without_terminal() -> None:
    """Raise UsageError where nobody can answer."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise UsageError("--interactive needs a terminal to ask at; use --fix, or --diff to only look")


class Chooser:
    """Keeps the fixes that a person wants. An answer holds for the later passes over a file, too."""

    def __init__(self, *, color: bool) -> None:
        self._color = color
        self._answers: dict[_Exact, bool] = {}
        self._alike: dict[_Alike, dict[str, set[bool]]] = {}
        """Answers by text."""
        self._rest: tuple[str, bool] | None = None
        """The file of which the rest is answered, and how."""
        self._has_quit = False

    def __call__(self, source: Source, findings: Iterable[Finding]) -> Iterator[Finding]:
        if self._rest and self._rest[0] != source.path:
            self._rest = None
        given = sorted(findings, key=lambda one: one.span[1:3])
        open_ones = [finding for finding in given if self._known(source, finding) is None]
        for finding in given:
            answer = self._known(source, finding)
            if answer is None:
                answer = self._ask(source, finding, f"{open_ones.index(finding) + 1} of {len(open_ones)}")
            self._answers[_exact(source, finding)] = answer
            self._alike.setdefault(_alike(source, finding), {}).setdefault(source.text, set()).add(answer)
            if answer:
                yield finding

    def _known(self, source: Source, finding: Finding) -> bool | None:
        """What was answered before; None if it was not asked."""
        if (answer := self._answers.get(_exact(source, finding))) is not None:
            return answer
        alike = self._alike.get(_alike(source, finding), {})
        earlier = {answer for text, answers in alike.items() if text != source.text for answer in answers}
        return earlier.pop() if len(earlier) == 1 else None

    def _ask(self, source: Source, finding: Finding, which: str) -> bool:
        if self._has_quit:
            return False
        if self._rest:
            return self._rest[1]
        shown = Placer(source).diagnostic(finding)
        if sys.stderr.isatty():
            # The row of progress goes.
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()
        print(render(shown, color=self._color), *self._diff(source, finding), sep="\n")
        return self._answer(source.path, which)

    def _answer(self, path: str, which: str) -> bool:
        paint = painter(self._color)
        while True:
            print(paint(f"({which}) Apply this fix [y,n,a,d,q,?]? ", "note"), end="", flush=True)
            answer = (sys.stdin.readline() or "q\n").strip().lower()[:1]
            if answer in ("a", "d"):
                self._rest = path, answer == "a"
            self._has_quit = answer == "q"
            if answer in ("y", "n", "a", "d", "q"):
                return answer in ("y", "a")
            print(_HELP)

    def _diff(self, source: Source, finding: Finding) -> Iterator[str]:
        """The rows around the change. Headers would count the rows of a notebook, not of its cells."""
        paint = painter(self._color)
        fix = finding.fix
        edits = [edit for edit in fix.edits if edit.span.file == source.path] if fix else []
        after = replaced("\n".join(source.lines), [Replacement(*edit.span[1:], edit.text) for edit in edits])
        for row in list(unified_diff(source.lines, after.split("\n"), n=1, lineterm=""))[2:]:
            style = row[0] if row[0] in "-+" else ""
            text = "…" if row.startswith("@@") else code_line(row)
            yield paint(text, style) if style else text


def _exact(source: Source, finding: Finding) -> _Exact:
    return source.path, source.text, finding.code, finding.span[1:]


def _alike(source: Source, finding: Finding) -> _Alike:
    rows = source.lines[finding.span.row - 1 : finding.span.end_row]
    return source.path, finding.code, finding.message, "\n".join(rows)
