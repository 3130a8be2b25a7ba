"""TFD614."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.options import Options
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import by_place, in_small_letters
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.values import Constant, Flag, Parameter
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.switches import calls_named, is_for_debugging, is_guarded, remark_at
from tfdata_lint.pipeline.python.environment import variables_set
from tfdata_lint.pipeline.python.origins import Place, argument, origins
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.rules.base import Finding, Rule
from tfdata_lint.rules.overlap.parallel import POOLS

#: What options undo, by their values.
_OPTIONS: dict[str, tuple[bool | int, str]] = {
    "autotune.enabled": (
        False,
        "tf.data no longer tunes parallelism and buffers: AUTOTUNE is then a fixed number, whatever a stage needs",
    ),
    "experimental_optimization.apply_default_optimizations": (
        False,
        "tf.data no longer rewrites the pipeline by itself: it neither fuses nor parallelizes stages",
    ),
    **dict.fromkeys(
        POOLS,
        (
            1,
            "One thread runs the whole pipeline, whatever parallelism its stages ask for (measured on two cores: 1.8 to"
            " 2 times as long)",
        ),
    ),
}
_INTER = "Operations that do not depend on each other run one after the other"
_INTRA = "Each operation on the CPU uses one core"
_THREADS = {
    "tensorflow.config.threading.set_inter_op_parallelism_threads": _INTER,
    "tensorflow.config.threading.set_intra_op_parallelism_threads": _INTRA,
}
_VARIABLES = {"TF_NUM_INTEROP_THREADS": _INTER, "TF_NUM_INTRAOP_THREADS": _INTRA}
#: One thread is the oldest recipe for runs that can be repeated; who gives up the order of a pipeline wants none.
_REPEATABLE = re.compile(r"determinis(?!tic\s*=\s*(?:false|not\b))|reproducib")
_MEASURING = ("bench", "profil")


class ThrottledRuntime(Rule):
    code = "TFD614"
    name = "throttled-runtime"
    group = "advice"
    summary = "A setting takes away the threads or the tuning that TensorFlow has by default"
    unmeasured = "What a setting of the runtime costs depends on the machine"
    triggers = ("options text:cpu_count text:_op_parallelism_threads text:TF_NUM_INT",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or any(word in graph.file.lower() for word in _MEASURING):
            return
        for found in (*_options(graph), *_threads(graph), *_calls(graph)):
            if found.span.file != graph.file or remark_at(graph.source.lines, found.span.row):
                continue
            yield self.finding(
                found.span, f"{found.what} undoes a default of TensorFlow", cost=found.cost, advice=found.advice
            )


class Throttle(NamedTuple):
    span: Span
    what: str
    cost: str
    advice: str = "Remove the setting, or add a comment that says why it is needed"


def _options(graph: PipelineGraph) -> Iterator[Throttle]:
    for options in graph.options:
        for setting in options.written:
            value, cost = _OPTIONS.get(setting.path, (False, ""))
            if not cost or not _is_value(options, setting.path, value) or not (options.applied or options.escapes):
                continue
            context = setting.context
            if context.in_test or context.conditions or context.guards or _is_measuring(context.definition):
                continue
            yield Throttle(setting.span, f"`{setting.path} = {value}`", cost)


def _is_value(options: Options, path: str, value: bool | int) -> bool:
    match options.settings.get(path):
        case Constant(found) | Flag(default=Constant(found)) | Parameter(default=Constant(found)):
            return type(found) is type(value) and found == value
    return False


def _threads(graph: PipelineGraph) -> Iterator[Throttle]:
    if _REPEATABLE.search(graph.once(in_small_letters)):
        return
    calls, variables = list(calls_named(graph, *_THREADS)), list(variables_set(graph, *_VARIABLES))
    # Otherwise both numbers are chosen together, or one of them is set back.
    given = [argument(graph, call, 0, "num_threads", graph.source) for _, call in calls]
    if any(place is None or value_at(graph, *place) != 1 for place in given):
        return
    if any(value_at(graph, variable.value) != "1" for variable in variables):
        return
    found = [
        *((call, call, f"{ast.unparse(call.func)}(1)", _THREADS[name]) for name, call in calls),
        *((one.written, one.by, f"{one.name}=1", _VARIABLES[one.name]) for one in variables),
    ]
    for written, by, what, cost in found:
        if not (is_guarded(graph.tree, by) or is_for_debugging(graph.tree, by) or _is_explained(graph, by)):
            yield Throttle(span_of(written, graph.file), f"`{what}`", cost)


def _is_explained(graph: PipelineGraph, node: ast.expr) -> bool:
    return bool(remark_at(graph.source.lines, node.lineno))


def _calls(graph: PipelineGraph) -> Iterator[Throttle]:
    """`num_parallel_calls=os.cpu_count() * 4`."""
    for stages in by_place(graph.stages, "map", "interleave", "batch"):
        stage = stages[0]
        calls = stage.arguments.get("num_parallel_calls")
        if calls is None or stage.context.in_test or any(_has_own_pool(graph, stage) for stage in stages):
            continue
        if _is_several_cores(graph, calls.node):
            yield Throttle(
                span_of(calls.node, graph.file) if stage.span.file == graph.file else stage.span,
                f"`num_parallel_calls={calls.written}`",
                "The pool of tf.data has one thread for each core: further calls do not run, and their results wait in"
                " memory",
                "Use `tf.data.AUTOTUNE`",
            )


def _is_several_cores(graph: PipelineGraph, node: ast.expr) -> bool:
    for place in origins(graph, node):
        match place.node:
            case ast.BinOp(op=ast.Mult(), left=left, right=right):
                sides = ((left, right), (right, left))
                factors = [value_at(graph, one, place.source) for one, other in sides if _counts(graph, other, place)]
                return any(type(factor) is int and factor > 1 for factor in factors)
    return False


def _counts(graph: PipelineGraph, node: ast.expr, place: Place) -> bool:
    return any(last_name(one.node) == "cpu_count" for one in origins(graph, node, place.source))


def _has_own_pool(graph: PipelineGraph, stage: Stage) -> bool:
    return stage.has("use_unbounded_threadpool") or any(graph.option(stage, option) is not None for option in POOLS)


def _is_measuring(name: str) -> bool:
    return any(word in name.lower() for word in (*_MEASURING, "debug"))
