"""What ran when, for the first elements of a trace: few enough figures for a page to draw them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

#: Begin and end, in ps.
Piece = tuple[int, int]
#: So many elements are looked at, one after the other.
ELEMENTS = 12
#: The resolution. A lane has at most half as many intervals.
TICKS = 400
#: So many things that a stage does at once are told apart.
LANES = 8


def timeline(
    waits: Iterable[Piece], stages: Iterable[tuple[int, str, Sequence[Piece]]], elements: int = ELEMENTS
) -> dict[str, Any] | None:
    """Rows of the stages (their numbers, operations and pieces of work), of the consumer's waits and its steps.

    From the second wait on: the first one may have begun before the trace. None where there are too few.
    """
    spans = sorted(waits)[1:]
    elements = min(elements, len(spans) - 1)
    if elements < 1:
        return None
    begin, end = spans[0][0], spans[elements][0]
    steps = [(one[1], spans[number][0]) for number, one in enumerate(spans[:-1], 1)]
    rows: list[tuple[int | None, str, str, Sequence[Piece]]] = [(*stage[:2], "work", stage[2]) for stage in stages]
    rows += [(None, "", "wait", spans), (None, "", "step", steps)]
    tick = (end - begin) / TICKS
    drawn = [
        {"node": node, "op": op, "what": what, "lanes": lanes}
        for node, op, what, pieces in rows
        if (lanes := [lane for one in _lanes(pieces, begin, end) if (lane := _drawn(one, begin, tick))])
    ]
    return {"elements": elements, "ticks": TICKS, "tick_ms": tick / 1e9, "rows": drawn}


def _lanes(pieces: Iterable[Piece], begin: int, end: int) -> list[list[Piece]]:
    """What overlaps lies in different ones."""
    lanes: list[list[Piece]] = []
    for piece in sorted((max(begin, one[0]), min(end, one[1])) for one in pieces if one[0] < end and one[1] > begin):
        lane = next((lane for lane in lanes if lane[-1][1] <= piece[0]), None)
        if lane is not None:
            lane.append(piece)
        elif len(lanes) < LANES:
            lanes.append([piece])
    return lanes


def _drawn(pieces: Iterable[Piece], begin: int, tick: float) -> list[int]:
    """Begin, end, begin, end, … in ticks.

    What is shorter than a tick adds up until it fills one: as much is drawn as there was.
    """
    filled = [0.0] * TICKS
    for one, other in pieces:
        first, last = (one - begin) / tick, (other - begin) / tick
        for number in range(int(first), min(TICKS, int(last) + 1)):
            filled[number] += max(0.0, min(last, number + 1) - max(first, number))
    ends: list[int] = []
    owed = 0.0
    for number, part in enumerate(filled):
        owed += part
        if owed < 0.5:
            continue
        owed -= 1
        if ends and ends[-1] == number:
            ends[-1] += 1
        else:
            ends += (number, number + 1)
    return ends
