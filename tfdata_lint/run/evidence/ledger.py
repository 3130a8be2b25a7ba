"""The ledger: verdicts of `--verify` that are remembered, in a file to be committed.

An entry holds for a finding of its rule while the pipelines that it is about, by their digests, and the TensorFlow are
the same. Rows, names and comments are not in it, so that it changes only when a verdict does.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Literal, NamedTuple, cast

from tfdata_lint.run.evidence.reading import VERDICTS, EvidenceError, Reader, load
from tfdata_lint.run.evidence.runs import minor
from tfdata_lint.source.content import BESIDE

DEFAULT_FILE = "tfdata-lint-evidence.json"
VERSION = 1

Outcome = Literal["confirmed", "refuted", "harmful"]
#: Those that are remembered: what was not decided is tried again.
OUTCOMES = ("confirmed", "refuted", "harmful")
_DIGESTS = 256


class Entry(NamedTuple):
    """One verdict."""

    rule: str
    pipelines: tuple[str, ...]
    """The digests of the pipelines that the finding is about, sorted."""
    tensorflow: str
    """`2.21`."""
    outcome: Outcome
    reason: str
    detail: str
    """A sentence without its stop."""
    path: str = ""
    """The file of the finding, relative to the ledger; empty outside of its folder. It decides nothing: by it, what is
    stale is told from what is new."""
    target: str = ""
    """What was executed, likewise: another target may have verdicts on the same file."""

    @property
    def key(self) -> tuple[str, tuple[str, ...], str]:
        """Of entries with one key the later one counts."""
        return self.rule, self.pipelines, self.tensorflow

    def holds_for(self, rule: str, pipelines: Iterable[str]) -> bool:
        """Is it about all of these pipelines, on whatever TensorFlow?"""
        asked = set(pipelines)
        return self.rule == rule and bool(asked) and asked <= set(self.pipelines)


def entries(data: Mapping[str, Any], reader: Reader) -> tuple[Entry, ...]:
    """What a ledger holds. Raises EvidenceError."""
    if data.get("version") != VERSION or isinstance(data.get("version"), bool):
        reader.refuse(
            f"this is version {str(data.get('version'))[:40]} of a ledger, but this tfdata-lint reads only version"
            f" {VERSION}"
        )
    return tuple(_entry(one, reader) for one in reader.rows(data.get("verdicts"), "verdicts", VERDICTS))


def verdicts(data: Mapping[str, Any], tensorflow: str, reader: Reader) -> Iterator[Entry]:
    """The verdicts in what `--verify-json` writes that a ledger would remember. Raises EvidenceError."""
    for one in reader.rows(data.get("verdicts", []), "verdicts", VERDICTS):
        if one.get("outcome") in OUTCOMES and one.get("pipelines") and tensorflow:
            renamed = {**one, "rule": one.get("code"), "tensorflow": tensorflow, "path": ""}
            yield _entry(renamed, reader)


def _entry(table: Mapping[str, Any], reader: Reader) -> Entry:
    digests = table.get("pipelines")
    if not isinstance(digests, list) or not digests or not all(isinstance(one, str) for one in digests[:_DIGESTS]):
        reader.refuse("`pipelines` of a verdict must be a list of digests")
    if len(digests) > _DIGESTS:
        reader.refuse(f"`pipelines` of a verdict has more than {_DIGESTS} entries")
    outcome = table.get("outcome")
    if outcome not in OUTCOMES:
        reader.refuse(f"`outcome` of a verdict must be one of {', '.join(OUTCOMES)}")
    version = minor(reader.text(table, "tensorflow"))
    if not version or not (rule := reader.text(table, "rule")):
        reader.refuse("a verdict needs `rule` and `tensorflow`")
    return Entry(
        rule,
        tuple(sorted(one[:64] for one in digests)),
        version,
        cast(Outcome, outcome),
        reader.text(table, "reason"),
        reader.text(table, "detail"),
        reader.text(table, "path", 1_000),
        reader.text(table, "target", 1_000),
    )


def read_if_there(file: str) -> tuple[Entry, ...]:
    """What a ledger holds, nothing where there is none. Raises EvidenceError for what is no ledger."""
    if not os.path.lexists(file):
        return ()
    return entries(load(file, BESIDE), Reader(file))


def merged(known: Iterable[Entry], new: Iterable[Entry], gone: Iterable[tuple[str, str, str]] = ()) -> list[Entry]:
    """A ledger with new verdicts; what was known of the same pipelines is replaced.

    `gone`: rules, paths and targets of which all was judged anew: other verdicts of this TensorFlow on them are stale.
    """
    added = {entry.key: entry for entry in new}
    versions = {entry.tensorflow for entry in added.values()}
    stale = set(gone)
    kept = {
        e.key: e for e in known if not (e.path and (e.rule, e.path, e.target) in stale and e.tensorflow in versions)
    }
    return sorted((kept | added).values())


def dump(ledger: Iterable[Entry]) -> str:
    """The text of a ledger, one entry on each row, so that versions of it can be merged. Raises EvidenceError."""
    rows = [json.dumps(entry._asdict(), ensure_ascii=False) for entry in ledger]
    if len(rows) > VERDICTS:
        raise EvidenceError(f"a ledger has at most {VERDICTS:,} entries")
    body = ",\n".join(rows)
    return f'{{\n"version": {VERSION},\n"verdicts": [\n{body}\n]\n}}\n' if rows else _EMPTY


_EMPTY = f'{{\n"version": {VERSION},\n"verdicts": []\n}}\n'


def path_in(file: str, ledger: str) -> str:
    """The path of a file as a ledger has it: no path outside of its folder is in it."""
    try:
        path = os.path.relpath(os.path.realpath(file), os.path.dirname(os.path.realpath(ledger)))
    except ValueError:
        return ""
    return "" if path.startswith(os.pardir) else path.replace(os.sep, "/")
