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
        for finding in sorted(findings, key=lambda one: one.span[1:3]):
            if self._is_wanted(source, finding):
                yield finding

    def _is_wanted(self, source: Source, finding: Finding) -> bool:
        exact = source.path, source.text, finding.code, finding.span[1:]
        alike = self._alike.setdefault(_alike(source, finding), {})
        if exact not in self._answers:
            earlier = {answer for text, answers in alike.items() if text != source.text for answer in answers}
            self._answers[exact] = earlier.pop() if len(earlier) == 1 else self._ask(source, finding)
        alike.setdefault(source.text, set()).add(self._answers[exact])
        return self._answers[exact]

    def _ask(self, source: Source, finding: Finding) -> bool:
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
        return self._answer(source.path)

    def _answer(self, path: str) -> bool:
        paint = painter(self._color)
        while True:
            print(paint("Apply this fix [y,n,a,d,q,?]? ", "note"), end="", flush=True)
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


def _alike(source: Source, finding: Finding) -> _Alike:
    rows = source.lines[finding.span.row - 1 : finding.span.end_row]
    return source.path, finding.code, finding.message, "\n".join(rows)
