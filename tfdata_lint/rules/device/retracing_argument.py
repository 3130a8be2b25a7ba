"""TFD611."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import passes
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at, readers_by_place
from tfdata_lint.pipeline.nouns.stages import tips
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.device.steps import calls_in_every_pass, defined, is_eager_on_purpose, parts_of
from tfdata_lint.source.trees import walk

#: Traces that nobody notices.
_FEW = 5
#: Arguments of `tf.function` that leave open what it is called with.
_INDIFFERENT = frozenset({"jit_compile", "experimental_compile", "autograph", "reduce_retracing",
                          "experimental_relax_shapes"})  # fmt: skip


class RetracingArgument(Rule):
    code = "TFD611"
    name = "retracing-argument"
    group = "performance"
    summary = "A tf.function gets a new Python number in every step, and is traced again for each"
    triggers = ("to:for to:next to:walk", "text:function")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        reported: set[int] = set()
        for consumers in readers_by_place(graph, "for", "next", "walk"):
            consumer, loop = consumers[0], consumers[0].loop
            if graph.tree is None or loop is None or consumer.span.file != graph.file:
                continue
            if consumer.context.in_test or consumer.context.in_tf_function:
                continue
            if any(is_only_looked_at(graph, tips(reader.dataset)) for reader in consumers):
                continue
            full_name = syntax_of(graph.source).scopes.full_name
            found = _retraced_call(graph.tree, graph.source.text, loop, full_name)
            if found is None or id(found.call) in reported or (passes(loop) or _FEW + 1) <= _FEW:
                continue
            reported.add(id(found.call))
            yield self.finding(
                span_of(found.number, graph.file),
                f"`{found.number.id}` is a new Python number in every step, so `{found.function}` is traced again",
                cost=(
                    "A `tf.function` builds a graph for each new Python value, so every step traces it again (20"
                    " numbers gave 20 traces): this takes longer than without `tf.function`, and the graphs stay in"
                    " memory"
                ),
                advice=f"Pass a tensor: `tf.constant({found.number.id})`, or count in a `tf.Variable`",
                related=(Related(consumer.span, "changes in each pass"),),
                fix=_fix(graph, found),
            )


@guarded
def _fix(graph: PipelineGraph, found: Retraced) -> Fix:
    draft = Draft(graph)
    draft.replace(found.number, f"{draft.tensorflow(found.number)}.constant({found.number.id})")
    return draft.fix(
        "unsafe", "Pass a tensor", "the function may use the number in a way that does not work with a tensor"
    )


@dataclass(frozen=True)
class Retraced:
    """A call of a `tf.function` in every pass of a loop, with a number of Python that is another one each time."""

    call: ast.Call
    number: ast.Name
    function: str


def _retraced_call(tree: ast.Module, text: str, loop: ast.AST, full_name: Callable[[ast.expr], str]) -> Retraced | None:
    """The first call of the kind in a loop."""
    if "function" not in text or "type_hints" in text or is_eager_on_purpose(text):
        return None
    counters = _counters(loop)
    for call in calls_in_every_pass(loop) if counters else ():
        function = _compiled(tree, call, full_name)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        number = next((value for value in given if isinstance(value, ast.Name) and value.id in counters), None)
        if function and number is not None:
            return Retraced(call, number, function)
    return None


def _counters(loop: ast.AST) -> set[str]:
    """The names of what counts the passes, as numbers of Python that nothing else is made of in the loop."""
    found: set[str] = set()
    match loop:
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=name), _]), iter=ast.Call(func=ast.Name(id="enumerate"), args=[_, *_])
        ):
            found.add(name)
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range" | "trange"))):
            found.add(name)
    for node in parts_of(loop):
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.Constant(value=1)):
                found.discard(name)
            case ast.Assign(targets=targets):
                found -= {name for target in targets for name in names(target)}
    return found


def _compiled(tree: ast.Module, call: ast.Call, full_name: Callable[[ast.expr], str]) -> str:
    """The name of the `tf.function` of the module that a call runs, if it is traced for each number of Python."""
    function = defined(tree, call.func)
    if function is None or len(function.decorator_list) != 1 or not _compiles(function.decorator_list[0], full_name):
        return ""
    others = (node for node in walk(tree) if isinstance(node, (ast.Name, ast.Attribute)))
    return "" if any(_is_bound(node, function.name) for node in others) else function.name


def _is_bound(node: ast.Name | ast.Attribute, name: str) -> bool:
    return isinstance(node.ctx, ast.Store) and (node.id if isinstance(node, ast.Name) else node.attr) == name


def _compiles(decorator: ast.expr, full_name: Callable[[ast.expr], str]) -> bool:
    """`@tf.function`, also with arguments; none that says what it is called with."""
    match decorator:
        case ast.Call(func=func, args=[], keywords=keywords):
            is_plain = all(keyword.arg in _INDIFFERENT for keyword in keywords)
            return is_plain and plain(full_name(func)) == "tensorflow.function"
    return plain(full_name(decorator)) == "tensorflow.function"
