"""TFD604."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with, way, whole
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import is_few, is_only_looked_at, is_toy, readers_by_place
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.nouns.structure import Tensor, leaves
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule
from tfdata_lint.rules.device.steps import defined, ends_early, is_eager_on_purpose, parts_of

#: What changes the variables of a model.
_UPDATES = frozenset({"apply_gradients", "minimize", "assign_sub"})
#: Who runs a function that it is given as it is: `strategy.run(step, args=(batch,))`.
_RUNNERS = frozenset({"run", "experimental_run_v2", "experimental_run"})
#: What works with values of Python, which a graph does not have.
_OF_PYTHON = frozenset({"numpy", "item", "tolist", "append", "print", "float"})
_ARRAYS = frozenset({"np", "numpy", "random"})
#: How deep functions that a step calls are followed.
_DEEP = 3


class EagerTrainStep(Rule):
    code = "TFD604"
    name = "eager-train-step"
    group = "performance"
    summary = "A training loop runs its step operation by operation, without tf.function"
    triggers = ("to:for to:next", "text:GradientTape")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if target.below(2, 0) or is_tensorflow_1(graph) or graph.tree is None:
            return
        reported: set[int] = set()
        for consumers in readers_by_place(graph, "for", "next"):
            consumer, loop = consumers[0], consumers[0].loop
            if loop is None or any(map(_is_of_no_matter, consumers)):
                continue
            if any(is_only_looked_at(graph, tips(reader.dataset)) for reader in consumers):
                continue
            step = _eager_step(graph.tree, graph.source.text, loop)
            if step is None or id(step.tape) in reported:
                continue
            reported.add(id(step.tape))
            what = f"`{step.function.name}`" if step.function is not None else "the training step in this loop"
            can_be_a_graph = step.is_plain and all(map(_has_one_shape, consumers))
            yield self.finding(
                span_of(step.tape.items[0].context_expr, graph.file),
                f"{what[0].upper()}{what[1:]} runs eagerly: no `tf.function` is around it",
                cost="Python starts every operation of every step by itself (measured: 10 to 35 times as long as a"
                " graph for small models, 1.2 times for large convolutions), so that an accelerator waits"
                " however fast the input is",
                advice="Put the step into a function under `@tf.function`, and what is of Python (logging, `.numpy()`)"
                " outside of it",
                severity="warning" if can_be_a_graph else "advice",
                confidence="likely",
                related=(Related(consumer.span, "calls it for every batch"),),
                fix=_fix(graph, step),
            )


def _is_of_no_matter(consumer: Consumer) -> bool:
    if consumer.context.in_test or consumer.context.in_tf_function:
        return True
    return not paths(consumer.dataset, consumer.context.conditions).always(lambda path: not _is_small(path))


def _is_small(path: Path) -> bool:
    return is_toy(path) or is_few(path)


def _has_one_shape(consumer: Consumer) -> bool:
    """A function is traced again for each shape that its arguments have."""
    found = [leaf for tip in tips(consumer.dataset) for leaf in leaves(structure_of(tip))]
    return not any(isinstance(leaf, Tensor) and leaf.shape is not None and None in leaf.shape[1:] for leaf in found)


def _fix(graph: PipelineGraph, step: Step) -> Fix | None:
    if step.function is None or not step.is_plain:
        return None
    draft = Draft(graph)
    draft.decorate(step.function, f"{draft.tensorflow(step.function)}.function")
    return draft.fix(
        "unsafe",
        "Make it a `tf.function`",
        "what Python does in it happens once then, when it is traced, and a graph may round differently",
    )


@dataclass(frozen=True)
class Step:
    """One training step as a loop makes it, which no `tf.function` is around."""

    tape: ast.With
    function: ast.FunctionDef | None
    """The function that the loop calls for it; None where it stands in the loop."""
    is_plain: bool
    """All that it does a graph can do, too."""


def _eager_step(tree: ast.Module, text: str, loop: ast.AST) -> Step | None:
    """The training step that runs operation by operation in every pass of a loop."""
    if "GradientTape" not in text or is_eager_on_purpose(text):
        return None
    if not isinstance(loop, (ast.For, ast.While)) or ends_early(loop):
        return None
    functions = [step for step in way(tree, loop) if isinstance(step, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if not all(_is_plain_function(tree, text, function) for function in functions):
        return None
    tape = _tape_in(loop)
    if tape is not None:
        return Step(tape, None, _is_plain(loop)) if _updates(loop) else None
    return next(_steps_called(tree, text, loop, 0), None)


def _steps_called(tree: ast.Module, text: str, code: ast.AST, depth: int) -> Iterator[Step]:
    """The functions that code calls, in every pass where it is a loop, and that train."""
    for call in _own_calls(code):
        function = _called(tree, call)
        if function is None or not _is_plain_function(tree, text, function):
            continue
        tape = _tape_in(function)
        if tape is not None and _updates(function):
            yield Step(tape, function, _is_plain(function))
        elif tape is None and depth < _DEEP:
            yield from _steps_called(tree, text, function, depth + 1)


def _own_calls(code: ast.AST) -> Iterator[ast.Call]:
    return (node for node in parts_of(code) if isinstance(node, ast.Call))


def _tape_in(code: ast.AST) -> ast.With | None:
    for node in parts_of(code):
        if isinstance(node, ast.With) and any(last_name(item.context_expr) == "GradientTape" for item in node.items):
            return node
    return None


def _updates(code: ast.AST) -> bool:
    return any(last_name(call) in _UPDATES for call in _own_calls(code))


def _is_plain(code: ast.AST) -> bool:
    if any(last_name(call) in _OF_PYTHON for call in _own_calls(code)):
        return False
    return not any(isinstance(node, ast.Name) and node.id in _ARRAYS for node in parts_of(code))


def _called(tree: ast.Module, call: ast.Call) -> ast.FunctionDef | None:
    """The one function of the module that a call runs, if that is certain."""
    called: ast.expr = call.func
    if isinstance(called, ast.Attribute) and called.attr in _RUNNERS and call.args:
        called = call.args[0]
    return defined(tree, called)


def _is_plain_function(tree: ast.Module, text: str, function: ast.AST) -> bool:
    """Is a function what its `def` says: nothing is around it, and nobody may put something around it?"""
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    near = list(nodes_on(tree, rows_with(text, whole(function.name))))
    called: set[int] = set()
    handed: set[int] = set()
    for node in near:
        match node:
            case ast.Call(func=func, args=[first, *_]) if last_name(func) in _RUNNERS:
                called |= {id(func), id(first)}
            case ast.Call(func=func):
                called.add(id(func))
        match node:
            case ast.Call(args=args, keywords=keywords):
                handed |= {id(argument) for argument in (*args, *(keyword.value for keyword in keywords))}
            case ast.Assign(targets=targets, value=value):
                handed |= {id(value), *map(id, targets)}
    for node in near:
        match node:
            case ast.Name(id=name) if name == function.name and id(node) not in called:
                return False
            case ast.Attribute(attr=name) if name == function.name and id(node) in handed - called:
                return False
    return True
