"""What the page draws, as SVG: the pipeline as it was executed, and how fast it is before and after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape

from tfdata_lint.verify.measure import Comparison
from tfdata_lint.verify.model import Node, Pipeline, Run
from tfdata_lint.verify.report.words import places, rate

_WIDTH, _HEIGHT, _DOWN = 292, 66, 22
#: What flows into a stage beside its first input stands so much to the right, and flows past on the left.
_INDENT, _STEM = 30, 15
_BAR = 16


def graph(run: Run, pipeline: Pipeline, consumer: str) -> str:
    """The source on top, the consumer at the bottom: the critical path bold, and red what holds its consumer up."""
    nodes = pipeline.nodes
    critical = set(pipeline.bottleneck.path) if pipeline.bottleneck else set()
    at = {number: (column * _INDENT, row * (_HEIGHT + _DOWN)) for row, (number, column) in enumerate(_order(nodes))}
    if not at:
        return ""
    width = max(x for x, _ in at.values()) + _WIDTH
    bottom = len(at) * (_HEIGHT + _DOWN)
    parts = [
        *(_edge(at, number, nodes[number].parent, bottom, critical) for number in at),
        *(_box(run, pipeline, number, at[number], critical) for number in at),
        _consumer(pipeline, consumer, bottom),
    ]
    return (
        f'<svg class="graph" role="img" aria-label="{escape(_told(pipeline, list(at)))}" width="{width + 6}" '
        f'viewBox="-3 -3 {width + 6} {bottom + 46}">{"".join(parts)}</svg>'
    )


def slowest(pipeline: Pipeline) -> int:
    """The stage that holds the consumer up; -1 if none does."""
    return pipeline.bottleneck.node if pipeline.bottleneck and pipeline.limited_by != "consumer" else -1


def bars(seen: Comparison, outcome: str, after_is: str = "after") -> str:
    """Elements per second before and `after_is`; across the latter its interval, dashed how fast it was."""
    before, after = seen.before.elements_per_s, seen.after.elements_per_s
    low, high = before * seen.low, before * seen.high
    whole = max(before, after, high)
    label = f"{rate(before)} elements/s before, {rate(after)} {after_is}, between {rate(low)} and {rate(high)}"

    def at(per_s: float) -> str:
        return f"{per_s / whole:.2%}"

    span = (
        f'<line class="dashed" x1="{at(before)}" x2="{at(before)}" y1="0" y2="{_BAR}"/>'
        f'<line x1="{at(low)}" x2="{at(high)}" y1="{_BAR / 2}" y2="{_BAR / 2}"/>'
        + "".join(f'<line x1="{at(end)}" x2="{at(end)}" y1="3" y2="{_BAR - 3}"/>' for end in (low, high))
    )
    rows = "".join(
        f'<span>{name}</span><svg height="{_BAR}" width="100%"><rect width="{at(per_s)}" height="{_BAR}" rx="2" '
        f'class="{css}"/>{more}</svg><span class="figure">{rate(per_s)}/s{waiting}</span>'
        for name, per_s, css, more, waiting in (
            ("before", before, "before", "", _waiting(seen.before.waiting)),
            (after_is, after, outcome, span, _waiting(seen.after.waiting)),
        )
    )
    return f'<div class="bars" role="img" aria-label="{label}">{rows}</div>'


def _waiting(share: float | None) -> str:
    return "" if share is None else f'<span class="soft">, waits {share:.0%}</span>'


def key(css: str) -> str:
    """The colour of a legend."""
    y, height = (4, 3) if css == "wait" else (0, 11)
    drawn = f'<rect class="{css}" y="{y}" width="11" height="{height}"/>'
    return f'<svg width="11" height="11" aria-hidden="true">{drawn}</svg>'


def _order(nodes: Sequence[Node]) -> Iterator[tuple[int, int]]:
    """Each node after those that it takes elements from, with its column."""

    def walk(number: int, column: int) -> Iterator[tuple[int, int]]:
        below = [child for child in shown if nodes[child].parent == number]
        for branch, child in enumerate(below):
            yield from walk(child, column + branch)
        yield number, column

    # The root is the consumer's side; it is nothing that runs.
    shown = [number for number, node in enumerate(nodes) if node.op != "Root"]
    for number in shown:
        if nodes[number].parent not in shown:
            yield from walk(number, 0)


def _edge(at: Mapping[int, tuple[int, int]], child: int, parent: int | None, bottom: int, critical: set[int]) -> str:
    x, y = at[child]
    css = ' class="critical"' if child in critical else ""
    end = bottom if parent is None or parent not in at else at[parent][1]
    return f'<path{css} d="M{x + _STEM} {y + _HEIGHT}V{end}"/>'


def _box(run: Run, pipeline: Pipeline, number: int, at: tuple[int, int], critical: set[int]) -> str:
    node = pipeline.nodes[number]
    css = " ".join(
        name
        for name, there in (
            ("injected", node.rewrite == "injected"),
            ("critical", number in critical),
            ("bottleneck", number == slowest(pipeline)),
        )
        if there
    )
    place = "added by the runtime" if node.rewrite == "injected" else places(run, node)
    lines = [
        f'<text class="op" x="12" y="21">{escape(_cut(node.op, 30))}</text>',
        f'<text x="12" y="39">{escape(_cut(_figures(pipeline, node), 46))}</text>',
        f'<text class="soft" x="12" y="56">{escape(_cut(place, 44, left=True))}</text>',
    ]
    tip = escape(f"{node.path}\n{place}\n{node.calls} calls, {node.total_ms:,.1f} ms, itself {node.self_ms:,.1f} ms")
    return (
        f'<g class="{css}" transform="translate({at[0]} {at[1]})"><title>{tip}</title>'
        f'<rect width="{_WIDTH}" height="{_HEIGHT}" rx="8"/>{"".join(lines)}</g>'
    )


def _consumer(pipeline: Pipeline, name: str, y: int) -> str:
    share = pipeline.input.share if pipeline.input else None
    text = name if share is None else f"{name}: waits {share:.0%}"
    css = "consumer bottleneck" if pipeline.limited_by == "consumer" else "consumer"
    return (
        f'<g class="{css}" transform="translate(0 {y})"><rect width="{_WIDTH}" height="38" rx="19"/>'
        f'<text class="op" x="{_WIDTH / 2:g}" y="24" text-anchor="middle">{escape(_cut(text, 40))}</text></g>'
    )


def _figures(pipeline: Pipeline, node: Node) -> str:
    said = []
    busy = _busy(pipeline, node)
    if node.op == "Prefetch":
        said.append("a buffer")
    elif busy is not None:
        said.append(f"busy {busy:.0%}" if busy >= 0.005 else "hardly busy")
    if node.parallelism and node.parallelism > 1:
        said.append(f"{node.parallelism} at once")
    if node.rewrite in ("fused", "parallelised"):
        said.append(node.rewrite)
    return ", ".join(said)


def _busy(pipeline: Pipeline, node: Node) -> float | None:
    """How much of the time a stage was at work itself, in all threads together."""
    if not pipeline.trace_seconds:
        return None
    worked = node.self_ms if node.processor_ms is None else node.processor_ms + sum(node.waiting_ms.values())
    return worked / 1e3 / pipeline.trace_seconds


def _told(pipeline: Pipeline, order: Sequence[int]) -> str:
    """The drawing in words."""
    return "The pipeline as it was executed: " + ", then ".join(pipeline.nodes[number].op for number in order)


def _cut(text: str, size: int, *, left: bool = False) -> str:
    if len(text) <= size:
        return text
    return "…" + text[1 - size :] if left else text[: size - 1] + "…"
