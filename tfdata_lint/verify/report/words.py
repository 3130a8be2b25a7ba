"""Figures and places as all reports say them."""

from __future__ import annotations

import os
from collections.abc import Iterator

from tfdata_lint.verify.model import MODERATE, Environment, Measure, Node, Pipeline, Place, Run

#: Stages whose elements are those that they get. The runtime adds some of them.
_HAND_ON = (
    "Root", "Model", "Options", "MaxIntraOpParallelism", "PrivateThreadPool", "Prefetch", "FiniteRepeat",
    "ForeverRepeat", "FiniteTake",
)  # fmt: skip


#: What columns of tables hold.
OWN = "Own time is the time in a stage's own calls, which may include waiting for its threads or for a core."
OF_STEPS = "The share of a category is its part of the time of all steps; of that, input is the time spent waiting."
_SHARES: dict[Measure, str] = {
    "time": "the time in calls of all stages", "processor": "the processor time of all stages",
    "work": "the work of all stages",
    "threads": "the time that threads spend on all stages, waiting for Python's lock included",
}  # fmt: skip


def of_stages(by: Measure) -> str:
    """What the share of a stage is a share of."""
    return f"The share of a stage is its part of {_SHARES[by]}, not of the step."


def near(place: Place) -> str:
    """A place as seen from here, if it is below."""
    path = os.path.relpath(place.file)
    return str(place) if path.startswith(os.pardir) else f"{path}:{place.row}"


def places(run: Run, node: Node) -> str:
    """The calls that a stage comes from: `input.py:9, 10` where two are fused."""
    found: dict[str, dict[str, None]] = {}
    for number in node.stages:
        if place := run.stage(number).place:
            file, _, row = near(place).rpartition(":")
            found.setdefault(file, {})[row] = None
    return "; ".join(f"{file}:{', '.join(rows)}" for file, rows in found.items())


def rate(per_s: float) -> str:
    """Elements per second; of slow pipelines with as many digits as tell something."""
    return f"{per_s:,.0f}" if per_s >= 10 else f"{per_s:.2g}"


def rates(pipeline: Pipeline) -> str:
    """How many elements it gives per second, and how many rows each has if they are batches; empty if not known."""
    if not pipeline.elements_per_s:
        return ""
    last = next((node for node in pipeline.nodes if not node.op.startswith(_HAND_ON)), None)
    size = last.parameters.get("batch_size") if last else None
    return f"{rate(pipeline.elements_per_s)} elements/s{f' (batches of {size})' if size else ''}"


def cores(pipeline: Pipeline, machine: Environment) -> str:
    """Who has the processors."""
    others = pipeline.cores_of_others
    also = f"; other programs used {others:.1f}" if others is not None and others >= 0.05 else ""
    return f"{pipeline.cores_used or 0.0:.1f} of {machine.cores} cores{also}"


def devices(pipeline: Pipeline) -> Iterator[str]:
    """How busy each GPU was, and what would help if it waits for copies."""
    if pipeline.consumer in ("returned", "waiting"):
        # Nobody computes while it is drained.
        return
    for device in pipeline.devices:
        copies = f", {device.copying:.0%} of the time data is copied to it" if device.copying >= 0.005 else ""
        ahead = "; `tf.data.experimental.prefetch_to_device` copies ahead" if device.copying >= MODERATE else ""
        yield f"{device.name} is idle for {1 - device.busy:.0%} of the time{copies}{ahead}"


def fast_enough_for(pipeline: Pipeline) -> str:
    """The shortest step that need not wait for its elements, if they are made while it computes; in words."""
    if not pipeline.elements_per_s:
        return ""
    ahead = "" if pipeline.prefetched else ", once it is prefetched"
    return f"for steps of {1e3 / pipeline.elements_per_s:,.1f} ms and longer{ahead}"


def size(many: int) -> str:
    """Bytes, with as many digits as tell something."""
    if many >= 2**20 // 20:
        return f"{many / 2**20:,.1f} MB"
    return f"{many / 2**10:,.1f} kB" if many >= 2**10 else f"{many} B"


def first_element(pipeline: Pipeline) -> str:
    """How long it takes to the first element, if that is known."""
    seconds = pipeline.first_element_s
    if not seconds:
        return ""
    return f"first element after {seconds:,.1f} s" if seconds >= 1 else f"first element after {seconds * 1e3:,.0f} ms"
