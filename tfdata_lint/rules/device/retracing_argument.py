"""TFD611."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import last_name, names, own_nodes
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import passes, scope_of
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.device.host_work import compiled
from tfdata_lint.rules.device.steps import calls_in_every_pass, is_eager_on_purpose, loops_here, parts_of
from tfdata_lint.source.trees import walk

#: Traces that nobody notices.
_FEW = 5
#: Under these a counter does not count every pass.
_GUARDS = (ast.If, ast.IfExp, ast.For, ast.While, ast.Try)
#: Arguments of `tf.function` that leave open what it is called with.
_INDIFFERENT = frozenset({"jit_compile", "experimental_compile", "autograph", "reduce_retracing",
                          "experimental_relax_shapes"})  # fmt: skip


class RetracingArgument(Rule):
    code = "TFD611"
    name = "retracing-argument"
    group = "performance"
    summary = "A tf.function gets a new Python number in every step, and is traced again for each"
    experiment = "step"
    triggers = ("to:for to:next to:walk", "text:function")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumers, consumer, loop in loops_here(graph):
            if consumer.context.in_test or consumer.context.in_tf_function:
                continue
            if any(is_only_looked_at(graph, tips(reader.dataset)) for reader in consumers):
                continue
            found = _retraced_call(graph, loop)
            if found is None or (passes(loop, graph.ranges) or _FEW + 1) <= _FEW:
                continue
            written = ast.unparse(found.number)
            yield self.finding(
                span_of(found.number, graph.file),
                f"`{written}` is a new Python number in every step, so `{found.function}` is traced again",
                cost=(
                    "A `tf.function` builds a graph for each new Python value, so every step traces it again (20"
                    " numbers gave 20 traces): this takes longer than without `tf.function`, and the graphs stay in"
                    " memory"
                ),
                advice=f"Pass a tensor: `tf.constant({written})`, or count in a `tf.Variable`",
                related=(Related(consumer.span, "changes in each pass"),),
                fix=_fix(graph, found),
            )


@guarded
def _fix(graph: PipelineGraph, found: Retraced) -> Fix:
    draft = Draft(graph)
    draft.replace(found.number, f"{draft.tensorflow(found.number)}.constant({draft.syntax.written(found.number)})")
    return draft.fix(
        "unsafe", "Pass a tensor", "the function may use the number in a way that does not work with a tensor"
    )


@dataclass(frozen=True)
class Retraced:
    """A call of a `tf.function` in every pass of a loop, with a number of Python that is another one each time."""

    call: ast.Call
    number: ast.expr
    function: str


def _retraced_call(graph: PipelineGraph, loop: ast.AST) -> Retraced | None:
    """The first call of the kind in a loop."""
    text = graph.source.text
    if "function" not in text or "type_hints" in text or is_eager_on_purpose(text):
        return None
    counters = _counters(loop, scope_of(graph.tree, loop))
    for call in calls_in_every_pass(loop) if counters else ():
        function = _retraced(graph, call)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        number = next((value for value in given if _counts(value, counters)), None)
        if function and number is not None:
            return Retraced(call, number, function)
    return None


def _counters(loop: ast.AST, scope: ast.AST) -> set[str]:
    """The names of what is another number of Python in each pass: what counts them, and what is computed of that."""
    if not isinstance(loop, (ast.For, ast.While)):
        return set()
    found = set(_counted(loop.target, loop.iter)) if isinstance(loop, ast.For) else set()
    in_every_pass = [node for node in own_nodes(loop.body, *_GUARDS) if isinstance(node, ast.stmt)]
    for statement in sorted(in_every_pass, key=lambda node: node.lineno):
        match statement:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub(), value=ast.Constant(value=int())):
                begun = [value for value in _values(scope, name) if value is not None]
                if begun and all(isinstance(value, ast.Constant) for value in begun):
                    found.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if _counts(value, found):
                found.add(name)
    for node in parts_of(loop):
        if isinstance(node, ast.Assign) and not _counts(node.value, found):
            found -= {name for target in node.targets for name in names(target)}
    return found


def _counted(target: ast.expr, iterable: ast.expr) -> Iterator[str]:
    """The names that a `for` gives numbers, in the order of `range`, `enumerate` and `zip`."""
    match target, iterable:
        case ast.Name(id=name), ast.Call(func=ast.Name(id="range" | "trange" | "count") | ast.Attribute(attr="count")):
            yield name
        case ast.Tuple(elts=[ast.Name(id=name), _]), ast.Call(func=ast.Name(id="enumerate")):
            yield name
        case ast.Tuple(elts=parts), ast.Call(func=ast.Name(id="zip"), args=args):
            for part, arg in zip(parts, args, strict=False):
                yield from _counted(part, arg)
        case _, ast.Call(func=ast.Name(id="tqdm") | ast.Attribute(attr="tqdm"), args=[inner, *_]):
            yield from _counted(target, inner)


def _values(scope: ast.AST, name: str) -> Iterator[ast.expr | None]:
    """What the statements of a function assign to a name."""
    for node in parts_of(scope):
        if isinstance(node, ast.Assign) and name in {part for target in node.targets for part in names(target)}:
            yield node.value


def _counts(value: ast.expr, counters: set[str]) -> bool:
    """Is it arithmetic with one of these, with no other call than one that gives a number of Python?"""
    match value:
        case ast.Name(id=name):
            return name in counters
        case ast.UnaryOp(operand=operand):
            return _counts(operand, counters)
        case ast.BinOp(left=left, op=op, right=right) if not isinstance(op, (ast.Mod, ast.FloorDiv)):
            others = [side for side in (left, right) if not _counts(side, counters)]
            return len(others) < 2 and not any(isinstance(part, ast.Call) for side in others for part in walk(side))
        case ast.Call(func=ast.Name(id="float" | "int"), args=[inner]):
            return _counts(inner, counters)
    return False


def _retraced(graph: PipelineGraph, call: ast.Call) -> str:
    """The name of the `tf.function` of the module that a call runs, if it is traced for each number of Python."""
    found = compiled(graph, call.func)
    if found is None:
        return ""
    function, maker = found
    if not _is_plain(maker, syntax_of(graph.source).scopes.full_name):
        return ""
    others = (node for node in walk(graph.tree) if isinstance(node, (ast.Name, ast.Attribute)))
    is_bound = maker in function.decorator_list and any(_is_bound(node, function.name) for node in others)
    return "" if is_bound or len(function.decorator_list) > 1 else last_name(call.func)


def _is_bound(node: ast.Name | ast.Attribute, name: str) -> bool:
    return isinstance(node.ctx, ast.Store) and (node.id if isinstance(node, ast.Name) else node.attr) == name


def _is_plain(maker: ast.expr, full_name: Callable[[ast.expr], str]) -> bool:
    """`tf.function`, also with arguments; none that says what it is called with."""
    function = maker.func if isinstance(maker, ast.Call) else maker
    keywords = maker.keywords if isinstance(maker, ast.Call) else []
    is_plain = all(keyword.arg in _INDIFFERENT for keyword in keywords)
    return is_plain and plain(full_name(function)) == "tensorflow.function"
