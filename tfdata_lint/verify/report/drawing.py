"""What the page draws, as SVG: the pipeline, an interval, a timeline, shares."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from html import escape

from tfdata_lint.verify.measure import Comparison, Pace
from tfdata_lint.verify.model import Node, Pipeline, Run

_WIDTH, _HEIGHT, _ACROSS, _DOWN = 232, 66, 20, 30
#: So many elements of the slower side are drawn.
_ELEMENTS = 8
_FIRST = 74
"""Where the bars of a timeline begin, behind their names."""


def graph(run: Run, pipeline: Pipeline) -> str:
    """What the runtime executed, the source on top: the critical path bold, and red what holds its consumer up."""
    nodes = pipeline.nodes
    critical = set(pipeline.bottleneck.path) if pipeline.bottleneck else set()
    # The consumer's side; it is nothing that runs.
    shown = [number for number, node in enumerate(nodes) if node.op != "Root"]
    if not shown:
        return ""
    places = _places(nodes, shown)
    width = max(x for x, _ in places.values()) + _WIDTH
    height = max(y for _, y in places.values()) + _HEIGHT
    parts = [
        *(_edge(places, number, nodes[number].parent, critical) for number in shown if nodes[number].parent in places),
        *(_box(run, pipeline, number, *places[number], critical) for number in shown),
    ]
    return (
        f'<svg class="graph" role="img" aria-label="The pipeline as it was executed" width="{width + 6}" '
        f'height="{height + 6}" viewBox="-3 -3 {width + 6} {height + 6}">{"".join(parts)}</svg>'
    )


def interval(seen: Comparison, bounds: tuple[float, float], outcome: str) -> str:
    """A speedup on a logarithmic scale that all of them share; the threshold is dashed."""

    def at(ratio: float) -> str:
        low, high = map(math.log, bounds)
        return f"{4 + 92 * (math.log(ratio) - low) / (high - low):.2f}%"

    label = f"{seen.ratio:.2f} times, between {seen.low:.2f} and {seen.high:.2f}"
    return (
        f'<svg class="{outcome}" role="img" aria-label="{label}" width="100%" height="34"><title>{label}</title>'
        f'<line class="axis" x1="{at(1)}" x2="{at(1)}" y1="2" y2="22"/>'
        f'<line class="axis dashed" x1="{at(seen.threshold)}" x2="{at(seen.threshold)}" y1="2" y2="22"/>'
        f'<line x1="{at(seen.low)}" x2="{at(seen.high)}" y1="12" y2="12" stroke="currentColor" stroke-width="5" '
        f'stroke-linecap="round" opacity=".45"/>'
        f'<circle cx="{at(seen.ratio)}" cy="12" r="5" fill="currentColor"/>'
        f'<text class="soft" x="{at(1)}" y="33" text-anchor="middle">1×</text></svg>'
    )


def bounds(seen: Sequence[Comparison]) -> tuple[float, float]:
    """A scale for all of these."""
    return min([0.8, *(one.low for one in seen)]), max([1.5, *(one.high for one in seen)])


def timeline(seen: Comparison) -> str:
    """The first steps before and after, on one scale: how long each waits for its input."""
    whole = _ELEMENTS * max(sum(_parts(pace)) for pace in (seen.before, seen.after))
    rows = "".join(
        f'<text x="0" y="{y + 15}">{name}</text>'
        f'<svg x="{_FIRST}" y="{y}" height="22" style="width: calc(100% - {_FIRST}px)">{_bars(pace, whole)}</svg>'
        for name, pace, y in (("before", seen.before, 0), ("after", seen.after, 32))
    )
    label = f"{seen.before.elements_per_s:,.1f} elements a second before, {seen.after.elements_per_s:,.1f} after"
    return (
        f'<svg role="img" aria-label="{label}" width="100%" height="76">{rows}'
        f'<text class="soft" x="{_FIRST}" y="74">0 ms</text>'
        f'<text class="soft" x="100%" y="74" text-anchor="end">{whole:,.{1 if whole < 100 else 0}f} ms</text></svg>'
    )


def shares(of: Sequence[tuple[str, float]]) -> str:
    """Parts of a whole in one bar."""
    x, parts = 0.0, []
    for css, share in of:
        parts.append(f'<rect class="{css}" x="{x:.2%}" width="{share:.2%}" height="16"/>')
        x += share
    return f'<svg role="img" aria-label="Shares of the time" width="100%" height="16">{"".join(parts)}</svg>'


def key(css: str) -> str:
    """The colour of a legend."""
    return f'<svg width="11" height="11"><rect class="{css}" width="11" height="11" rx="2"/></svg>'


def _parts(pace: Pace) -> tuple[float, float]:
    """The wait for an element and its step, in ms; where they cannot be told apart all is step."""
    if pace.wait_ms is None or pace.step_ms is None:
        return 0.0, 1e3 / pace.elements_per_s
    return pace.wait_ms, pace.step_ms


def _bars(pace: Pace, whole: float) -> str:
    wait, step = _parts(pace)
    bars: list[str] = []
    begin = 0.0
    # Of what is far faster the rest would be a blur.
    while begin < whole * 0.999 and len(bars) < 24 * _ELEMENTS:
        bars.append(_bar("wait", begin, wait, whole) + _bar("step", begin + wait, step, whole))
        begin += wait + step
    return "".join(bars)


def _bar(css: str, begin: float, length: float, whole: float) -> str:
    length = min(length, whole - begin)
    if length <= 0:
        return ""
    return f'<rect class="{css}" x="{begin / whole:.3%}" width="{0.94 * length / whole:.3%}" height="22" rx="1"/>'


def _places(nodes: Sequence[Node], shown: Sequence[int]) -> dict[int, tuple[int, int]]:
    """Each node below those that it takes elements from, in the middle of them."""
    depth: dict[int, int] = {}
    for number in shown:
        parent = nodes[number].parent
        depth[number] = depth[parent] + 1 if parent in depth else 0
    column: dict[int, float] = {}
    leaves = 0
    for number in _children_first(nodes, shown):
        below = [column[child] for child in shown if nodes[child].parent == number]
        column[number] = sum(below) / len(below) if below else leaves
        leaves += not below
    deepest = max(depth.values())
    return {
        number: (round(column[number] * (_WIDTH + _ACROSS)), (deepest - depth[number]) * (_HEIGHT + _DOWN))
        for number in shown
    }


def _children_first(nodes: Sequence[Node], shown: Sequence[int]) -> Iterator[int]:
    def walk(number: int) -> Iterator[int]:
        for child in shown:
            if nodes[child].parent == number:
                yield from walk(child)
        yield number

    for number in shown:
        if nodes[number].parent not in shown:
            yield from walk(number)


def _edge(places: Mapping[int, tuple[int, int]], child: int, parent: int | None, critical: set[int]) -> str:
    assert parent is not None
    (x, y), (px, py) = places[child], places[parent]
    middle = _WIDTH // 2
    css = ' class="critical"' if {child, parent} <= critical else ""
    bend = (y + _HEIGHT + py) // 2
    return f'<path{css} d="M{x + middle} {y + _HEIGHT}C{x + middle} {bend} {px + middle} {bend} {px + middle} {py}"/>'


def _box(run: Run, pipeline: Pipeline, number: int, x: int, y: int, critical: set[int]) -> str:
    node = pipeline.nodes[number]
    slowest = pipeline.bottleneck is not None and pipeline.bottleneck.node == number
    css = " ".join(
        name
        for name, there in (
            ("injected", node.rewrite == "injected"),
            ("critical", number in critical),
            ("bottleneck", slowest and pipeline.limited_by != "consumer"),
        )
        if there
    )
    at = node_place(run, node)
    lines = [
        f'<text class="op" x="10" y="20">{escape(_cut(node.op, 26))}</text>',
        f'<text x="10" y="38">{escape(_cut(_figures(node), 34))}</text>',
        f'<text class="soft" x="10" y="55">{escape(_cut(at, 34, left=True))}</text>',
    ]
    tip = escape(f"{node.path}\n{at}\n{node.calls} calls, {node.total_ms:,.1f} ms, itself {node.self_ms:,.1f} ms")
    return (
        f'<g class="{css}" transform="translate({x} {y})"><title>{tip}</title>'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8"/>{"".join(lines)}</g>'
    )


def node_place(run: Run, node: Node) -> str:
    """Where it comes from, in short: of several fused stages the last."""
    if node.rewrite == "injected":
        return "put here by the runtime"
    places = [place for number in node.stages if (place := run.stage(number).place)]
    return f"{os.path.basename(places[-1].file)}:{places[-1].row}" if places else ""


def _figures(node: Node) -> str:
    said = [f"{node.share:.0%} of the time"]
    if node.parallelism and node.parallelism > 1:
        said.append(f"×{node.parallelism}")
    if node.rewrite in ("fused", "parallelised"):
        said.append(node.rewrite)
    return ", ".join(said)


def _cut(text: str, size: int, *, left: bool = False) -> str:
    if len(text) <= size:
        return text
    return "…" + text[1 - size :] if left else text[: size - 1] + "…"
