"""Comments that suppress findings: `# noqa: TFD101`, `# tfdata-lint: ignore[TFD101]`, `# tfdata-lint: ignore-file`.

A comment holds for the whole logical line that it stands in: a statement with all of its rows, or the header of a
compound statement.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

from tfdata_lint.source import layout

_CODE = r"[A-Z]+[0-9]+\b"
_DIRECTIVE = re.compile(
    rf"""
      \#\s*noqa(?![\w-]) (?: \s*:\s*(?P<noqa>{_CODE}(?:[,\s]\s*{_CODE})*) )?
    | \#\s*tfdata-lint\s*:\s*
      (?: (?P<verb>ignore-file|ignore) (?![\w-]) (?: \s*\[(?P<codes>[^\]\n]*)\] | (?!\s*(?:[\[=:(]|{_CODE})) ) )?
    """,
    re.VERBOSE | re.IGNORECASE,
)
_OURS = "TFD"
#: It reports suppressions, so it is not itself one that can be unused.
_UNUSED_SUPPRESSION = "TFD001"


@dataclass(frozen=True, slots=True)
class UnusedSuppression:
    """A comment, or some of its codes, that suppressed nothing. Row from 1, column from 0 in bytes."""

    row: int
    column: int
    codes: tuple[str, ...]
    """The codes that suppressed nothing; none when the comment is for every rule or is not understood."""
    text: str
    """The directive as written."""


@dataclass(slots=True)
class _Directive:
    row: int
    column: int
    text: str
    codes: tuple[str, ...] | None
    """None: every code."""
    ours: bool
    whole_file: bool
    understood: bool
    used: set[str] = field(default_factory=set)

    def suppresses(self, code: str) -> bool:
        if not self.understood or (self.codes is not None and code not in self.codes):
            return False
        self.used.add(code)
        return True


class Suppressions:
    """The suppressions of one file."""

    def __init__(self, parts: Iterable[tuple[int, str]]) -> None:
        """`parts` are texts with the row they begin at: a module, or each cell of a notebook."""
        self._directives: list[_Directive] = []
        self._lines: list[tuple[int, int, list[_Directive]]] = []
        """Logical lines with directives: first row, last row, directives."""
        for row, text in parts:
            lowered = text.lower()
            if "noqa" in lowered or "tfdata-lint" in lowered:
                self._read(row - 1, text)
        self._whole_file = [directive for directive in self._directives if directive.whole_file]

    def suppresses(self, code: str, row: int, end_row: int) -> bool:
        """Is a finding of this code on these rows suppressed? Remembers by which comment.

        A span that ends in a later statement than it begins in is a block, of which only the header counts.
        """
        # All are asked, so that every comment that would do counts as used.
        verdicts = [directive.suppresses(code.upper()) for directive in (*self._on_line(row), *self._whole_file)]
        return any(verdicts)

    def unused(self, active: Collection[str], known: Collection[str] | None = None) -> list[UnusedSuppression]:
        """What suppressed nothing, of the codes that were active in this run; with `known`, also codes no rule has."""
        found = (_unused(directive, active, known) for directive in self._directives)
        return [unused for unused in found if unused]

    def _read(self, offset: int, text: str) -> None:
        for line in layout.logical_lines(text):
            here = [directive for comment in line.comments for directive in _directives(text, comment, offset)]
            if here:
                self._directives += here
                self._lines.append((line.row + offset, line.end_row + offset, here))

    def _on_line(self, row: int) -> list[_Directive]:
        position = bisect_right(self._lines, row, key=lambda line: line[0]) - 1
        if position < 0 or row > self._lines[position][1]:
            return []
        return self._lines[position][2]


def _directives(text: str, comment: int, offset: int) -> Iterator[_Directive]:
    end = text.find("\n", comment)
    row = text.count("\n", 0, comment) + 1 + offset
    start_of_row = text.rfind("\n", 0, comment) + 1
    for found in _DIRECTIVE.finditer(text, comment, end if end >= 0 else len(text)):
        ours = found["verb"] is not None or "noqa" not in found[0].lower()
        listed = found["codes"] if ours else found["noqa"]
        codes = None if listed is None else tuple(dict.fromkeys(re.findall(r"[^,\s]+", listed.upper())))
        column = len(text[start_of_row : found.start()].encode("utf-8", "replace"))
        understood = not ours or (found["verb"] is not None and codes != ())
        whole_file = ours and (found["verb"] or "").lower() == "ignore-file"
        yield _Directive(row, column, found[0].rstrip(), codes, ours, whole_file, understood)


def _unused(directive: _Directive, active: Collection[str], known: Collection[str] | None) -> UnusedSuppression | None:
    codes: tuple[str, ...] = ()
    if directive.codes is not None and directive.understood:
        codes = tuple(
            code
            for code in directive.codes
            if (directive.ours or code.startswith(_OURS))
            and code not in directive.used
            and code != _UNUSED_SUPPRESSION
            and (code in active or (known is not None and code not in known))
        )
        if not codes:
            return None
    elif not directive.ours or directive.used:
        # Other linters read a bare `noqa` too.
        return None
    return UnusedSuppression(directive.row, directive.column, codes, directive.text)
