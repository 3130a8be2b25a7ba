"""TFD419 window-not-flattened."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, cases, paths, when
from tfdata_lint.pipeline.nouns.questions import HANDING_ON
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.structure import Dict_
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.arity import misfit, source_of_dicts
from tfdata_lint.rules.correctness.window_not_flattened.windows import asked_of_dict, loop_as_tensor, window_as_tensor

#: What hands on windows, alone or beside other things.
_INDIFFERENT = HANDING_ON | {"enumerate", "zip"}
#: What takes tensors apart or together, and what TensorFlow makes of datasets there.
_RAISING = {
    "padded_batch": "This raises a TypeError: `padded_batch` is not supported for datasets of datasets",
    "bucket_by_sequence_length": "Creating the dataset raises a TypeError",
    "rebatch": "This raises a ValueError: slicing dataset elements is not supported",
    "unbatch": "This raises a ValueError: slicing dataset elements is not supported",
}
_COLLECTING = ("batch", "ragged_batch")
_FLATTENING = ("flat_map", "interleave")
_MAPPING = ("map", "filter", *_FLATTENING)
#: What needs tensors.
_READERS = ("fit", "evaluate", "predict", "validation", "as_numpy_iterator")
_LOOPS = ("for", "inspection")
_MISTAKE = "gets datasets from `window`, not tensors"
_FLATTEN = "Convert the windows to tensors first: `flat_map(lambda window: window.batch(size))`"
_ZIP_NAMES = "Zip them: `tf.data.Dataset.zip({name: part.batch(size) for name, part in window.items()})`"
_ZIP = "Zip them: `lambda x, y: tf.data.Dataset.zip((x.batch(size), y.batch(size)))`"


class WindowNotFlattened(Rule):
    code = "TFD419"
    name = "window-not-flattened"
    group = "correctness"
    summary = "The elements of `window` are datasets, but later code uses them as tensors"
    triggers = ("window",)
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if all(stage.op != "window" for stage in graph.stages):
            return
        takers = (stage for stage in graph.stages if stage.op in (*_RAISING, *_COLLECTING))
        for taker, window, case in cases(takers, lambda stage, path: _window(path.until(stage))):
            if taker.op in _COLLECTING and any(after.op == "unbatch" for after in graph.downstream(taker)):
                continue
            cost = _RAISING.get(taker.op, "The result is batches of datasets, and no operation can compute with those")
            yield self._finding(taker, window, f"`{taker.op}` {_MISTAKE}{case}", cost)
        mapping = (stage for stage in graph.stages if stage.op in _MAPPING and stage.function is not None)
        for stage, window, case in cases(mapping, lambda stage, path: _window(path.until(stage))):
            # What a test asks of the elements decides what comes here.
            if not any("element_spec" in condition.text for condition in stage.context.conditions):
                yield from self._mapped(stage, window, case)
        for consumer in graph.consumers:
            if consumer.context.in_test:
                continue
            written = loop_as_tensor(graph, consumer) if consumer.kind in _LOOPS else ""
            if written or consumer.kind in _READERS:
                yield from self._consumed(consumer, written)

    def _mapped(self, stage: Stage, window: Stage, case: str) -> Iterator[Finding]:
        who = f"The function of `{stage.op}`"
        is_dict = isinstance(structure_of(stage.inputs[0]), Dict_) or source_of_dicts(stage.inputs[0]) is not None
        if is_dict and (written := asked_of_dict(stage.function)):
            message = f"The function of `{stage.op}` gets a dict of windows, a dataset for each feature{case}"
            cost = f"`{stage.op}` raises an AttributeError when the function is traced: a dict has no `{written}`"
            yield self._finding(stage, window, message, cost, _ZIP_NAMES)
        elif written := _as_tensor(stage, window, is_dict):
            cost = f"`{stage.op}` raises when the function is traced: `{written}` needs a tensor"
            yield self._finding(stage, window, f"{who} {_MISTAKE}{case}", cost)
        elif wrong := misfit(stage):
            cost = (
                f"`{stage.op}` raises a TypeError: the function takes {wrong.takes}, and each feature is one argument"
            )
            message = f"{who} gets {wrong.given} windows at a time{case}: `window` makes a dataset of each feature"
            yield self._finding(stage, window, message, cost, _ZIP if wrong.given > 1 else _FLATTEN)

    def _consumed(self, consumer: Consumer, written: str) -> Iterator[Finding]:
        known = tuple(paths(consumer.dataset, consumer.context.conditions))
        judged = [_window(path) for path in known]
        window = next(filter(None, judged), None)
        if window is None:
            return
        case = when([path for path, found in zip(known, judged, strict=True) if found is not None], known)
        if written:
            message = f"This loop gets datasets from `window`, not tensors{case}"
            cost = f"This raises an error: `{written}` needs a tensor"
            yield self._finding(consumer, window, message, cost)
            return
        error = "TypeError" if consumer.kind == "as_numpy_iterator" else "ValueError: only tensors may be passed"
        message = f"`{consumer.target or consumer.kind}` {_MISTAKE}{case}"
        yield self._finding(consumer, window, message, f"This raises a {error}")

    def _finding(
        self, place: Stage | Consumer, window: Stage, message: str, cost: str, advice: str = _FLATTEN
    ) -> Finding:
        return self.finding(
            place.span,
            message,
            cost=cost,
            advice=advice,
            confidence=window.confidence,
            severity="error" if window.confidence == "proven" else "warning",
            related=(Related(window.span, "each element is a dataset from here on"),),
        )


def _as_tensor(stage: Stage, window: Stage, is_dict: bool) -> str:
    """What the function of a stage does to windows that needs tensors; beside other things, which argument is one is
    not told apart."""
    is_beside = any(part.op in ("zip", "enumerate") for part in upstream(stage.inputs[0]) if window in upstream(part))
    has_one = len(_taken(stage)) < 2
    return window_as_tensor(stage.function, is_dict) if has_one or not is_beside else ""


def _taken(stage: Stage) -> list[ast.arg]:
    match stage.function.node if stage.function is not None else None:
        case ast.FunctionDef(args=taken) | ast.Lambda(args=taken):
            return [part for part in taken.args if part.arg not in ("self", "cls")]
    return []


def _window(path: Path) -> Stage | None:
    """The stage that makes the elements at the end of a path datasets, which nobody has flattened."""
    for stage in reversed(path.stages):
        if stage.op == "window":
            return stage
        if stage.op in _FLATTENING and stage.nested is not None:
            # Windows that are made within each element are what comes out.
            inner = [_window(path) for path in paths(stage.nested)]
            return next(iter(inner), None) if all(inner) else None
        is_mapped = stage.op == "map" and stage.nested is not None
        if stage.op not in _INDIFFERENT and not is_mapped:
            return None
    return None
