"""Comments that suppress findings: `# noqa: TFD101`, `# tfdata-lint: ignore[TFD101]`, `# tfdata-lint: ignore-file`.

They are read, added for findings, and removed where they are unused. A comment holds for the whole logical line that
it stands in: a statement with all of its rows, or the header of a compound statement. It may give the code of a rule,
which is kept in upper case, its name or its group, which are kept in lower case.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Literal, NamedTuple

from tfdata_lint.source import layout
from tfdata_lint.source.replacement import Replacement

Kind = Literal["line", "file", "start", "end"]
_CODE = r"[A-Z]+[0-9]+\b"
#: A name or a group behind `noqa:`, where words of a reason may follow.
_NAME = r"[a-z0-9]+ (?: (?:-[a-z0-9]+)+(?![\w-]) | (?=\s*(?:[,\#]|$)) )"
#: Characters of a list of codes, and directives of one comment, that are read.
_LONGEST = 1_000
_MOST = 100
_DIRECTIVE = rf"""(?ix)
      \#\s*noqa(?![\w-]) (?: \s*(?P<colon>:)\s*
      (?P<noqa> (?:{_NAME}|{_CODE}) (?: \s*,\s*{_NAME} | [,\s]+{_CODE} )* )? )?
    | \#\s*(?P<ours>tfdata-lint)\s*:\s*
      (?: (?P<verb>ignore-file|ignore|off|on|disable|enable) (?![\w-])
      (?: \s*\[(?P<codes>[^\]\n]{{0,{_LONGEST}}})\] | (?!\s*(?:[\[=:(]|{_CODE})) ) )?
    """
_LISTED = r"[^,\s]+"
#: What was meant as part of a directive that is not understood: `# tfdata-lint: disable=TFD101`, `# tfdata-lint: skip`.
_MISTAKE = rf"(?ix)[\w-]*(?:[\[(=:,\s]+{_CODE})+(?:\s*[\])])? | [\w-]+(?=\s*(?:\#|$))"
#: What sets the words of a reason off from the directive before them.
_DASH = r"\s*(?:[-–—,;:.]+(?:\s+|$))?"
_LIKE_CODE = rf"(?i)[,\s]*{_CODE}"
#: Words that right after a `#` might be a directive, ours or of another tool.
_LIKE_DIRECTIVE = r"(?i)noqa\b|[\w-]+\s*:"
#: Where a `#` does not take a newline from a backslash.
_END_OF_ROW = r"(?m)(?<!\\)$"
_OURS = "TFD"
#: What the words after `tfdata-lint:` do, and `noqa`.
_KINDS: Mapping[str, Kind] = {
    "ignore": "line", "ignore-file": "file", "off": "start", "disable": "start", "on": "end", "enable": "end",
}  # fmt: skip
#: It reports suppressions, so it is not itself one that can be unused.
_UNUSED_SUPPRESSION = "TFD001"


class UnusedSuppression(NamedTuple):
    """A comment, or some of its codes, that suppressed nothing. Row from 1, column from 0 in bytes."""

    row: int
    column: int
    codes: tuple[str, ...]
    """What suppressed nothing, by code, name or group; none when it is for every rule or is not understood."""
    text: str
    """The directive as written; of one that is not understood, the whole comment."""
    is_understood: bool = True
    is_apart: bool = False
    """It is for a statement, but stands in a row of its own, outside of all statements."""
    is_ours: bool = True
    """Other linters read a `noqa`, too."""


class _Directive:
    __slots__ = ("apart", "codes", "column", "ended", "kind", "ours", "row", "text", "understood", "used")

    def __init__(
        self, row: int, column: int, text: str, codes: tuple[str, ...] | None, ours: bool, kind: Kind, understood: bool
    ) -> None:
        self.row = row
        self.column = column
        self.text = text
        self.codes = codes
        """Codes, names and groups. None: every rule."""
        self.ours = ours
        self.kind = kind
        self.understood = understood
        self.apart = False
        self.used: set[str] = set()
        """The codes, names and groups that suppressed something."""
        self.ended: dict[str, _Directive] = {}
        """Of an end: the beginnings by code, "" for every code."""

    def names(self, code: str) -> bool:
        return self.understood and (self.codes is None or code in self.codes)

    def suppresses(self, selectors: Collection[str]) -> bool:
        named = list(filter(self.names, selectors))
        self.used.update(named)
        return bool(named)


class _Range(NamedTuple):
    """Rows, the last one included, on which a comment suppresses."""

    row: int
    end_row: int
    start: _Directive


class Suppressions:
    """The suppressions of one file."""

    def __init__(self, parts: Iterable[tuple[int, str]]) -> None:
        """`parts` are texts with the row they begin at: a module, or each cell of a notebook."""
        self._parts = list(parts)
        self._split: dict[int, list[str]] = {}
        self._directives: list[_Directive] = []
        self._lines: list[tuple[int, int, list[_Directive]]] = []
        """Logical lines with directives: first row, last row, directives."""
        self._ranges: dict[str, list[_Range]] = {}
        """From `off` to `on` by code, "" for every code; those of one code follow each other."""
        for row, text in self._parts:
            lowered = text.lower()
            if "noqa" in lowered or "tfdata-lint" in lowered:
                self._read(row - 1, text)
        self._whole_file = [directive for directive in self._directives if directive.kind == "file"]

    def suppresses(self, selectors: Collection[str], row: int, end_row: int) -> bool:
        """Is a finding on these rows suppressed, given the code, name and group of its rule? Remembers by what.

        A span that ends in a later statement than it begins in is a block, of which only the header counts.
        """
        # All are asked, so that every comment that would do counts as used.
        verdicts = [
            directive.suppresses(selectors)
            for directive in (*self._on_line(row), *self._whole_file, *self._around(selectors, row))
        ]
        return any(verdicts)

    def unused(self, active: Collection[str], known: Collection[str] | None = None) -> list[UnusedSuppression]:
        """What suppressed nothing, of what was active in this run; with `known`, also what selects no rule."""
        for directive in self._directives:
            # The end of a range in which nothing is found goes with its beginning.
            directive.used |= {
                code for code, start in directive.ended.items() if (code in start.used if code else start.used)
            }
        found = (_unused(directive, active, known) for directive in self._directives)
        return [unused for unused in found if unused]

    def codes(self) -> Iterator[tuple[int, re.Match[str]]]:
        """Return each code of a directive with its row, from 1, as a match in the text of that row."""
        for directive in self._directives:
            part = bisect_right(self._parts, directive.row, key=lambda part: part[0]) - 1
            row = self._rows(part)[directive.row - self._parts[part][0]]
            yield from ((directive.row, code) for code in _listed(_directive_at(row, directive.column)))

    def removal(self, unused: UnusedSuppression) -> Replacement:
        """Takes the unused codes out of a comment; with the last of them the directive, and its row if it stood alone.

        Everything else that is in the comment stays a comment.
        """
        part = bisect_right(self._parts, unused.row, key=lambda part: part[0]) - 1
        first, rows = self._parts[part][0], self._rows(part)
        index = unused.row - first
        row = rows[index]
        found = _directive_at(row, unused.column)
        if rest := _other_codes(found, unused.codes):
            codes = _listed(found)
            return _in_row(unused.row, row, codes[0].start(), codes[-1].end(), rest)
        end, mark = _after(found)
        if end < len(row):
            return _in_row(unused.row, row, found.start(), end, mark)
        before = row[: found.start()].rstrip()
        if not before and _can_go(rows, index):
            return Replacement(unused.row, 0, unused.row + 1, 0, "")
        # A text must not end in a backslash.
        is_end = index + 1 == len(rows) and not before and _is_continued(rows, index)
        return _in_row(unused.row, row, len(before), len(row), "#" if is_end else "")

    def additions(self, findings: Iterable[tuple[str, int]], reason: str = "") -> list[Replacement]:
        """Comments that suppress findings, each given by its code and row; added to those that are there.

        Left out are findings that a comment suppresses already, and those with no room for one.
        Raises ValueError for a reason that cannot stand in a comment.
        """
        ignoring((), reason)  # Raises, whether or not the reason is then needed.
        wanted: dict[int, set[str]] = {}
        for code, row in findings:
            wanted.setdefault(row, set()).add(code.upper())
        added: list[Replacement] = []
        for part, (first, text) in enumerate(self._parts) if wanted else ():
            rows = self._rows(part)
            for line in layout.logical_lines(text):
                for row, codes in self._to_add(text, line, first - 1, wanted):
                    here = [directive for directive in self._on_line(row) if directive.row == row]
                    added.append(_addition(row, rows[row - first], here, sorted(codes), reason))
        return added

    def _to_add(
        self, text: str, line: layout.LogicalLine, offset: int, wanted: Mapping[int, Collection[str]]
    ) -> Iterable[tuple[int, set[str]]]:
        """The rows that codes are to be added to. One comment for a code is enough for the whole line."""
        asked = [row for row in range(line.row + offset, line.end_row + offset + 1) if row in wanted]
        if not asked:
            return ()
        room = [row + offset for row in _rows_with_room(text, line)]
        present = (*self._on_line(asked[0]), *self._whole_file)
        done: set[str] = set()
        places: dict[int, set[str]] = {}
        for row in asked:
            codes = {code for code in wanted[row] if not any(directive.names(code) for directive in present)} - done
            codes = {code for code in codes if not any(self._around((code,), row))}
            place = next((candidate for candidate in room if candidate >= row), None)
            if codes and place is not None:
                places.setdefault(place, set()).update(codes)
                done |= codes
        return places.items()

    def _rows(self, part: int) -> list[str]:
        """The rows of a part: of a file with many directives only once."""
        if part not in self._split:
            self._split[part] = self._parts[part][1].split("\n")
        return self._split[part]

    def _read(self, offset: int, text: str) -> None:
        open_: dict[str, _Directive] = {}
        for line in layout.logical_lines(text):
            here: list[_Directive] = []
            row, counted = line.row + offset, line.start
            for comment in line.comments:
                row += text.count("\n", counted, comment)
                counted = comment
                here += islice(_directives(text, comment, row), _MOST)
            if here:
                self._directives += here
                if not text[line.start : line.comments[0]].strip() and line.row == line.end_row:
                    for directive in here:
                        directive.apart = directive.kind == "line"
                on_line = [directive for directive in here if directive.kind == "line"]
                self._lines.append((line.row + offset, line.end_row + offset, on_line))
            for directive in here:
                if directive.kind == "start":
                    for code in directive.codes or ("",):
                        open_.setdefault(code, directive)
                elif directive.kind == "end":
                    for code in directive.codes or list(open_):
                        self._end(code, open_, directive.row, directive)
        for code in list(open_):
            self._end(code, open_, offset + text.count("\n") + 1)

    def _end(self, code: str, open_: dict[str, _Directive], row: int, end: _Directive | None = None) -> None:
        """A range ends, if one is open."""
        start = open_.pop(code, None)
        if start is not None:
            self._ranges.setdefault(code, []).append(_Range(start.row, row, start))
            if end is not None:
                end.ended[code] = start

    def _around(self, selectors: Iterable[str], row: int) -> Iterator[_Directive]:
        """The beginnings of the ranges that a row is in."""
        for key in (*selectors, ""):
            ranges = self._ranges.get(key, [])
            position = bisect_right(ranges, row, key=lambda range_: range_.row) - 1
            if position >= 0 and row <= ranges[position].end_row:
                yield ranges[position].start

    def _on_line(self, row: int) -> list[_Directive]:
        position = bisect_right(self._lines, row, key=lambda line: line[0]) - 1
        if position < 0 or row > self._lines[position][1]:
            return []
        return self._lines[position][2]


def ignoring(codes: Iterable[str], reason: str = "") -> str:
    """A comment that suppresses these codes, and says why. Raises ValueError for a reason that cannot stand in it."""
    reason = reason.strip()
    if "#" in reason or not reason.isprintable():
        raise ValueError("the reason for a suppression must be a single line of text without `#`")
    if re.match(_LIKE_CODE, reason):
        reason = f"- {reason}"
    return f"# tfdata-lint: ignore[{', '.join(codes)}] {reason}".rstrip()


def _directives(text: str, comment: int, row: int) -> Iterator[_Directive]:
    end = text.find("\n", comment)
    column, counted = 0, text.rfind("\n", 0, comment) + 1
    for found in re.compile(_DIRECTIVE).finditer(text, comment, end if end >= 0 else len(text)):
        ours = found["ours"] is not None
        listed = found["codes"] if ours else found["noqa"]
        codes = None if listed is None else tuple(dict.fromkeys(map(_selector, re.findall(_LISTED, listed))))
        column += len(text[counted : found.start()].encode("utf-8", "replace"))
        counted = found.start()
        understood = found["verb"] is not None and codes != () if ours else not found["colon"] or codes is not None
        kind = _KINDS.get((found["verb"] or "ignore").lower(), "line") if ours else "line"
        written = found[0] if understood else text[found.start() : end if end >= 0 else None]
        yield _Directive(row, column, written.rstrip(), codes, ours, kind, understood)


def _selector(text: str) -> str:
    return text.upper() if re.fullmatch(rf"(?i){_CODE}|{_OURS}\w*\d", text) else text.lower()


def _unused(directive: _Directive, active: Collection[str], known: Collection[str] | None) -> UnusedSuppression | None:
    codes: tuple[str, ...] = ()
    if directive.codes is not None and directive.understood:
        codes = tuple(
            code
            for code in directive.codes
            if (directive.ours or code.startswith(_OURS) or code.islower())
            and code not in directive.used
            and code != _UNUSED_SUPPRESSION
            and (code in active or (known is not None and code not in known))
        )
        if not codes:
            return None
    elif directive.understood and (not directive.ours or directive.used):
        # Other linters read a bare `noqa` too.
        return None
    return UnusedSuppression(
        directive.row, directive.column, codes, directive.text, directive.understood, directive.apart, directive.ours
    )


# ── edits ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _directive_at(row: str, column: int) -> re.Match[str]:
    found = re.compile(_DIRECTIVE).match(row, len(row.encode("utf-8", "replace")[:column].decode("utf-8", "replace")))
    assert found is not None
    return found


def _listed(found: re.Match[str]) -> list[re.Match[str]]:
    """The codes of a directive, in their row."""
    group = "codes" if found["ours"] else "noqa"
    return list(re.compile(_LISTED).finditer(found.string, *found.span(group))) if found[group] else []


def _other_codes(found: re.Match[str], unused: Collection[str]) -> str:
    """The list of a directive without the unused codes, which are all when none is named."""
    rest = ""
    end = 0
    for code in _listed(found) if unused else ():
        if _selector(code[0]) not in unused:
            rest += (found.string[end : code.start()] if rest else "") + code[0]
        end = code.end()
    return rest


def _after(found: re.Match[str]) -> tuple[int, str]:
    """Where the comment goes on after a directive, and what makes that a comment."""
    row = found.string
    is_mistake = not found["verb"] if found["ours"] else found["colon"] and not found["noqa"]
    end = _end(_MISTAKE, row, found.end()) if is_mistake else found.end()
    end = _end(_DASH, row, end)
    if end == len(row) or row[end] == "#":
        return end, ""
    return end, "# - " if re.compile(_LIKE_DIRECTIVE).match(row, end) else "# "


def _end(pattern: str, text: str, start: int) -> int:
    found = re.compile(pattern).match(text, start)
    return found.end() if found else start


def _can_go(rows: Sequence[str], index: int) -> bool:
    """Can this row be deleted with its newline? Not when the next then ends a statement, or names the encoding."""
    names_encoding = index < 2 and "coding" in "".join(rows[2:3])
    return index + 1 < len(rows) and not _is_continued(rows, index) and not names_encoding


def _is_continued(rows: Sequence[str], index: int) -> bool:
    return index > 0 and rows[index - 1].endswith("\\")


def _rows_with_room(text: str, line: layout.LogicalLine) -> Iterator[int]:
    """The rows of a logical line that a comment can end, or does."""
    # Every row gets a `#`; where that is not a comment, it is in a string.
    probe = re.sub(_END_OF_ROW, "#", text[line.start : line.end])
    row, end = line.row, 0
    for piece in layout.logical_lines(probe):
        for comment in piece.comments:
            row += probe.count("\n", end, comment)
            end = comment
            yield row


def _addition(
    number: int, row: str, directives: Iterable[_Directive], codes: Sequence[str], reason: str
) -> Replacement:
    # Into a comment of other linters nothing of ours is put: Ruff removes codes that it does not know.
    directive = next((one for one in directives if one.codes and one.ours and one.kind == "line"), None)
    if directive is None:
        return _in_row(number, row, len(row.rstrip()), len(row), f"  {ignoring(codes, reason)}")
    *others, last = _listed(_directive_at(row, directive.column))
    separator = row[others[-1].end() : last.start()] if others else ", "
    return _in_row(number, row, last.end(), last.end(), "".join(separator + code for code in codes))


def _in_row(number: int, row: str, start: int, end: int, text: str) -> Replacement:
    """From offsets in a row."""
    column, end_column = (len(row[:offset].encode("utf-8", "replace")) for offset in (start, end))
    return Replacement(number, column, number, end_column, text)
