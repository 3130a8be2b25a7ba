"""TFD102."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from tfdata_lint.config.target import LAST_OF_1, Target
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.mapped.layers import network_in
from tfdata_lint.pipeline.mapped.paired import paired_draw
from tfdata_lint.pipeline.mapped.written import READING, runs_python
from tfdata_lint.pipeline.nouns.consumers import DRIVING
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import around, by_place, is_batched, is_in_parallel, is_only_looked_at, is_toy
from tfdata_lint.pipeline.nouns.stages import AUTOTUNE, Argument, Effect, MappedFunction, Stage, tips, upstream
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Made, Related, Rule, Severity, guarded
from tfdata_lint.rules.overlap.parallel import REWRITES, calls_of, is_option, is_passed_in, why_unsafe

_PARALLELIZATION = "experimental_optimization.map_parallelization"
#: Beginnings of names of native operations that are worth running in parallel beside Python.
_NATIVE_WORK = ("decode_", "read_file", "resize", "parse_", "stft", "mfccs_")
#: These hand on as many elements as they are given, or fewer.
_KEEPING = ("cache", "filter", "map", "prefetch", "with_options")
_BATCHES = ("batch", "padded_batch", "ragged_batch")
#: Python lets go of its lock while it waits for a file, or decodes or resizes an image in C.
_WAITING = rf"{READING}|(^|\.)(imdecode|urlopen|decode_(jpeg|png|image))$|^cv2\.resize$|^requests\.get$"
_IMAGES = r"(^|[._])decode_(?:and_crop_)?(?:bmp|gif|image|jpeg|png)$"
_DRAWS = r"augment|crop|cutout|distort|flip|jitter|mixup|noise|perturb|rand"
#: So many pipelines at once leave little to a parallel map inside of them.
_SEVERAL = 4
#: And so many nothing: measured on two cores with images, a parallel map inside makes it 0.9 times as fast.
_MANY = 16
#: Parsing and splitting text: calls side by side gain at most half of it, for half as much CPU more (measured).
_CHEAP = frozenset({"parse", "text", "tokens", "light", "trivial", ""})
_ON_BATCHES = (
    "Put `batch` first where the function works on whole batches (measured: 3 to 7 times as fast); a parallel `map`"
    " gains at most half"
)
_TITLE = "Use `num_parallel_calls=tf.data.AUTOTUNE`"


class SequentialMap(Rule):
    code = "TFD102"
    name = "sequential-map"
    group = "performance"
    summary = "`map` works on one element at a time"
    triggers = ("map",)
    done_by_runtime = "parallel"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for found in map(_costly, by_place(graph.stages, "map")):
            stages = [stage for stage in found if _is_sequential(graph, stage)]
            # A place that is reached in several ways must be sequential in all of them, but where the callers choose.
            is_whole = len(stages) == len(found) or all(is_passed_in(graph, stage) for stage in stages)
            if not stages or not is_whole or is_only_looked_at(graph, stages):
                continue
            doubts = [(stage.context.in_test, paths(stage).always(is_toy)) for stage in stages]
            if all(map(all, doubts)):
                continue
            if all(map(any, doubts)):
                weights = (_weigh(graph, Target(), stage, _is_limited(stage)).severity for stage in stages)
                if "warning" not in weights or not all(map(_is_seen, stages)):
                    continue
            fix = _fix(graph, stages, target)
            findings = [self._finding(graph, target, stage, fix) for stage in stages]
            yield next((finding for finding in findings if finding.severity == "warning"), findings[0])

    def denies(self, graph: PipelineGraph, stage: Stage) -> bool:
        return stage.op == "map" and not _is_sequential(graph, stage)

    def _finding(self, graph: PipelineGraph, target: Target, stage: Stage, fix: Made) -> Finding:
        limited = _is_limited(stage)
        function = stage.function
        name = f"`{function.name}`" if function is not None else "its function"
        weight = _weigh(graph, target, stage, limited)
        others = [_weigh(graph, other, stage, limited) for other in (LAST_OF_1, Target())]
        effect = function.stateful if function is not None else None
        is_cheap = function is not None and _is_cheap(function)
        may_batch_first = is_cheap and weight.severity == "warning" and not paths(stage.inputs[0]).always(is_batched)
        return self.finding(
            stage.span,
            _message(graph, stage, f"{name} on one element at a time"),
            cost=weight.cost,
            advice=_ON_BATCHES if may_batch_first else _TITLE,
            severity="advice" if is_cheap or is_passed_in(graph, stage) else weight.severity,
            confidence=stage.confidence if weight.is_certain and _is_seen(stage) else "likely",
            related=(Related(effect.span, f"`{effect.what}` is stateful"),) if effect else (),
            fix=fix.as_needless() if weight.is_needless and isinstance(fix, Fix) else fix,
            by_version=not is_cheap
            and not target.below(1, 13)
            and any(other.is_needless for other in others)
            and len({other.severity for other in others}) > 1,
        )


def _costly(stages: list[Stage]) -> list[Stage]:
    """Those of one place, without the cheap steps of a loop that maps one function after the other."""
    others = [stage for stage in stages if stage.function is None or stage.function.cost != "trivial"]
    if len(others) in (0, len(stages)):
        return stages
    before = {id(part) for stage in stages for part in upstream(stage) if part is not stage}
    return others if any(id(stage) in before for stage in stages) else stages


def _is_sequential(graph: PipelineGraph, stage: Stage) -> bool:
    """Does it run element by element, and would running in parallel pay?"""
    calls = calls_of(stage)
    if calls is not None and calls != 1:
        return False
    if stage.literal("synchronous", False) is not False:
        return False
    # The option makes a stateless map parallel that says nothing itself, and only at the top level.
    is_stateful = stage.function is not None and stage.function.stateful is not None
    may_help = calls is None and not stage.nested_in and not is_stateful
    if may_help and graph.option(stage, _PARALLELIZATION) not in (None, False):
        return False
    if stage.nested is not None or any(tip.op == "window" for origin in stage.inputs for tip in tips(origin)):
        # It only puts datasets together; their elements are made later.
        return False
    function = stage.function
    if paths(stage, stage.context.conditions).always(partial(_has_one_element, stage)):
        return False
    if function is None:
        return stage.has("map_func") and not is_in_parallel(stage)
    if function.cost == "trivial" or _is_python(graph, function) or _only_prints(function):
        return False
    if paired_draw(graph, stage) is not None:
        # Calls side by side take the draws of one another: a mask would no longer fit its image.
        return False
    if any(effect.fails and not effect.sometimes for effect in function.effects):
        # It raises when it is traced, which another rule reports.
        return False
    if function.has("variable_assign", "iterator"):
        # It counts its elements, or puts them beside others in their order: one at a time is right.
        return False
    return (function.cost == "heavy" and not any(map(_is_wide, around(stage)))) or not is_in_parallel(stage)


def _has_one_element(stage: Stage, path: Path) -> bool:
    """Is it given one element: what a `take` or a window holds, as one batch, or what `from_tensors` makes?"""
    before = [part for part in path.before(stage) if part.op not in _KEEPING]
    match before[::-1]:
        case [Stage(op="from_tensors"), *_]:
            return True
        case [Stage(op="take") as take, *_] if take.literal("count") == 1:
            return True
        case [Stage() as batch, Stage(op="take") as take, *_] if batch.op in _BATCHES:
            return _holds(batch, take.arguments.get("count"))
        case [Stage() as batch, Stage(op="parameter")] if batch.op in _BATCHES and stage.nested_in is not None:
            outer = stage.nested_in
            if outer.op == "group_by_window":
                # What chooses the size of a window by its key has batches of that size, too.
                return outer.has("window_size_func") or _holds(batch, outer.arguments.get("window_size"))
            windows = [tip for origin in outer.inputs for tip in tips(origin)]
            return bool(windows) and all(
                tip.op == "window" and _holds(batch, tip.arguments.get("size")) for tip in windows
            )
    return False


def _holds(batch: Stage, number: Argument | None) -> bool:
    """Are so many elements one batch?"""
    size = batch.arguments.get("batch_size")
    if size is None or number is None:
        return False
    if isinstance(size.literal, int) and isinstance(number.literal, int):
        return 0 <= number.literal <= size.literal
    return size.is_same_variable(number)


def _is_limited(stage: Stage) -> bool:
    return bool(calls_of(stage) == 1)


def _message(graph: PipelineGraph, stage: Stage, work: str) -> str:
    if is_passed_in(graph, stage):
        calls = stage.arguments["num_parallel_calls"]
        if is_option(stage):
            return f"`map` runs {work}: `{calls.written}` is {calls.presumed} by default"
        users = (end.span for end in graph.reached(stage) if end.kind in DRIVING)
        where = next((f"the call for {os.path.basename(span.file)}:{span.row}" for span in users), "all known calls")
        return f"`map` runs {work}: `{calls.written}` is {calls.literal} in {where}"
    if _is_limited(stage):
        written = stage.arguments["num_parallel_calls"].literal
        return f"`num_parallel_calls={written}` makes `map` run {work}"
    return f"`map` runs {work}"


def _is_seen(stage: Stage) -> bool:
    """Is it known what its function costs?"""
    return stage.function is not None and stage.function.cost != "unknown"


def _is_python(graph: PipelineGraph, function: MappedFunction) -> bool:
    """Is its work done in Python, under one lock? TFD202 speaks then."""
    if function.has("py_function") is None or runs_python(graph, function, _WAITING):
        return False
    return not any(name.rpartition(".")[2].startswith(_NATIVE_WORK) for name in function.operations)


def _is_cheap(function: MappedFunction) -> bool:
    """Is parsing or splitting text, drawing a number, or cutting out of an image all that costs something in it?"""
    moves = re.compile(r"\.image\.(?!decode)(\w*crop\w*|pad_to_bounding_box)$")
    others = (name for name in function.operations if not moves.search(name))
    works = {"image" if ".image." in name else known(name).cost for name in others}
    is_known = function.has("py_function") is None and (function.cost != "heavy" or not function.unknown)
    return function.cost in ("light", "heavy") and works <= _CHEAP and is_known


def _only_prints(function: MappedFunction) -> bool:
    """Is printing all that it does beside light work? The lines are there to be read in order."""
    prints = [effect.kind == "tf_print" for effect in function.effects]
    return function.cost == "light" and bool(prints) and all(prints)


class _Weight(NamedTuple):
    severity: Severity
    cost: str
    is_needless: bool = False
    """TensorFlow makes it parallel by itself, for certain."""
    is_certain: bool = True


def _weigh(graph: PipelineGraph, target: Target, stage: Stage, limited: bool) -> _Weight:
    function = stage.function
    measured = _measured(function)
    if stage.nested_in is not None:
        return _Weight(
            "advice" if any(map(_are_in_parallel, around(stage))) else "warning",
            f"TensorFlow never parallelizes a map inside the function of another stage by itself{measured}",
        )
    if limited and not target.at_least(2, 6):
        return _Weight("warning", f"All elements are made one after the other{measured}")
    if limited:
        return _Weight("warning", f"The argument also switches off TensorFlow's own parallelism{measured}")
    effect = function.stateful if function is not None else None
    if function is not None and effect is not None and _is_guess(function, effect):
        return _Weight(
            "advice",
            (
                f"TensorFlow does not parallelize this by itself if `{effect.what}` looks up a TensorFlow table, which"
                " is not known here"
            ),
        )
    if (
        function is not None
        and effect is not None
        and effect.kind == "py_function"
        and runs_python(graph, function, _WAITING)
    ):
        return _Weight(
            "warning",
            f"TensorFlow never parallelizes a function with `{effect.what}` by itself, and Python lets others run while"
            " it waits for a file (measured for calls that only wait: 2.0 times slower on two cores)",
        )
    if effect is not None and network_in(function) is not None:
        return _Weight(
            "advice",
            "TensorFlow never parallelizes a function with a network by itself, but the network already uses several"
            " cores (measured: a parallel map was 1.1 to 1.4 times as fast)",
        )
    if effect is not None:
        return _Weight(
            "warning",
            f"TensorFlow never parallelizes a function with {_stateful(effect)} by itself{measured}",
        )
    off = next((option for option in (*REWRITES, _PARALLELIZATION) if graph.option(stage, option) is False), "")
    if off:
        return _Weight(
            "warning",
            (f"The options of this dataset switch `{off}` off, so TensorFlow parallelizes nothing by itself{measured}"),
        )
    # What is light may take less time than handing it to another thread; what is not seen may be light.
    is_heavy = function is not None and function.cost == "heavy"
    if not target.at_least(2, 6):
        return _Weight(
            "warning" if is_heavy and not target.below(1, 13) else "advice",
            f"TensorFlow parallelizes only stateless functions by itself, and only since 2.6{measured}",
        )
    if function is not None and function.is_stateless:
        return _Weight(
            "advice",
            (
                "TensorFlow parallelizes this stateless function by itself (measured: no difference); a random or"
                " stateful operation in the function would prevent that"
            ),
            True,
        )
    # Most of what is not seen is stateless, unless its name tells of a draw.
    may_draw = function is not None and re.search(_DRAWS, function.unknown.lower()) is not None
    return _Weight(
        "warning" if is_heavy and may_draw else "advice",
        "TensorFlow parallelizes this by itself only if the whole function is stateless, which is not certain here",
        is_certain=False,
    )


def _measured(function: MappedFunction | None) -> str:
    """What was measured, for a function that does such work."""
    is_alike = function is not None and any(re.search(_IMAGES, name) for name in function.operations)
    return " (measured with functions that decode images: 1.8 times slower on two cores)" if is_alike else ""


def _are_in_parallel(outer: Stage) -> bool:
    """Does a stage run several of the pipelines at once that its function returns?"""
    cycle = outer.literal("cycle_length")
    is_few = isinstance(cycle, int) and cycle != AUTOTUNE and cycle < _SEVERAL
    return (outer.op == "parallel_interleave" or outer.is_parallel) and not is_few


def _is_wide(outer: Stage) -> bool:
    """Does a stage run that many of them at once in any case?"""
    counts = [outer.literal("cycle_length"), outer.literal("num_parallel_calls")]
    return all(type(count) is int and count >= _MANY for count in counts)


def _is_guess(function: MappedFunction, effect: Effect) -> bool:
    """Is looking up in a table that is not seen all that it costs?"""
    return effect.kind == "lookup" and effect.is_guess and function.cost == "light"


def _stateful(effect: Effect) -> str:
    match effect.kind:
        case "variable_read" | "variable_assign":
            return f"a variable (`{effect.what}`)"
        case "lookup":
            return "a table lookup"
    return f"`{effect.what}`"


@guarded
def _fix(graph: PipelineGraph, stages: list[Stage], target: Target) -> Fix:
    reason = why_unsafe(graph, stages)
    draft = Draft(graph)
    draft.set_arguments(stages[0], num_parallel_calls=draft.autotune(stages[0].node, target))
    return draft.fix("unsafe" if reason else "safe", _TITLE, reason)
