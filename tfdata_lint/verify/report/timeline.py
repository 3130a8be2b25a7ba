"""The page's pictures of what runs when: a row for each stage, the consumer's last."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from tfdata_lint.verify.model import Row, Timeline

#: An axis has at most so many marks.
_MARKS = 6
_SAID = {"work": "at work for", "wait": "waits for", "step": "in its step for"}
#: What is at work for less of the time is no more than named.
_LEAST = 0.01
#: The part of its lane that is drawn: what waits is thin.
_INSET = {"work": 0.08, "wait": 0.36, "step": 0.08}


def figure(
    seen: Timeline,
    title: str,
    consumer: str,
    places: Mapping[int, str] = {},
    scale_ms: float = 0.0,
    slowest: int = -1,
    *,
    has_step: bool = True,
) -> str:
    """Its rows with the `places` of the nodes that they are of.

    `scale_ms`: how much time its width stands for, where others are compared with it. The node that is `slowest` is
    emphasised. Without a step there is nothing between two waits but us.
    """
    scale = scale_ms or seen.ms
    work = [row for row in reversed(seen.rows) if row.what == "work"]
    stages = [row for row in work if _part(seen, row) >= _LEAST or row.node == slowest]
    tracks = "".join(_track(seen, [row], _name(row, places), scale, row.node == slowest) for row in stages)
    own = [row for row in seen.rows if row.what == "wait" or (row.what == "step" and has_step)]
    tracks += _track(seen, own, f"<b>{escape(consumer)}</b>", scale)
    return (
        f'<figure class="timeline"><figcaption>{escape(title)}: <b>{seen.elements} '
        f"element{'s' * (seen.elements > 1)} in {length(seen.ms)}</b></figcaption>{tracks}{_axis(scale)}"
        f"{_hardly([row for row in work if row not in stages])}</figure>"
    )


def _hardly(rows: Sequence[Row]) -> str:
    names = ", ".join(dict.fromkeys(row.op for row in rows))
    return f'<p class="soft small">At work for less than {_LEAST:.0%} of the time: {escape(names)}.</p>' if rows else ""


def length(ms: float) -> str:
    """A time in a unit that suits it."""
    return f"{ms * 1e3:,.0f} µs" if ms < 1 else f"{ms:,.1f} ms" if ms < 10 else f"{ms:,.0f} ms"


def _name(row: Row, places: Mapping[int, str]) -> str:
    at = "" if row.node is None else places.get(row.node, "")
    return f'<b>{escape(row.op)}</b> <span class="where soft">{escape(at)}</span>'


def _track(seen: Timeline, rows: Sequence[Row], name: str, scale: float, emphasised: bool = False) -> str:
    whole = scale / seen.tick_ms
    lanes = max((len(row.lanes) for row in rows), default=1)
    drawn = "".join(f'<path class="{row.what}" d="{"".join(_boxes(row))}"/>' for row in rows)
    said = ", ".join(f"{_SAID[row.what]} {_part(seen, row):.0%} of the time" for row in rows) or "hardly busy"
    marks = "".join(f"M{at / seen.tick_ms:.2f} 0V{lanes}" for at in _marks(scale))
    end = f'<path class="end" d="M{seen.ticks} 0V{lanes}"/>' if seen.ms < 0.99 * scale else ""
    return (
        f'<div class="track{" slowest" * emphasised}"><div class="name">{name}</div>'
        f'<svg role="img" aria-label="{said}" viewBox="0 0 {whole:.2f} {lanes}" preserveAspectRatio="none" '
        f'height="{max(20, 11 * lanes)}"><path class="mark" d="{marks}"/>{drawn}{end}</svg></div>'
    )


def _boxes(row: Row) -> Iterator[str]:
    inset = _INSET[row.what]
    for number, lane in enumerate(row.lanes):
        for begin, end in zip(lane[::2], lane[1::2], strict=True):
            yield f"M{begin} {number + inset:g}H{end}V{number + 1 - inset:g}H{begin}z"


def _part(seen: Timeline, row: Row) -> float:
    """Of the time in which at least one lane is at work."""
    busy = {
        tick
        for lane in row.lanes
        for begin, end in zip(lane[::2], lane[1::2], strict=True)
        for tick in range(begin, end)
    }
    return len(busy) / seen.ticks


def _marks(scale: float) -> list[float]:
    """Round times, from 0."""
    least = scale / _MARKS
    power: float = 10 ** math.floor(math.log10(least))
    each = next(power * digit for digit in (1, 2, 5, 10) if power * digit >= least)
    return [each * number for number in range(int(scale / each * 0.97) + 1)]


def _axis(scale: float) -> str:
    marks = "".join(f'<span style="left: {at / scale:.2%}">{_short(at)}</span>' for at in _marks(scale))
    return f'<div class="track axis" aria-hidden="true"><div></div><div class="marks">{marks}</div></div>'


def _short(ms: float) -> str:
    return "0" if not ms else f"{ms * 1e3:g} µs" if ms < 1 else f"{ms:,g} ms"
