"""What was observed, in the terminal: the guide's four questions, and a table of the stages."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import Any

from tfdata_lint.source.visible import inert, visible
from tfdata_lint.verify.advice import Advice, advise
from tfdata_lint.verify.model import Bottleneck, Pipeline, Run
from tfdata_lint.verify.report.hints import changes, hints
from tfdata_lint.verify.report.words import cores, devices, fast_enough_for, first_element, near, places, rates, size
from tfdata_lint.verify.seen import FEWEST_CALLS, called
from tfdata_lint.verify.verdicts import Verdict

HEAD = ("line", "stage", "calls", "own time", "processor", "at once", "holds", "")
_WIDTH = 110
_BY = {"time": "time", "processor": "processor time", "work": "work", "threads": "time of the threads"}
PREFETCHED = {"": "no", "code": "yes, by the code", "runtime": "yes, by the runtime"}
_WAITS = {
    "lock": "waits for Python's lock", "python": "its Python code waits", "files": "files are read",
    "elsewhere": "its Python code computes in other threads",
}  # fmt: skip


def render(run: Run) -> Iterator[str]:
    """Lines."""
    return map(visible, _lines(run))


def _lines(run: Run) -> Iterator[str]:
    yield f"{run.target}: {run.detail or 'observed'}" + (f" ({run.reason})" if run.reason else "")
    if run.place:
        yield f"  at {near(run.place)}"
    if run.reason == "user-error":
        yield from (f"  | {line}" for line in (run.output.tail or run.output.head).splitlines()[-5:])
    yield from hints(run)
    if run.network == "blocked in Python":
        yield "  network: off for Python code only; this system has no way to block TensorFlow's own file systems"
    for number, pipeline in enumerate(run.pipelines):
        if pipeline.nodes:
            yield from _answers(run, pipeline)
            yield from _table(run, pipeline)
            yield from advice(run, number)
        elif run.reason and pipeline.elements:
            yield from short(pipeline)
    yield from changes(run)


def short(one: Pipeline) -> Iterator[str]:
    """Of a pipeline that was not traced."""
    where = f" at {near(one.frames[0])}" if one.frames else ""
    yield f"  pipeline {one.consumer}{where}: {one.elements:,} elements; {one.problem or 'it was not traced'}"
    if one.input and one.input.share is not None and one.step:
        yield f"    fast enough?  {one.input.share:.0%} of a step of {one.step.median_ms:,.1f} ms is spent waiting"


def _answers(run: Run, pipeline: Pipeline) -> Iterator[str]:
    where = f" at {near(pipeline.frames[0])}" if pipeline.frames else ""
    drained = ", drained" * pipeline.drained
    yield f"  pipeline {pipeline.consumer}{where}: {rates(pipeline) or '0 elements/s'}{drained}"
    seen, step = pipeline.input, pipeline.step
    enough = fast_enough_for(pipeline) if pipeline.drained or not seen or seen.share is None else ""
    if seen:
        wait = f"GetNext {seen.get_next_median_us:,.0f} µs, p95 {seen.get_next_p95_us:,.0f} µs"
        of_step = f" of a step of {step.median_ms:,.1f} ms ({step.source})" if step else ""
        before, spent = ("before its consumer ended, ", "was") if pipeline.drained else ("", "is")
        waiting = ""
        if seen.share is not None:
            share, most = f"{seen.share:.0%}", f"{seen.most:.0%}"
            waiting = f"{before}{share}{of_step} {spent} spent waiting{f', {most} at most' * (most != share)}"
        said = "; ".join(filter(None, (enough, waiting, wait)))
        yield f"    fast enough?  {said}"
    elif enough:
        yield f"    fast enough?  {enough}"
    yield f"    prefetched?   {PREFETCHED[pipeline.prefetched]}"
    if pipeline.cores_used is not None and run.environment:
        yield f"    CPU used?     {cores(pipeline, run.environment)}"
    for device in devices(pipeline):
        yield f"    GPU used?     {device}"
    if pipeline.bottleneck:
        yield f"    bottleneck?   {bottleneck(pipeline, pipeline.bottleneck)}"


def bottleneck(pipeline: Pipeline, found: Bottleneck) -> str:
    """Which stage it is, where, with how much of what, and which one would be next."""
    node, calls = pipeline.nodes[found.node], called(pipeline.nodes, found.node)
    op = node.op if calls >= FEWEST_CALLS else f"perhaps {node.op} (calls traced: {calls}; more steps would tell)"
    if found.untraced is not None:
        buffer = pipeline.nodes[found.untraced].op
        op = f"perhaps {node.op} (elements came from the buffer of {buffer}; what fills it was hardly traced)"
    parts = [f"the consumer; of the input {op}" if pipeline.limited_by == "consumer" else op]
    if found.share:
        parts[0] += f", {found.share:.0%} of the {_BY[found.by]}"
    if node.rewrite:
        parts.append(f"{node.rewrite} by the runtime")
    if found.waits_for:
        parts.append(_WAITS[found.waits_for])
    parts.append(f"at {near(found.place)}" if found.place else "no known line of code")
    if found.called_at:
        parts[-1] += f", called at {near(found.called_at)}"
    text = ", ".join(parts)
    if found.runner_up:
        next_one = found.runner_up
        at = f" at {near(next_one.place)}" if next_one.place else ""
        text += f"; then {pipeline.nodes[next_one.node].op}, {next_one.share:.0%}{at}"
    return text


def advice(run: Run, number: int, verdicts: Sequence[Verdict] = ()) -> Iterator[str]:
    """What to do next, and why."""
    label = "next?"
    for one in advise(run, number, verdicts):
        indent = " " * 18
        yield from _wrapped(where(one), f"    {label:14}", indent)
        yield from _wrapped(f"({one.why})", indent, indent)
        label = ""


def where(one: Advice) -> str:
    """In which line to do what."""
    return f"{near(one.place)}: {one.what}" if one.place else one.what


def _wrapped(text: str, head: str, indent: str) -> list[str]:
    options: Any = {"break_long_words": False, "break_on_hyphens": False}
    lines = textwrap.wrap(visible(text, keep="\n\t"), _WIDTH, initial_indent=head, subsequent_indent=indent, **options)
    return list(map(inert, lines))


def stages(run: Run, pipeline: Pipeline) -> list[tuple[str, ...]]:
    """A row for each stage that was executed, the source first: of the table in the terminal and on the page."""
    held = {buffer.node: buffer.held_bytes for buffer in pipeline.buffers if buffer.held_bytes}
    return [
        (
            places(run, node), node.op, f"{node.calls:,}", f"{node.self_ms:,.1f} ms",
            "" if node.processor_ms is None else f"{node.processor_ms:,.1f} ms",
            f"{node.parallelism}{', tuned' * node.autotuned}" if node.parallelism else "",
            size(held[number]) if number in held else "",
            f"{node.rewrite} by the runtime" if node.rewrite else "",
        )
        for number in shown(pipeline)
        for node in [pipeline.nodes[number]]
    ]  # fmt: skip


def consumer_row(pipeline: Pipeline) -> list[tuple[str, ...]]:
    """A last row of that table: who takes the elements, and when the first one is there. None if that is not known."""
    first = first_element(pipeline)
    where = near(pipeline.frames[0]) if pipeline.frames else ""
    return [(where, pipeline.consumer, "", "", "", "", "", first)] if first else []


def shown(pipeline: Pipeline) -> list[int]:
    """Which nodes these rows are; the root is nothing that runs."""
    return [number for number, node in reversed(list(enumerate(pipeline.nodes))) if node.op != "Root"]


def _table(run: Run, pipeline: Pipeline) -> Iterator[str]:
    rows: Sequence[tuple[str, ...]] = [HEAD, *stages(run, pipeline), *consumer_row(pipeline)]
    columns = [n for n in range(len(HEAD)) if any(row[n] for row in rows[1:])]
    widths = {n: max(len(row[n]) for row in rows) for n in columns}
    for row in rows:
        cells = (row[n].ljust(widths[n]) if n in (0, 1, 7) else row[n].rjust(widths[n]) for n in columns)
        yield f"    {'  '.join(cells)}".rstrip()
