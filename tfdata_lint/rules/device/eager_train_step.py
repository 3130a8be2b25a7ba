"""TFD604."""

from __future__ import annotations

import ast
import os
from collections.abc import Iterator
from dataclasses import dataclass, replace

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import last_name, nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at, readers_by_place
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.nouns.structure import Tensor, leaves
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule
from tfdata_lint.rules.device.steps import (
    RUNNERS,
    callee,
    defined,
    ends_early,
    is_eager_on_purpose,
    is_of_no_matter,
    parts_of,
)
from tfdata_lint.source.module import Source

#: What changes the variables of a model.
_UPDATES = frozenset({"apply_gradients", "minimize", "assign_sub"})
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
    triggers = ("to:for to:next",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if target.below(2, 0) or is_tensorflow_1(graph) or graph.tree is None:
            return
        reported: set[int] = set()
        for consumers in readers_by_place(graph, "for", "next"):
            consumer, loop = consumers[0], consumers[0].loop
            if loop is None or any(map(is_of_no_matter, consumers)):
                continue
            if any(is_only_looked_at(graph, tips(reader.dataset)) for reader in consumers):
                continue
            step = eager_step(graph, loop)
            if step is None or id(step.tape) in reported:
                continue
            reported.add(id(step.tape))
            what = f"`{step.function.name}`" if step.function is not None else "the training step in this loop"
            can_be_a_graph = step.is_plain and all(map(_has_one_shape, consumers))
            place = step.tape.items[0].context_expr
            is_here = step.source is graph.source
            related = [Related(consumer.span, "calls it for every batch")]
            if not is_here:
                file = step.source.path if os.path.isabs(graph.file) else os.path.relpath(step.source.path)
                related.append(Related(span_of(place, file), "the step"))
            yield self.finding(
                span_of(place if is_here else step.call, graph.file),
                f"{what[0].upper()}{what[1:]} runs eagerly: no `tf.function` is around it",
                cost="Python starts every operation of every step by itself (measured: 10 to 35 times as long as a"
                " graph for small models, 1.2 times for large convolutions), so that an accelerator waits"
                " however fast the input is",
                advice="Put the step into a function under `@tf.function`, and keep Python-only code (logging,"
                " `.numpy()`) outside of it",
                severity="warning" if can_be_a_graph else "advice",
                confidence="likely",
                related=tuple(related),
                fix=_fix(graph, step) if is_here else None,
            )


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
    source: Source
    """The module that it stands in."""
    call: ast.expr | ast.stmt
    """What the loop calls for it; the step itself where that stands in the loop."""


def eager_step(graph: PipelineGraph, loop: ast.AST) -> Step | None:
    """The training step that runs operation by operation in every pass of a loop."""
    tree, text = graph.tree, graph.source.text
    if tree is None or is_eager_on_purpose(text):
        return None
    if not isinstance(loop, (ast.For, ast.While)) or ends_early(loop):
        return None
    around = syntax_of(graph.source).way(loop)
    functions = [step for step in around if isinstance(step, (ast.FunctionDef, ast.AsyncFunctionDef))]
    if not all(_is_plain_function(tree, text, function) for function in functions):
        return None
    tape = _tape_in(loop) if "GradientTape" in text else None
    if tape is not None:
        return Step(tape, None, _is_plain(loop), graph.source, tape) if _updates(loop) else None
    if "GradientTape" in text and (step := next(_steps_called(graph.source, loop, 0), None)):
        return step
    return next(_steps_elsewhere(graph, loop), None)


def _steps_called(source: Source, code: ast.AST, depth: int) -> Iterator[Step]:
    """The functions that code calls, in every pass where it is a loop, and that train."""
    tree = source.tree
    for call in _own_calls(code) if tree is not None else ():
        function = defined(tree, callee(call)) if tree is not None else None
        if function is not None and tree is not None and _is_plain_function(tree, source.text, function):
            for step in _steps_in(source, function, depth):
                yield replace(step, call=call)


def _steps_in(source: Source, function: ast.FunctionDef, depth: int) -> Iterator[Step]:
    tape = _tape_in(function)
    if tape is not None and _updates(function):
        yield Step(tape, function, _is_plain(function), source, tape)
    elif tape is None and depth < _DEEP:
        yield from _steps_called(source, function, depth + 1)


def _steps_elsewhere(graph: PipelineGraph, loop: ast.AST) -> Iterator[Step]:
    """The functions of other modules of the project that a loop calls, and that train."""
    names = syntax_of(graph.source).scopes
    for call in _own_calls(loop):
        full = names.full_name(callee(call))
        source, rest = graph.locate(full) if full else (None, "")
        if source is None or source.tree is None or "GradientTape" not in source.text:
            continue
        function = defined(source.tree, ast.Name(rest))
        if is_eager_on_purpose(source.text) or function is None:
            continue
        trees = ((source.tree, source.text), (graph.tree, graph.source.text))
        if function in source.tree.body and all(
            tree is not None and _is_plain_function(tree, text, function) for tree, text in trees
        ):
            for step in _steps_in(source, function, 0):
                yield replace(step, call=call)


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


def _is_plain_function(tree: ast.Module, text: str, function: ast.AST) -> bool:
    """Is a function what its `def` says: nothing is around it, and nobody may put something around it?"""
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    near = list(nodes_on(tree, rows_with(text, whole(function.name))))
    called: set[int] = set()
    handed: set[int] = set()
    for node in near:
        match node:
            case ast.Call(func=func, args=[first, *_]) if last_name(func) in RUNNERS:
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
