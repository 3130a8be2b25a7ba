"""TFD604."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import calls_of, names
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.nouns.structure import Tensor, leaves
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.modules import LIBRARIES
from tfdata_lint.pipeline.project.syntax import syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import Place, origins
from tfdata_lint.pipeline.python.runs import loop_around, passes_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.device.eager_steps import (
    Step,
    calls_a_graph,
    eager_call,
    eager_step,
    is_eager,
    is_meant,
    runs_it_as_it_is,
)
from tfdata_lint.rules.device.steps import is_of_no_matter, loops_here, runs_once
from tfdata_lint.rules.device.traceable import drawn, why_not
from tfdata_lint.source.module import Source
from tfdata_lint.source.trees import walk


class EagerTrainStep(Rule):
    code = "TFD604"
    name = "eager-train-step"
    group = "performance"
    summary = "A training loop runs its step operation by operation, without tf.function"
    experiment = "step"
    without_pipelines = True
    triggers = ("to:for to:next to:walk text:GradientTape",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if target.below(2, 0) or is_tensorflow_1(graph):
            return
        reported: set[int] = set()
        calls: list[tuple[ast.Call, Consumer, bool]] = []
        trains = False
        for consumers, consumer, loop in loops_here(graph):
            if is_of_no_matter(graph, consumers) or not is_eager(graph, loop):
                continue
            step = eager_step(graph, loop)
            has_one_shape = all(map(_has_one_shape, consumers))
            if step is None and (call := eager_call(graph, loop)) is not None and id(call) not in reported:
                reported.add(id(call))
                calls.append((call, consumer, has_one_shape and not runs_once(consumer)))
            if step is None or id(step.tape) in reported:
                continue
            reported.add(id(step.tape))
            trains = True
            yield self._of_step(graph, step, consumer.span, has_one_shape)
        for made, step in _over_unseen(graph):
            if id(step.tape) not in reported:
                reported.add(id(step.tape))
                yield self._of_step(graph, step, span_of(made, graph.file), has_one_shape=False)
        for call, consumer, is_worth_it in calls:
            # Beside an eager training step it takes little.
            yield self._of_call(graph, call, consumer, is_worth_it and not trains)

    def _of_step(self, graph: PipelineGraph, step: Step, loop: Span, has_one_shape: bool) -> Finding:
        what = f"`{step.function.name}`" if step.function is not None else "the training step in this loop"
        why = why_not(graph, step) if step.is_plain else ""
        draw = drawn(graph, step) if step.is_plain else ""
        can_be_a_graph = step.is_plain and has_one_shape and not calls_a_graph(graph, step) and not is_meant(step)
        place = step.tape.items[0].context_expr if isinstance(step.tape, ast.With) else step.tape
        is_here = step.source is graph.source
        related = [Related(loop, "calls it for every batch")]
        if not is_here:
            related.append(Related(span_of(place, graph.file_of(step.source)), "the step"))
        return self.finding(
            span_of(place if is_here else step.call, graph.file),
            f"{what[0].upper()}{what[1:]} runs eagerly, outside any `tf.function`",
            cost=(
                "Python launches every operation of every step one by one (measured: 10 to 35 times as long as a"
                " graph for small models, 1.2 times for large convolutions), so an accelerator waits even if the"
                " input is fast"
            ),
            advice="Put the step into a function under `@tf.function`, and keep Python-only code (logging,"
            f" `.numpy()`) outside of it{why and f'; as it stands this may raise: {why}'}"
            f"{draw and f'; `{draw}` would draw once, when it is traced: use `tf.random`'}",
            severity="warning" if can_be_a_graph and not draw else "advice",
            confidence="likely",
            related=tuple(related),
            fix=_fix(graph, step) if is_here and not why and not draw else None,
        )

    def _of_call(self, graph: PipelineGraph, call: ast.Call, consumer: Consumer, is_worth_it: bool) -> Finding:
        model = ast.unparse(call.func)
        return self.finding(
            span_of(call, graph.file),
            f"`{model}` is called eagerly for every batch, outside any `tf.function`",
            cost="Python starts every operation of the model one by one (measured: 3 to 6 times as long as a graph)",
            advice=f"Wrap it in a `tf.function` and call that in the loop: `compiled = tf.function({model})`",
            severity="warning" if is_worth_it else "advice",
            confidence="likely",
            related=(Related(consumer.span, "runs for every batch"),),
        )


def _over_unseen(graph: PipelineGraph) -> Iterator[tuple[ast.expr, Step]]:
    """What gives batches to loops, by a function of a module that is not seen, with their steps: pairs that a loop goes
    over in several epochs, and what `next` takes from an iterator."""
    if graph.is_test or "GradientTape" not in graph.source.text:
        return
    syntax = syntax_of(graph.source)
    for loop in (node for node in walk(graph.tree) if isinstance(node, ast.For)):
        match loop:
            case ast.For(target=ast.Tuple(elts=[_, _, *_]), iter=ast.Call() as made) if _is_unseen(graph, made):
                step = eager_step(graph, loop) if is_eager(graph, loop) and any(passes_of(syntax, loop)) else None
                if step is not None and names(step.call) & names(loop.target):
                    yield made, step
    for pull in calls_of(graph.tree, "next"):
        around = loop_around(syntax, pull)
        if around is None or not pull.args or not is_eager(graph, around):
            continue
        match origins(graph, pull.args[0]):
            case [Place(ast.Call(func=ast.Name(id="iter"), args=[given]), source)] if _is_unseen(graph, given, source):
                if (step := eager_step(graph, around)) is not None:
                    yield pull, step


def _is_unseen(graph: PipelineGraph, made: ast.expr, source: Source | None = None) -> bool:
    """Is it made by a function of a module that is not seen, and of no library?"""
    while isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) and isinstance(made.func.value, ast.Call):
        made = made.func.value
    full = syntax_there(source or graph.source, graph.source).scopes.full_name(getattr(made, "func", made))
    root, _, inner = full.partition(".")
    is_known = not inner or root in LIBRARIES or root in sys.stdlib_module_names
    return isinstance(made, ast.Call) and not is_known and graph.locate(full)[0] is None


def _has_one_shape(consumer: Consumer) -> bool:
    """A function is traced again for each shape that its arguments have."""
    found = [leaf for tip in tips(consumer.dataset) for leaf in leaves(structure_of(tip))]
    return not any(isinstance(leaf, Tensor) and leaf.shape is not None and None in leaf.shape[1:] for leaf in found)


@guarded
def _fix(graph: PipelineGraph, step: Step) -> Fix | None:
    if step.function is None or not step.is_plain or not all(map(runs_it_as_it_is, step.function.decorator_list)):
        return None
    draft = Draft(graph)
    draft.decorate(step.function, f"{draft.tensorflow(step.function)}.function")
    return draft.fix(
        "unsafe",
        "Make it a `tf.function`",
        "its Python code then runs only once, during tracing, and a graph may round differently",
    )
