"""A run as `run.tfdata.json` has it: figures and places in the project, and nothing else of the program or machine.

Its format is described by `schema`, and in docs/observe.md.
"""

from __future__ import annotations

import json
import os
import statistics
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from tfdata_lint import __version__
from tfdata_lint.verify.advice import advise
from tfdata_lint.verify.model import MODERATE, Node, Place, Run, Stage, Window
from tfdata_lint.verify.nodes import shares_of

FORMAT = 1
NAME = "run.tfdata.json"
#: So cells are called in a running kernel, which knows no other number of them: `In [3]`.
CELL = "In ["
MadeBy = Literal["observe", "callback", "profile", "verify", "recording"]

#: More than anybody looks at.
PIPELINES, STAGES = 64, 256
CONFIDENCE = 0.95
#: Student's t for that, by the number of values less one.
_T = {1: 12.71, 2: 4.30, 3: 3.18, 4: 2.78, 5: 2.57, 6: 2.45, 7: 2.36, 8: 2.31, 9: 2.26}
_MARKERS = (".git", "pyproject.toml", "setup.py", "setup.cfg")
_NOWHERE = {"file": "", "row": 0, "column": -1, "end_row": 0, "end_column": -1, "function": ""}


def evidence(
    run: Run,
    root: str,
    made_by: MadeBy = "observe",
    *,
    cost: Mapping[str, float] | None = None,
) -> dict[str, Any]:
    """What `json.dumps` takes. Files below `root` are relative to it, others have no name.

    `cost`: how long it was observed and what that took of the consuming thread, in seconds.
    """
    seen = run.environment
    writing = _Writing(run, os.path.realpath(root))
    return {
        "format": FORMAT,
        "tool": __version__,
        "made_by": made_by,
        "began": run.began,
        "tensorflow": seen.tensorflow if seen else "",
        "keras": seen.keras if seen else "",
        "python": seen.python if seen else "",
        "cores": seen.cores if seen else 0,
        # How the driver calls them, not where they are.
        "gpus": [name.rpartition("/")[2] for name in seen.gpus] if seen else [],
        "platform": _platform(seen.platform) if seen else "",
        "cost": dict(cost) if cost else None,
        # What the program itself has raised may quote its data.
        "problem": run.reason or _ours(run.detail),
        "pipelines": [writing.pipeline(number) for number in range(min(PIPELINES, len(run.pipelines)))],
    }


def dumps(written: Mapping[str, Any]) -> bytes:
    return (json.dumps(written, indent=1, ensure_ascii=False, allow_nan=False) + "\n").encode()


def project_of(*folders: str) -> str:
    """The next folder above one of these that is a project; or else the first of them."""
    for folder in folders:
        at = os.path.realpath(folder)
        while True:
            if any(os.path.exists(os.path.join(at, marker)) for marker in _MARKERS):
                return at
            at, above = os.path.dirname(at), at
            if at == above:
                break
    return os.path.realpath(folders[0])


class _Writing:
    def __init__(self, run: Run, root: str) -> None:
        self._run = run
        self._root = root
        self._stages = {stage.id: stage for stage in run.stages}

    def pipeline(self, number: int) -> dict[str, Any]:
        pipeline = self._run.pipelines[number]
        seen, found = pipeline.input, pipeline.bottleneck
        is_certain = found is not None and found.untraced is None
        shown = [n for n, node in reversed(list(enumerate(pipeline.nodes))) if node.op != "Root"][:STAGES]
        by, shares = shares_of(pipeline)
        own = [self._stages[n] for n in pipeline.stages if n in self._stages][:STAGES]
        held = {buffer.node: buffer.held_bytes for buffer in pipeline.buffers}
        return {
            "consumer": pipeline.consumer,
            "place": self._place(pipeline.frames[0]) if pipeline.frames else None,
            "waiting": None if seen is None else {
                "share": _rounded(seen.share), "at_most": _rounded(seen.at_most), "source": seen.source,
                "waits": seen.waits, "median_us": _rounded(seen.get_next_median_us),
                "p95_us": _rounded(seen.get_next_p95_us),
            },
            "fast_enough": None if seen is None or seen.share is None else seen.share < MODERATE,
            "step_ms": _rounded(pipeline.step.median_ms) if pipeline.step else None,
            "elements_per_s": _rate(pipeline.elements_per_s, pipeline.windows),
            "elements": pipeline.elements,
            "first_element_ms": _rounded(pipeline.first_element_s * 1e3) if pipeline.first_element_s else None,
            "prefetched": pipeline.prefetched,
            "cores_used": _rounded(pipeline.cores_used),
            "cores_of_others": _rounded(pipeline.cores_of_others),
            "bottleneck": shown.index(found.node) if is_certain and found and found.node in shown else None,
            "shares_of": by,
            "waits_for": found.waits_for if found else "",
            "written": [self._written(stage) for stage in own],
            "stages": [self._stage(pipeline.nodes[n], shares.get(n), held.get(n)) for n in shown],
            "devices": [
                {"name": d.name, "busy": _rounded(d.busy), "copying": _rounded(d.copying)} for d in pipeline.devices
            ],
            "next": list(self._next(number)),
            "problem": _ours(pipeline.problem),
        }  # fmt: skip

    def _written(self, stage: Stage) -> dict[str, Any]:
        frames = stage.frames
        inside = len(frames) > 1 and frames[0].function not in ("", "<module>")
        return {
            "id": stage.id,
            "op": stage.op,
            "inputs": list(stage.inputs),
            "nested": list(stage.nested),
            "place": self._place(frames[0]) if frames else None,
            "called_at": self._place(frames[1]) if inside else None,
        }

    def _stage(self, node: Node, share: float | None, held: int | None) -> dict[str, Any]:
        places = (self._stages[n].place for n in node.stages if n in self._stages)
        place = next((self._place(place) for place in places if place), _NOWHERE)
        return {
            "op": node.op,
            "from": list(node.stages),
            **place,
            "rewrite": node.rewrite,
            "share": None if share is None else _rounded(min(1.0, max(0.0, share))),
            "calls": node.calls,
            "own_ms": _rounded(max(0.0, node.self_ms)),
            "processor_ms": _rounded(node.processor_ms),
            "parallelism": node.parallelism,
            "autotuned": node.autotuned,
            "held_bytes": held,
        }

    def _next(self, number: int) -> Iterator[dict[str, Any]]:
        for advice in advise(self._run, number):
            place = self._place(advice.place) if advice.place else _NOWHERE
            yield {"what": advice.what, "why": advice.why, "file": place["file"], "row": place["row"]}

    def _place(self, place: Place) -> dict[str, Any]:
        file = place.file
        if not file.startswith(CELL):
            file = os.path.relpath(os.path.realpath(place.file), self._root)
            if file.startswith(os.pardir) or os.path.isabs(file):
                return dict(_NOWHERE)
        return {
            "file": file.replace(os.sep, "/"), "row": place.row, "column": place.column, "end_row": place.end_row,
            "end_column": place.end_column, "function": place.function,
        }  # fmt: skip


def _ours(problem: str) -> str:
    """Our part of a sentence: what follows the colon quotes an error, with paths or data."""
    return problem.partition(":")[0]


def _platform(name: str) -> str:
    """The system, without the version of its kernel."""
    return name.partition("-")[0] if name.count("-") > 1 else name


def _rate(median: float | None, windows: Sequence[Window]) -> dict[str, Any] | None:
    """With the interval of the mean of the windows, where there are enough of them."""
    if median is None:
        return None
    rates = [window.elements / window.seconds for window in windows]
    low = high = None
    if len(rates) >= 3:
        half = _T.get(len(rates) - 1, 2.2) * statistics.stdev(rates) / len(rates) ** 0.5
        low, high = max(0.0, median - half), median + half
    return {
        "median": _rounded(median), "low": _rounded(low), "high": _rounded(high), "windows": len(rates),
        "confidence": CONFIDENCE,
    }  # fmt: skip


def _rounded(value: float | None) -> float | None:
    """To six digits: more is noise."""
    return None if value is None else float(f"{value:.6g}")
