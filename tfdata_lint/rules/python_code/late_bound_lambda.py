"""TFD208 late-bound-lambda."""

from __future__ import annotations

import ast
from collections.abc import Container, Iterator
from typing import Any, NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import holds, last_name, names, way
from tfdata_lint.pipeline.nouns.consumers import LEAVING, Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import ends_early
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Loop, MappedFunction, Stage, upstream
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import walk

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_STORING = frozenset({"append", "add", "insert", "extend", "setdefault", "update", "put", "concatenate", "zip"})

_LOOPS = ("for", "inspection")
#: What of an element is that of each.
_OF_ANY = ("shape", "dtype", "element_spec")


class _Late(NamedTuple):
    """A function that runs as Python when elements are read, and where it is given away."""

    node: Any
    given_to: str
    span: Span


class LateBoundLambda(Rule):
    code = "TFD208"
    name = "late-bound-lambda"
    group = "correctness"
    summary = (
        "A function reads a loop variable only when the dataset is read: all datasets of the loop get its last value"
    )
    triggers = ("loop to:for to:inspection", "from_generator effect:py_function map filter interleave flat_map")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        yield from self._left_over(graph)
        # A loop over a literal is several stages, of which not all need be read.
        worst: dict[Span, Finding] = {}
        for stage in graph.stages:
            if stage.node is None or stage.context.in_test:
                continue
            for function in _run_as_python(stage):
                for loop in stage.context.loops:
                    found = _late_bound(loop.node, function.node)
                    if not found or not _outlives(loop.node, stage.node) or _is_read_in(graph, stage, loop):
                        continue
                    finding = self._finding(graph, stage, function, found, loop)
                    if finding.span not in worst or finding.severity == "error":
                        worst[finding.span] = finding
        yield from worst.values()

    def _left_over(self, graph: PipelineGraph) -> Iterator[Finding]:
        """A function reads the element that a loop over the same data has left, and not the one that it is given."""
        loops = (one for one in graph.consumers if one.kind in _LOOPS and one.span.file == graph.file)
        left = {id(name): loop for loop in loops for name in _left_by(loop.node)}
        told: set[Span] = set()
        for stage in graph.stages if left else ():
            if stage.function is None or stage.context.in_test or stage.span.file != graph.file:
                continue
            for name in _read_outside(graph, stage.function, left):
                loop = left[id(_bound_at(graph, name)[0])]
                if not _is_behind(stage, loop):
                    continue
                span = span_of(name, graph.file)
                if span in told:
                    continue
                told.add(span)
                yield self.finding(
                    span,
                    f"A function given to `{stage.op}` reads `{name.id}`, which a loop has left",
                    cost="It is one tensor, the last element of that loop, whatever element the function is given",
                    advice="Read the parameter of the function instead",
                    is_guess=True,
                    related=(Related(loop.span, "the loop that sets it"), Related(stage.span, "maps the function")),
                )

    def _finding(self, graph: PipelineGraph, stage: Stage, function: _Late, found: list[str], loop: Loop) -> Finding:
        names = " and ".join(f"`{name}`" for name in found)
        reads = [consumer for consumer in graph.reached(stage) if consumer.kind not in LEAVING]
        is_read = any(loop.node not in [other.node for other in consumer.context.loops] for consumer in reads)
        bind = f"`args=({', '.join(found)},)`" if stage.op == "from_generator" else "its inputs"
        return self.finding(
            function.span,
            f"The function given to `{function.given_to}` reads {names} only after the loop",
            cost="Python reads the variable when the function runs, not when it is defined, so every dataset of the"
            " loop uses the value of the last pass (measured: 3 of 3)",
            advice=(
                f"Bind the current value: with a default (`lambda {found[0]}={found[0]}: …`), `functools.partial`, or "
            )
            + bind,
            severity=None if is_read else "warning",
            confidence="proven" if is_read and stage.confidence == "proven" else "likely",
            related=(Related(loop.span, "the loop that changes it"),),
        )


def _left_by(loop: ast.AST) -> Iterator[ast.Name]:
    """The names of elements that are still there after a loop, where it is not made to get one."""
    if not isinstance(loop, ast.For):
        return
    is_made_for_it = ends_early(loop) or all(isinstance(part, ast.Pass) for part in loop.body)
    if not is_made_for_it:
        yield from (part for part in walk(loop.target) if isinstance(part, ast.Name))


def _is_behind(stage: Stage, loop: Consumer) -> bool:
    """Is a stage made after a loop over data that it goes on from?"""
    if stage.node is None or loop.span.row >= stage.span.row or holds(loop.node, stage.node):
        return False
    given = {id(part) for dataset in stage.inputs for part in upstream(dataset)}
    return any(id(part) in given for part in upstream(loop.dataset))


def _read_outside(graph: PipelineGraph, function: MappedFunction, left: Container[int]) -> Iterator[ast.Name]:
    """What a function reads of names that nothing but these targets of loops binds; their shape says no less there."""
    syntax = syntax_of(graph.source)
    nodes = [part for node in function.functions for part in walk(node) if syntax.way(node)]
    asked = {id(part.value) for part in nodes if isinstance(part, ast.Attribute) and part.attr in _OF_ANY}
    for part in nodes:
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load) and id(part) not in asked:
            bound = _bound_at(graph, part)
            if bound and all(id(one) in left for one in bound):
                yield part


def _bound_at(graph: PipelineGraph, name: ast.Name) -> list[ast.AST]:
    found = syntax_of(graph.source).scopes.binds(name.id, name)
    return found[1] if found is not None else []


def _run_as_python(stage: Stage) -> Iterator[_Late]:
    if stage.op == "from_generator" and stage.generator is not None:
        yield _Late(stage.generator, "from_generator", stage.span)
    for effect in stage.function.effects if stage.function is not None else ():
        if effect.kind == "py_function" and effect.wrapped is not None:
            yield _Late(effect.wrapped, effect.what, effect.span)


def _is_read_in(graph: PipelineGraph, stage: Stage, loop: Loop) -> bool:
    """Is it read in the pass that it is made in, or may it be?"""
    reached = [consumer for consumer in graph.reached(stage) if consumer.kind != "stored"]
    return any(loop.node in [other.node for other in consumer.context.loops] for consumer in reached)


def _late_bound(loop: ast.AST, function: ast.AST) -> list[str]:
    """What a function that is made in each pass reads, and the next pass changes: names of the loop."""
    steps = way(loop, function)
    if not steps or not isinstance(function, (ast.Lambda, ast.FunctionDef)):
        return []
    varying = _varying(loop)
    # A function or comprehension in between may have such a name of its own, and one that is called brings a value.
    for step in steps[1:-1]:
        if isinstance(step, (ast.FunctionDef, ast.Lambda)):
            varying -= _own(step)
        elif isinstance(step, _COMPREHENSIONS):
            varying -= names(*(part.target for part in step.generators))
    varying -= _own(function)
    body = function.body if isinstance(function.body, list) else [function.body]
    read = [part for node in body for part in walk(node) if isinstance(part, ast.Name)]
    return list(dict.fromkeys(part.id for part in read if part.id in varying and isinstance(part.ctx, ast.Load)))


def _varying(loop: ast.AST) -> set[str]:
    """The names that a loop gives another value in each pass."""
    if isinstance(loop, _COMPREHENSIONS):
        return names(*(part.target for part in loop.generators))
    if not isinstance(loop, ast.For):
        return set()
    found = names(loop.target)
    assignments = [part for node in loop.body for part in walk(node) if isinstance(part, ast.Assign)]
    for _ in range(3):
        for part in assignments:
            if names(part.value) & found and all(isinstance(target, ast.Name) for target in part.targets):
                found |= names(*part.targets)
    return found


def _own(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The parameters and local names of a function."""
    arguments = function.args
    listed = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    own = {argument.arg for argument in listed if argument is not None}
    body = function.body if isinstance(function.body, list) else [function.body]
    parts = [part for node in body for part in walk(node)]
    outer = {name for part in parts if isinstance(part, (ast.Global, ast.Nonlocal)) for name in part.names}
    stores = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return (own | stores) - outer


def _outlives(loop: ast.AST, made: ast.AST) -> bool:
    """Is what a piece of its body makes in each pass kept beside those of the passes before?"""
    steps = way(loop, made)
    if any(isinstance(step, (ast.FunctionDef, ast.Lambda, ast.Return, ast.Yield)) for step in steps[1:]):
        return False
    if isinstance(loop, (ast.ListComp, ast.DictComp)):
        return True
    if not isinstance(loop, ast.For) or any(isinstance(part, ast.Break) for part in walk(loop)):
        return False
    parts = [part for node in loop.body for part in walk(node)]
    made_of: set[str] = set()

    def holds_it(node: ast.AST) -> bool:
        return holds(node, made) or bool(names(node) & made_of)

    for part in (part for part in parts if isinstance(part, ast.Assign)):
        if holds_it(part.value):
            if any(isinstance(target, ast.Subscript) for target in part.targets):
                return True
            made_of |= {target.id for target in part.targets if isinstance(target, ast.Name)}
    return any(
        isinstance(part, ast.Call) and last_name(part) in _STORING and any(map(holds_it, part.args)) for part in parts
    )
