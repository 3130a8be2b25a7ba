"""Where a text sets a name, by its bytes: as an attribute, by its name in quotes, or in code that is executed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

#: Characters before a name in which the call may begin that is given it.
_BEFORE = 120
#: Bytes of a row that patterns are tried on, and rows that one statement has.
_LONG = 2_000
_CONTINUED = 100
_IMPORT = re.compile(rb"[ \t]*(?:from|import)[ \t](?:[^\n\\(]|\\\n)*(?:\([^)]{0,10000}\))?")

#: Names that are set: in something else than `self`, by name, by their own attributes; those of libraries.
_TAKES = rb"\s*(?:[-+*/|&^%%@]|//|\*\*|<<|>>)?=(?!=)"
_OF_LIBRARY = rb"\b(?:tf|tensorflow|np|numpy|keras|Dataset)(?:\.\w+)*"
_BY_NAME_OF_LIBRARY = rb"(?:patch|patch\.object|setattr)\(\s*['\"]?" + _OF_LIBRARY + rb"(?:\.|\s*,\s*['\"])%s['\"]"
#: Names in code that is executed, and such code that is not written there, or goes over several rows.
_IN_CODE = rb"(?<![\w.])exec\([^\n]*\b%s\b"
_EXECUTED = rb"(?<![\w.])exec\(\s*(?!r?(?:'(?!'')|\"(?!\"\")))"
_BY_NAME = rb"(?:setattr|patch|vars|globals|__dict__)\b(?:[^\n]*|[^'\"]*)['\"](?:[\w.]*\.)?%s['\"]"
#: What must be there, and what it must be part of.
_MEANT: dict[str, tuple[tuple[bytes, bytes], ...]] = {
    "=": ((b"%s", rb"\b%s\b"),),
    "-": ((b"def %s", rb"\bdef %s\b"),),
    "@": (
        (b".%s", rb"(?<!\bself)(?<!\bcls)\.%s" + _TAKES),
        (b".%s", rb"(?m)^[\w.\[\], \t]*\.%s\s*,[^=\n()]*=(?!=)"),
        (b"%s'", _BY_NAME),
        (b'%s"', _BY_NAME),
        (b"%s.__", rb"\b%s\.__\w+__" + _TAKES),
        (b".%s", rb"(?:for|as|del)\s+[\w.]+\.%s\b"),
        (b"exec(%.0s", _IN_CODE),
    ),
    "~": (
        (b".%s", _OF_LIBRARY + rb"\.%s" + _TAKES),
        (b"%s'", _BY_NAME_OF_LIBRARY),
        (b'%s"', _BY_NAME_OF_LIBRARY),
    ),
}
#: What follows an attribute that is set or stands before a comma, and what is before one of a loop, an alias or `del`:
#: one of both is there wherever the patterns above match it.
_FOLLOWING = re.compile(rb"\s*(?:,|[-+*/|&^%@<>]{0,2}=)")
_PRECEDING = (b"for", b"as", b"del")
_DOTTED = bytes(code for code in range(128) if chr(code).isalnum() or chr(code) in "_.")
#: Characters of such a chain that are looked at.
_CHAIN = 80
#: A key that is not written, and is assigned; a very long one may be.
_ANY_KEY = rb"\[[^'\"\]](?:[^\]]{0,300}\][^=\n]{0,3}=(?!=)|[^\]]{301})"
_GLOBALS = rb"\bglobals\(\)(?:\.(?:update|setdefault)|" + _ANY_KEY + rb")"
_REFLECTING = (b"setattr", b"globals()", b"vars(", b"exec(")


class Ways(NamedTuple):
    """By what a text may set a name otherwise than as an attribute: nearly none does."""

    by_name: bool
    by_attributes: bool
    by_code: bool


def ways_in(data: bytes) -> Ways:
    """Those of a text, to be found once."""
    by_name = b"setattr" in data or b"patch" in data or b"vars" in data or b"globals" in data or b"__dict__" in data
    return Ways(by_name, b".__" in data, b"exec(" in data)


def is_meant(word: str, text: str) -> bool:
    """As `is_written`, of `@name`, `~name` and `*`, in one text."""
    data = text.encode(errors="replace")
    return bool(set_by_computed_names(data, b"")) if word == "*" else matches(word, data)


def may_execute(name: str, text: str) -> bool:
    """May a text run code that sets a name?"""
    data = text.encode(errors="replace")
    return b"exec(" in data and any(
        re.search(part, data) for part in (_EXECUTED, _IN_CODE % name.encode(errors="replace"))
    )


def matches(word: str, data: bytes, ways: Ways | None = None) -> bool:
    """Is a word, with what it begins with, meant so in a text?"""
    kind, name = word[0], word[1:].encode(errors="replace")
    if name not in data or not (places := sorted(_places(kind, name, data, ways))):
        return False
    found = [(row, match) for row in _rows_with(name, data, places) for match in _meant(kind, name, row)]
    if not found or kind != "@" or re.search(rb"\bdef %s\b" % name, data):
        return bool(found)
    # What a class of this file has is nobody else's.
    holders = (re.search(rb"\w*$", row[: match.start()]) for row, match in found)
    return not all(holder and holder[0] and re.search(rb"(?m)^class %s\b" % holder[0], data) for holder in holders)


def _places(kind: str, name: bytes, data: bytes, ways: Ways | None) -> Iterator[int]:
    """Where it may be meant: a plain search, as this is asked of every file of a project."""
    if kind == "=":
        yield from _positions(name, data)
    elif kind == "-":
        yield from (place + 4 for place in _positions(b"def " + name, data))
    else:
        yield from (place for place in _positions(b"." + name, data) if _may_set(data, place, len(name) + 1))
        ways = ways or ways_in(data)
        if ways.by_name:
            yield from _positions(name + b"'", data)
            yield from _positions(name + b'"', data)
        if kind == "@" and ways.by_attributes:
            yield from _positions(name + b".__", data)
        if kind == "@" and ways.by_code:
            yield from _positions(b"exec(", data)


def _positions(part: bytes, data: bytes) -> Iterator[int]:
    position = data.find(part)
    while position >= 0:
        yield position
        position = data.find(part, position + 1)


def _may_set(data: bytes, dot: int, length: int) -> bool:
    """May the attribute behind a dot be set?"""
    if _FOLLOWING.match(data, dot + length):
        return True
    before = data[max(dot - _CHAIN, 0) : dot].rstrip(_DOTTED).rstrip()
    return not before or before.endswith(_PRECEDING)


def _rows_with(name: bytes, data: bytes, places: list[int]) -> Iterator[bytes]:
    """The rows of a text in which a name is, and what is before them, if one of these places is in there.

    Patterns over whole texts would take long.
    """
    position = data.find(name)
    following = iter(places)
    place = next(following, None)
    while position >= 0:
        end = data.find(b"\n", position)
        end = len(data) if end < 0 else end
        start = data.rfind(b"\n", 0, max(position - _BEFORE, 0)) + 1
        if end - start > _LONG:
            # Patterns take time with the square of a row: of a long one, what is near the name.
            start, end = max(start, position - _LONG // 2), min(end, position + _LONG // 2)
        while place is not None and place < start:
            place = next(following, None)
        if place is None:
            return
        if place < end:
            yield data[start:end]
            position = data.find(name, end)
        else:
            position = data.find(name, max(end, data.rfind(b"\n", 0, place) + 1))


def _meant(kind: str, name: bytes, rows: bytes) -> Iterator[re.Match[bytes]]:
    for part, pattern in _MEANT[kind]:
        if part % name in rows:
            yield from re.finditer(pattern % name, rows)


def set_by_computed_names(data: bytes, module: bytes) -> set[bytes]:
    """In which modules and classes does a module set names that are not written in it?"""
    if not any(part in data for part in _REFLECTING):
        return set()
    found = {module} if re.search(_GLOBALS, data) or (not module and re.search(_EXECUTED, data)) else set[bytes]()
    places = re.findall(rb"setattr(?:__)?\(\s*(\w[\w.]*)\s*,(?!\s*['\"])", data)
    places += re.findall(rb"\bvars\((\w+)\)(?:\.(?:update|setdefault)\b|" + _ANY_KEY + rb")", data)
    roots = {place.partition(b".")[0] for place in places}
    found |= {part for place in places for part in place.split(b".") if part[:1].isupper()}
    for statement in import_statements(data) if roots else ():
        words = set(re.findall(rb"\w+", statement))
        if not roots.isdisjoint(words):
            found |= words - {b"from", b"import", b"as"}
    return found


def import_statements(data: bytes) -> Iterator[bytes]:
    """The import statements of a text: a plain search for the word is much faster than a pattern for each row."""
    position = data.find(b"import")
    while position >= 0:
        start = row = data.rfind(b"\n", 0, position) + 1
        for _ in range(_CONTINUED):
            if not data.endswith(b"\\\n", 0, start):
                break
            start = data.rfind(b"\n", 0, start - 1) + 1
        # A comment may end in a backslash, too.
        found = _IMPORT.match(data, start) or _IMPORT.match(data, row)
        if found:
            yield found[0]
        position = data.find(b"import", max(position + 1, found.end() if found else 0))
