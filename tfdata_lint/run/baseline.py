"""Findings that are known: a file of them, so that only new ones are reported."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

from tfdata_lint.config.settings.model import ALWAYS_ON
from tfdata_lint.config.settings.selection import active_rules
from tfdata_lint.source.content import read
from tfdata_lint.source.inside import leads_out

if TYPE_CHECKING:
    from tfdata_lint.config.settings.model import Settings
    from tfdata_lint.lint.diagnostics import Diagnostic
    from tfdata_lint.lint.reports import FileReport

DEFAULT_FILE = "tfdata-lint-baseline.json"
VERSION = 1


class BaselineError(Exception):
    """The file cannot be read or written: why, in one sentence."""


class Fingerprint(NamedTuple):
    """What makes two findings the same, wherever they stand in their function."""

    path: str
    """Relative to the folder of the baseline, with `/`."""
    rule: str
    function: str
    digest: str


class Baseline:
    """The findings of a file, and what has become of them in this run."""

    def __init__(self, file: str, *, writing: bool = False) -> None:
        """`writing`: every finding there is will be in it, and it need not be there yet. Raises BaselineError."""
        self.file = file
        self._writing = writing
        self._folder = os.path.realpath(os.path.dirname(os.path.abspath(file)))
        self._before = _read(file, missing_ok=writing)
        self._known: Counter[Fingerprint] = Counter()
        self._statements: dict[Fingerprint, str] = {}
        if self._before:
            self._load(self._before)
        self._found: Counter[Fingerprint] = Counter()
        self._rules: dict[str, Collection[str]] = {}
        """The rules that were asked, of each file that could be read to its end."""

    def sift(self, diagnostics: Sequence[Diagnostic]) -> list[Diagnostic]:
        """The findings of a file without the known ones; of several that are equal the first are known."""
        seen: Counter[Fingerprint] = Counter()
        new = []
        for diagnostic in diagnostics:
            fingerprint = self._fingerprint(diagnostic)
            if fingerprint is None:
                new.append(diagnostic)
                continue
            seen[fingerprint] += 1
            if not self._writing and seen[fingerprint] > self._known[fingerprint]:
                new.append(diagnostic)
        return new

    def record(self, report: FileReport, settings: Settings) -> None:
        """Take down what a file has."""
        rules = {rule.code for rule in active_rules(settings, settings.ignored_in(report.path))}
        if "TFD000" in rules and not any(diagnostic.code in ALWAYS_ON for diagnostic in report.diagnostics):
            self._rules[self._relative(report.path)] = rules
        for diagnostic in report.diagnostics:
            fingerprint = self._fingerprint(diagnostic)
            if fingerprint and diagnostic.surroundings:
                self._found[fingerprint] += 1
                self._statements.setdefault(fingerprint, diagnostic.surroundings.statement)

    def outdated(self) -> str:
        """That the file has findings which are gone; empty when it has none."""
        gone = (self._known - self._wanted()).total()
        return f"findings of {self.file} that no longer occur: {gone}; --write-baseline removes them" if gone else ""

    def write(self) -> str:
        """Bring the file up to date, and say how. Raises BaselineError."""
        wanted = self._wanted()
        data = self._dump(wanted)
        if data != self._before:
            self._replace(data)
        added, gone = (wanted - self._known).total(), (self._known - wanted).total()
        findings = "1 finding" if wanted.total() == 1 else f"{wanted.total()} findings"
        return f"Wrote {findings} to {self.file}: {added} added, {gone} removed." + (
            "" if self._before else f' To report only what is new, set `baseline = "{self.file}"`.'
        )

    def _wanted(self) -> Counter[Fingerprint]:
        """What the file should have: of what was not asked in this run, what it had."""
        wanted: Counter[Fingerprint] = Counter()
        for fingerprint in self._known.keys() | self._found.keys():
            found, known = self._found[fingerprint], self._known[fingerprint]
            wanted[fingerprint] = found if self._is_judged(fingerprint) else max(found, known)
        return wanted

    def _is_judged(self, fingerprint: Fingerprint) -> bool:
        """Would this run have found it if it were still there?"""
        from tfdata_lint.rules import entry_of

        rules = self._rules.get(fingerprint.path)
        if rules is None:
            return not os.path.lexists(os.path.join(self._folder, fingerprint.path))
        return fingerprint.rule in rules or entry_of(fingerprint.rule) is None

    def _fingerprint(self, diagnostic: Diagnostic) -> Fingerprint | None:
        """None for what must not be hidden: that a file cannot be read, or that something failed."""
        if diagnostic.surroundings is None or diagnostic.code in ALWAYS_ON:
            return None
        path = self._relative(diagnostic.place.path)
        return Fingerprint(path, diagnostic.code, diagnostic.surroundings.function, diagnostic.surroundings.digest)

    def _relative(self, path: str) -> str:
        folder, name = os.path.split(os.path.abspath(path))
        path = os.path.join(_real(folder), name)
        # On another drive there is no relative path.
        with suppress(ValueError):
            path = os.path.relpath(path, self._folder)
        return path.replace(os.sep, "/")

    # ── the file ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _load(self, data: bytes) -> None:
        try:
            for fingerprint, statement, count in _entries(json.loads(data)):
                # The two sides of a merge may have the same entry.
                self._known[fingerprint] = max(self._known[fingerprint], count)
                self._statements[fingerprint] = statement
        except json.JSONDecodeError as error:
            raise BaselineError(f"{self.file}:{error.lineno}: not valid JSON: {error.msg}") from None
        except (ValueError, RecursionError) as error:
            raise BaselineError(f"{self.file}: {error}") from None

    def _dump(self, wanted: Counter[Fingerprint]) -> bytes:
        rows = [_row(found, self._statements[found], count) for found, count in sorted(wanted.items()) if count]
        entries = b",\n".join(rows)
        return b'{\n"version": %d,\n"findings": [\n%b\n]\n}\n' % (VERSION, entries) if rows else _EMPTY

    def _replace(self, data: bytes) -> None:
        from tfdata_lint.source.atomic import replace
        from tfdata_lint.source.writing import CannotWrite, replace_file

        if leads_out(self.file):
            raise BaselineError(f"{self.file} is a link that leads out of the project; name its target instead")
        path = os.path.realpath(self.file)
        try:
            if self._before is None:
                replace(path, data, f"{path}.{os.urandom(4).hex()}.tmp")
            else:
                replace_file(path, self._before, data)
        except OSError as error:
            raise BaselineError(f"cannot write {self.file}: {error.strerror}") from None
        except CannotWrite as error:
            raise BaselineError(f"{self.file}: {error}") from None


#: Findings of one kind that a baseline may hold; no file has so many statements.
_MOST = 1_000_000
_EMPTY = b'{\n"version": %d,\n"findings": []\n}\n' % VERSION


def _read(file: str, *, missing_ok: bool) -> bytes | None:
    try:
        return read(file)
    except FileNotFoundError:
        if missing_ok:
            return None
        raise BaselineError(f"no such baseline: {file} (--write-baseline creates it)") from None
    except OSError as error:
        raise BaselineError(f"cannot read {file}: {error.strerror}") from None


def _row(fingerprint: Fingerprint, statement: str, count: int) -> bytes:
    path, rule, function, digest = fingerprint
    entry = {"path": path, "rule": rule, "function": function, "statement": statement, "digest": digest, "count": count}
    try:
        return json.dumps(entry, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        # The name of a file need not be text.
        return json.dumps(entry).encode()


def _entries(content: Any) -> Iterator[tuple[Fingerprint, str, int]]:
    """Raises ValueError."""
    if not isinstance(content, dict) or "version" not in content:
        raise ValueError("this is not a tfdata-lint baseline")
    if content["version"] != VERSION:
        raise ValueError(
            f"this is a baseline of version {content['version']}, but this tfdata-lint reads only version {VERSION}"
        )
    findings = content.get("findings")
    for number, entry in enumerate(findings if isinstance(findings, list) else [None], 1):
        match entry:
            case {
                "path": str(path),
                "rule": str(rule),
                "function": str(function),
                "digest": str(digest),
                "statement": str(statement),
                "count": int(count),
            } if 0 < count <= _MOST:
                yield Fingerprint(path, rule, function, digest), statement, count
            case _:
                raise ValueError(f"entry {number} of `findings` is not a baseline entry")


@lru_cache(maxsize=1024)
def _real(folder: str) -> str:
    return os.path.realpath(folder)
