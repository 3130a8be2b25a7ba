"""`tfdata-lint graph --coverage`: the calls of dataset operations that stand in pipelines, as text or JSON."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from tfdata_lint.lint.covering import FileCoverage
from tfdata_lint.pipeline.nouns.coverage import REASONS, LostCall, Reason
from tfdata_lint.source.places import Place
from tfdata_lint.source.visible import json_text, visible


class Total(NamedTuple):
    """All files together."""

    files: int
    seen: int
    lost: Mapping[Reason, int]
    """By reason, the most frequent first."""
    maybe: Mapping[Reason, int]
    """What may be something else."""

    @classmethod
    def of(cls, files: Sequence[FileCoverage]) -> Total:
        lost = [call for file in files for call in file.coverage.lost]
        certain = Counter(call.reason for call in lost if call.is_certain)
        maybe = Counter(call.reason for call in lost if not call.is_certain)
        seen = sum(file.coverage.seen for file in files)
        return cls(len(files), seen, dict(certain.most_common()), dict(maybe.most_common()))

    @property
    def calls(self) -> int:
        return self.seen + sum(self.lost.values())

    def __str__(self) -> str:
        if not self.calls:
            return "There are no tf.data calls."
        share = f"{self.seen / self.calls:.1%}"
        parts = [f"{self.seen:,} of {self.calls:,} tf.data calls were recovered in pipelines ({share})."]
        if self.lost:
            reasons = ", ".join(f"{REASONS[reason]} ({count:,})" for reason, count in self.lost.items())
            parts.append(f"{sum(self.lost.values()):,} were not: {reasons}.")
        if self.maybe:
            parts.append(
                f"{sum(self.maybe.values()):,} more calls have the name of a tf.data operation and may be something"
                " else."
            )
        return "\n".join(parts)


def render(files: Iterable[FileCoverage], form: str) -> str:
    """The files, the worst first, and all of them together: as `text` or `json`."""
    ordered = sorted(files, key=_badness)
    total = Total.of(ordered)
    if form == "json":
        return json_text(json.dumps({"files": list(map(_as_data, ordered)), "total": _total_as_data(total)}, indent=2))
    rows = [row for file in ordered for row in _rows(file)]
    return "\n".join([*rows, *([""] if rows else []), str(total)])


def _badness(file: FileCoverage) -> tuple[int, str]:
    return -len(file.coverage.certain), file.path


def _rows(file: FileCoverage) -> Iterator[str]:
    coverage = file.coverage
    if not coverage.calls:
        return
    yield visible(f"{file.path}: {coverage.seen} of {coverage.calls}")
    for call, place in zip(coverage.lost, file.places, strict=True):
        if call.is_certain:
            yield visible(f"  {place.within:12} {call.operation:24} {REASONS[call.reason]}")


def _as_data(file: FileCoverage) -> dict[str, Any]:
    placed = list(zip(file.coverage.lost, file.places, strict=True))
    return {
        "filename": file.path,
        "calls": file.coverage.calls,
        "in_pipelines": file.coverage.seen,
        "lost": [_call(call, place) for call, place in placed if call.is_certain],
        "maybe": [_call(call, place) for call, place in placed if not call.is_certain],
    }


def _call(call: LostCall, place: Place) -> dict[str, Any]:
    return {
        "operation": call.operation,
        "reason": call.reason,
        "cell": place.cell,
        "location": {"row": place.row, "column": place.column},
    }


def _total_as_data(total: Total) -> dict[str, Any]:
    named = {"files": total.files, "calls": total.calls, "in_pipelines": total.seen}
    return {**named, "lost": dict(total.lost), "maybe": dict(total.maybe)}
