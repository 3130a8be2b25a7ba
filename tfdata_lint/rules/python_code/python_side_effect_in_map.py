"""TFD204 python-side-effect-in-map."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, last_name, names, way
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Effect
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Rule, Severity, guarded
from tfdata_lint.source.trees import walk

_REASON = (
    "it prints for every element, in another format, and to stderr; a function compiled with `jit_compile=True` raises"
    " an error"
)


class PythonSideEffectInMap(Rule):
    code = "TFD204"
    name = "python-side-effect-in-map"
    group = "correctness"
    summary = "A mapped function prints, logs, appends or counts in Python: this happens once, during tracing"
    triggers = ("effect:side_effect",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            function = stage.function
            if function is None or stage.operation.kind != "transformation":
                continue
            for effect in function.effects:
                # Where all is a graph, everybody knows that a tensor is printed, not its value.
                if effect.kind != "side_effect" or (_shows(effect) and is_tensorflow_1(graph)):
                    continue
                if _is_logging(effect) and _is_switched(graph, effect):
                    # Who asks for it wants to see once what the elements are made of.
                    continue
                if effect.settles:
                    continue
                yield self.finding(
                    effect.span,
                    f"`{effect.what}` runs once, while `{function.name}` is traced, not for every element",
                    cost=(
                        "Python code in a mapped function runs only during tracing (measured: once over all elements"
                        " and epochs), and sees symbolic tensors instead of values"
                    ),
                    advice=_advice(effect),
                    severity=_severity(function.node, effect),
                    confidence=stage.confidence,
                    fix=_fix(graph, effect),
                )


def _severity(function: ast.AST | None, effect: Effect) -> Severity | None:
    """What is only shown changes no element; beside a shape or a type it may be meant to be shown at tracing."""
    if not _shows(effect):
        return None
    return "advice" if _is_logging(effect) or (function is not None and _shows_shapes(function)) else "warning"


def _shows_shapes(function: ast.AST) -> bool:
    """Does it print a shape or a type, which only tracing knows?"""
    calls = (node for node in walk(function) if isinstance(node, ast.Call) and last_name(node) == "print")
    parts = (part for call in calls for argument in call.args for part in walk(argument))
    return any(isinstance(part, ast.Attribute) and part.attr in ("shape", "dtype") for part in parts)


def _shows(effect: Effect) -> bool:
    return effect.what == "print" or _is_logging(effect)


def _is_logging(effect: Effect) -> bool:
    return effect.what.rpartition(".")[0].endswith(("logging", "logger", "log"))


def _is_switched(graph: PipelineGraph, effect: Effect) -> bool:
    """Does a log of whole structures, or of shapes and types, stand under a flag: `if verbose:`?"""
    call = effect.node
    if not isinstance(call, ast.Call) or not all(map(_is_whole, call.args[1:])):
        return False
    there = graph.source_of(effect.span.file)
    steps = way(there.tree, call) if there is not None and there.tree is not None else []
    function = next((step for step in steps if isinstance(step, FUNCTIONS)), None)
    if function is None:
        return False
    above = steps[: steps.index(function)]
    own = _own_names(function)
    return any(isinstance(step, ast.If) and _is_flag(step.test, own) for step in above)


def _own_names(function: ast.AST) -> set[str]:
    """The parameters of a function, and the names that it binds."""
    nodes = list(walk(function))
    found = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    return found | {node.arg for node in nodes if isinstance(node, ast.arg)} - {"self"}


def _is_whole(argument: ast.expr) -> bool:
    match argument:
        case ast.Name() | ast.Constant() | ast.Attribute(value=ast.Name(), attr="shape" | "dtype"):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Name(), attr="keys"), args=[]):
            return True
    return False


def _is_flag(test: ast.expr, own: set[str]) -> bool:
    """Is it a variable from outside of the function?"""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test = test.operand
    return isinstance(test, (ast.Name, ast.Attribute)) and not names(test) & own


def _advice(effect: Effect) -> str:
    if effect.what == "print":
        return "Print with `tf.print`, which runs for every element"
    if _is_logging(effect):
        return "Log values with `tf.print`, or in the loop that consumes the dataset"
    return "Do it in the loop that consumes the dataset, or carry the state with `scan` or `enumerate`"


@guarded
def _fix(graph: PipelineGraph, effect: Effect) -> Fix | None:
    if effect.what != "print":
        return None
    draft = Draft(graph)
    _print_for_every_element(draft, effect)
    return draft.fix("unsafe", "Print with `tf.print`", _REASON)


def _print_for_every_element(draft: Draft, effect: Effect) -> None:
    """`tf.print` in the place of a `print`."""
    call = effect.node
    if isinstance(call, ast.Call) and draft.can_edit(call):
        draft.refuse(_obstacle(call))
        draft.replace(call.func, f"{draft.tensorflow(call)}.print")
        _drop_value(draft, call)


def _obstacle(call: ast.Call) -> str:
    """What `tf.print` cannot do."""
    for keyword in call.keywords:
        if keyword.arg not in ("sep", "end"):
            return f"`tf.print` has no `{keyword.arg}=`" if keyword.arg else "not all arguments are known"
        if not (isinstance(keyword.value, ast.Constant) and isinstance(keyword.value.value, str)):
            return f"`{keyword.arg}=` must be a string"
    if any(_is_text(node) for argument in call.args for node in walk(argument)):
        return "Python builds the text: pass its parts to `tf.print` as arguments"
    return ""


def _is_text(node: ast.AST) -> bool:
    """Does it make a string of a value, at tracing?"""
    match node:
        case ast.FormattedValue() | ast.Call(func=ast.Name(id="str" | "repr" | "format")):
            return True
        case ast.BinOp(left=ast.Constant(value=str()), op=ast.Mod()):
            return True
        case ast.Call(func=ast.Attribute(value=ast.Constant(value=str()))):
            return True
    return False


def _drop_value(draft: Draft, call: ast.Call) -> None:
    """`print` gives None and `tf.print` an operation, which must not become part of the element."""
    match draft.syntax.way(call)[-3:]:
        case [*_, ast.Expr(), _]:
            return
        case [ast.Subscript(slice=index), ast.Tuple(elts=items) | ast.List(elts=items), _]:
            # `(print(x), x)[1]`
            chosen = ast.unparse(index)
            if chosen.lstrip("-").isdigit() and int(chosen) % len(items) != items.index(call):
                return
        case [_, ast.BoolOp(op=ast.Or(), values=[first, _]) as either, _] if first is call:
            end = draft.syntax.end(call)
            between = re.compile(r"\s+or\s+").match(draft.syntax.text, end)
            if between is not None:
                draft.put(draft.syntax.start(either), draft.syntax.start(either), "(")
                draft.put(end, between.end(), ", ")
                draft.put(draft.syntax.end(either), draft.syntax.end(either), ")[1]")
                return
    draft.refuse("the return value of `print` is used")
