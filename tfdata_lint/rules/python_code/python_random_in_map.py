"""TFD203 python-random-in-map."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import displayed, last, plain
from tfdata_lint.pipeline.mapped.uses import Made
from tfdata_lint.pipeline.nouns.code import own_nodes, statements_in
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Rule

_LAYERS = ("tensorflow.keras.layers.Layer", "tensorflow.keras.Layer", "tensorflow.keras.Model")
_DRAWING = ("numpy.random.", "random.")
_DRAW = "Draw with `tf.random.{}`, which runs for every {}"
#: What writes arrays and objects to files.
_SAVING = frozenset({"save", "savez", "savetxt", "dump"})


class PythonRandomInMap(Rule):
    code = "TFD203"
    name = "python-random-in-map"
    group = "correctness"
    summary = "A mapped function takes a random number or the time from Python: all elements get one value"
    triggers = ("effect:python_random text:random.",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            function = stage.function
            if function is None or stage.operation.kind != "transformation":
                continue
            for effect in function.effects:
                if effect.kind != "python_random" or _is_meant_once(function, effect):
                    continue
                yield self.finding(
                    effect.span,
                    f"`{effect.what}` runs once, while `{function.name}` is traced, not for every element",
                    cost="Every element of every epoch gets the same value (measured: 1 distinct value in all)",
                    advice=_advice(effect),
                    confidence=stage.confidence,
                )
        for call, what in _in_layers(graph):
            yield self.finding(
                span_of(call, graph.file),
                f"`{displayed(what)}` runs once, while `call` is traced, not for every batch",
                severity="warning",
                cost="`fit` traces the layer once: every batch of every epoch gets the same value",
                advice=_DRAW.format(known(what).draws or "uniform", "batch"),
                confidence="likely",
            )


def _in_layers(graph: PipelineGraph) -> Iterator[tuple[ast.Call, str]]:
    """What draws numbers in Python when a Keras layer is called, where `fit` makes a graph of it."""
    is_fitted = any(consumer.kind == "fit" for consumer in graph.consumers)
    if graph.is_test or not is_fitted or graph.says("eagerly"):
        return
    scopes = syntax_of(graph.source).scopes
    for cls in statements_in(graph.tree.body):
        if not isinstance(cls, ast.ClassDef) or not any(plain(scopes.full_name(b)) in _LAYERS for b in cls.bases):
            continue
        bodies = [method.body for method in cls.body if isinstance(method, ast.FunctionDef) and method.name == "call"]
        for node in own_nodes([statement for body in bodies for statement in body], ast.Lambda):
            if isinstance(node, ast.Call) and (what := scopes.full_name(node.func)).startswith(_DRAWING):
                if known(what).effect == "python_random":
                    yield node, what


def _advice(effect: Effect) -> str:
    modules = effect.what.split(".")[:-1]
    if "random" in modules:
        operation = known(effect.what.replace("np.", "numpy.", 1)).draws or "uniform"
        return _DRAW.format(operation, "element")
    if modules[:1] == ["time"]:
        return "Take the time with `tf.timestamp()`, which runs for every element"
    return "Compute it outside the pipeline if one value is intended, or number the elements with `enumerate`"


def _is_meant_once(function: MappedFunction, effect: Effect) -> bool:
    return _is_seed(function, effect) or _is_separator(function, effect) or _is_saved(function, effect)


def _is_saved(function: MappedFunction, effect: Effect) -> bool:
    """Is what is drawn written to a file, to be the same in another run?"""
    made = Made(effect)
    return any(last(call.name) in _SAVING and any(map(made.of, call.arguments)) for call in function.calls)


def _is_seed(function: MappedFunction, effect: Effect) -> bool:
    """A seed for an operation that draws anew for each element: once is right."""
    made = Made(effect)
    return any("stateless" not in call.name and made.of(call.keywords.get("seed")) for call in function.calls)


def _is_separator(function: MappedFunction, effect: Effect) -> bool:
    """A text that occurs nowhere else, to split at: one is as good as many."""
    made = Made(effect)
    return effect.what.startswith("uuid.") and any(
        last(call.name) == "split" and any(map(made.of, call.arguments)) for call in function.calls
    )
