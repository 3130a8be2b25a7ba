"""What a profile says, in the order of TensorFlow's guides: as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone
from typing import Any

from tfdata_lint.source.visible import json_text, visible
from tfdata_lint.verify.advice import Advice, advise
from tfdata_lint.verify.as_json import to_json
from tfdata_lint.verify.model import Category, Node, Pipeline, Run
from tfdata_lint.verify.nodes import ancestors, shares_of, taken_one_after_the_other
from tfdata_lint.verify.profile.host import Host
from tfdata_lint.verify.profile.lines import Lines, where
from tfdata_lint.verify.report import answers
from tfdata_lint.verify.report.words import OF_STEPS, OWN, devices, of_stages, places

#: Goes up when a key changes its meaning or is taken away.
FORMAT = 1
#: As the profiler's guide calls them, in its order.
INPUT_TIME: dict[Category, str] = {
    "demanded read": "reading files on demand", "advanced read": "reading files in advance",
    "preprocessing": "preprocessing", "enqueue": "enqueuing",
}  # fmt: skip
#: A wait that is none: the element was there. Microseconds.
THERE = 50
#: Markers leave the wait out if so much of it is outside of them.
_OUTSIDE = 0.5
_BANDS = {"high": "no", "moderate": "hardly", "low": "yes", "unknown": "unknown"}
#: The rules that are about such a stage.
_RULES = {
    "Map": "TFD102", "MapAndBatch": "TFD102", "Interleave": "TFD103", "FlatMap": "TFD103", "TFRecord": "TFD105",
    "Generator": "TFD201",
}  # fmt: skip
_BY_ADVICE = {"prefetch": "TFD101", "vectorise": "TFD305", "cache": "TFD301", "lock": "TFD202", "waiting": "TFD201"}
_HEAD = ("line", "stage", "calls", "total", "own", "share", "at once", "category")
_STEP_HEAD = ("step time", "share", "average", "deviation", "least", "greatest")


def run_of(host: Host, lines: Lines) -> Run:
    """As reports take it."""
    return host.run(lines.places, lines.consumer, lines.kind)


def text(host: Host, lines: Lines) -> Iterator[str]:
    """Rows for a terminal."""
    return map(visible, _text(host, lines))


def _text(host: Host, lines: Lines) -> Iterator[str]:
    run = run_of(host, lines)
    (pipeline,) = run.pipelines
    cut = ", the first of a file with more events than are read" * host.is_cut
    yield f"{host.path}: {host.seconds:.1f} s{_when(host)}{cut}"
    yield from _answers(host, lines, pipeline)
    if host.steps and (host.waits or host.is_marked):
        yield from _table(_STEP_HEAD, list(_step_rows(host)))
        yield f"  {OF_STEPS}"
    if pipeline.nodes:
        yield from _table(_HEAD, list(_stage_rows(run, pipeline)))
        yield f"  {OWN}"
        yield f"  {of_stages(shares_of(pipeline)[0])}"
        shares = [f"{name} {pipeline.categories.get(key, 0.0):.0%}" for key, name in INPUT_TIME.items()]
        yield f"  input time: {', '.join(shares)}"
    yield from _advice(run, pipeline)
    for note in _unknown(host, pipeline):
        yield f"  cannot tell   {note}"


def _when(host: Host) -> str:
    return f", recorded {datetime.fromtimestamp(host.began, timezone.utc):%Y-%m-%d %H:%M} UTC" if host.began else ""


def _answers(host: Host, lines: Lines, pipeline: Pipeline) -> Iterator[str]:
    seen, step = pipeline.input, pipeline.step
    if seen and seen.share is not None and (step or host.loops_in_graph):
        what = "steps" if host.is_marked else "elements"
        each = f"; {len(host.steps)} {what}, {step.median_ms:,.1f} ms each" if step else ""
        yield f"  fast enough?  {_BANDS[seen.band]}: {seen.share:.0%} of the time is spent waiting{each}"
        there = f"; {THERE} µs or less if the element is there" * (seen.get_next_median_us > THERE)
        yield f"  {'':14}a wait takes {seen.get_next_median_us:,.0f} µs (p95 {seen.get_next_p95_us:,.0f} µs){there}"
    if host.in_python or not pipeline.nodes:
        return
    if host.waits or host.loops_in_graph:
        yield f"  prefetched?   {_prefetched(pipeline)}"
    if host.cores:
        used = min(host.threads, host.cores)
        yield f"  CPU used?     about {used:.1f} of {host.cores} cores (threads at work, an estimate)"
    for device in devices(pipeline):
        yield f"  device used?  {device}"
    if sum(host.bits):
        yield f"  precision     {host.bits[0] / sum(host.bits):.0%} of the device's time in kernels named as of 16 bits"
    if pipeline.bottleneck:
        found = answers.bottleneck(pipeline, pipeline.bottleneck)
        found = found.replace("no known line of code", where(lines) or "no known line of code") if lines.why else found
        yield f"  bottleneck?   {found}"


def _prefetched(pipeline: Pipeline) -> str:
    buffer = next((b for b in pipeline.buffers if b.kind == "prefetch" and b.capacity is not None), None)
    by = answers.PREFETCHED[pipeline.prefetched]
    if not pipeline.prefetched or buffer is None:
        return by
    held = f"{buffer.elements} of" if buffer.elements is not None else "it holds up to"
    return f"{by}; its buffer: {held} {buffer.capacity} elements"


def _step_rows(host: Host) -> Iterator[tuple[str, ...]]:
    for one in host.categories:
        if one.share >= 0.0005:
            times = (one.mean_ms, one.deviation_ms, one.least_ms, one.most_ms)
            yield (one.name, f"{one.share:.1%}", *(f"{ms:,.2f} ms" for ms in times))


def _stage_rows(run: Run, pipeline: Pipeline) -> Iterator[tuple[str, ...]]:
    _, shares = shares_of(pipeline)
    for number in answers.shown(pipeline):
        node = pipeline.nodes[number]
        part = max(0.0, shares.get(number, 0.0))
        at_once = f"{node.parallelism}{', tuned' * node.autotuned}" if node.parallelism else ""
        yield (
            places(run, node), node.op, f"{node.calls:,}", f"{node.total_ms:,.1f} ms", f"{node.self_ms:,.1f} ms",
            f"{part:.0%}", at_once, _category(node),
        )  # fmt: skip


def _category(node: Node) -> str:
    return INPUT_TIME[node.category] + (f", {node.rewrite} by the runtime" if node.rewrite else "")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    columns = [n for n in range(len(head)) if any(row[n] for row in rows)]
    cells = [[row[n] for n in columns] for row in (head, *rows)]
    is_text = [head[n] in ("line", "stage", "category", "step time") for n in columns]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        shown = (c.ljust(w) if left else c.rjust(w) for c, w, left in zip(row, widths, is_text, strict=True))
        yield f"  {'  '.join(shown)}".rstrip()


def _advice(run: Run, pipeline: Pipeline) -> Iterator[str]:
    label = "next?"
    for one in advise(run, 0):
        code = rule_for(one, pipeline)
        yield f"  {label:14}{answers.where(one)}{f' ({code}: tfdata-lint rule {code})' if code else ''}"
        yield f"  {'':14}({one.why})"
        label = ""


def rule_for(advice: Advice, pipeline: Pipeline) -> str:
    """The rule that finds what an advice is about; empty if there is none."""
    found = pipeline.bottleneck
    if advice.kind == "parallel" and found:
        return _RULES.get(pipeline.nodes[taken_one_after_the_other(pipeline.nodes, found.node)].op, "")
    return _BY_ADVICE.get(advice.kind, "")


def _unknown(host: Host, pipeline: Pipeline) -> Iterator[str]:
    yield from host.notes
    found = pipeline.bottleneck
    if pipeline.limited_by == "input" and (rule := host.python_rule(pipeline)):
        yield f"whether the bottleneck's Python code ({rule}) computes or waits. `check --verify` and `observe()` tell"
    if found and any("Cache" in pipeline.nodes[n].op for n in ancestors(found.node, pipeline.nodes)):
        yield "later epochs: a cache was being filled, and what is before it is done once. Profile a later epoch"
    if host.outside >= _OUTSIDE and pipeline.limited_by == "input":
        yield (
            f"other tools the step: {host.outside:.0%} of the waiting lies outside of the marked steps (here they reach"
            " from mark to mark). Fetch the element inside of the marker (TFD501)"
        )


def as_json(host: Host, lines: Lines) -> dict[str, Any]:
    """What `json.dumps` takes."""
    run = run_of(host, lines)
    (pipeline,) = run.pipelines
    by, shares = shares_of(pipeline)
    seen, found = pipeline.input, pipeline.bottleneck
    return {
        "format": FORMAT,
        "file": host.path,
        "host": host.name,
        "began": run.began,
        "seconds": host.seconds,
        "steps": {
            "count": len(host.steps), "marked": host.is_marked,
            "median_ms": pipeline.step.median_ms if pipeline.step else None,
        },
        "waiting": None if seen is None else {
            "share": seen.share, "band": seen.band, "count": seen.waits, "median_us": seen.get_next_median_us,
            "p95_us": seen.get_next_p95_us,
        },
        "step_time": [one._asdict() for one in host.categories],
        "input_time": {name: pipeline.categories.get(key, 0.0) for key, name in INPUT_TIME.items()},
        "prefetched": pipeline.prefetched,
        "cores": {"used": min(host.threads, host.cores), "of": host.cores} if host.cores else None,
        "devices": [to_json(device) for device in pipeline.devices],
        "bits_16": host.bits[0] / sum(host.bits) if sum(host.bits) else None,
        "bottleneck": None if found is None else {
            "operation": found.node, "share": found.share, "by": found.by,
            "place": to_json(found.place) if found.place else None,
            "candidates": [to_json(place) for place in lines.candidates], "uncertain": lines.why,
        },
        "operations": [
            {
                "path": node.path, "op": node.op, "calls": node.calls, "total_ms": node.total_ms,
                "self_ms": node.self_ms, "share": shares.get(number, 0.0), "category": INPUT_TIME[node.category],
                "rewrite": node.rewrite, "parallelism": node.parallelism, "autotuned": node.autotuned,
                "places": [str(lines.places[i]) for i in node.stages if i in lines.places],
            }
            for number, node in enumerate(pipeline.nodes)
        ],
        "shares_of": by,
        "next": [{**to_json(one), "rule": rule_for(one, pipeline)} for one in advise(run, 0)],
        "cannot_tell": list(_unknown(host, pipeline)),
    }  # fmt: skip


def dumps(data: Any) -> str:
    return json_text(json.dumps(data, indent=2, ensure_ascii=False)) + "\n"
