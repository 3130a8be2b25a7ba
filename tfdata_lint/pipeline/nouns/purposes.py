"""What is training and what is evaluation: one question, to which every rule gets the same answer.

*Certain* is what the program does: `validation_data`, `evaluate`, `fit`, a loop that takes gradients, a function that
was called with `training=False`. What only names say is *likely*, and no error may rest on that.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from tfdata_lint.pipeline.nouns.code import calls_of, given_to, last_name, parameters_of, statements_in, way
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import scope_of
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.source.trees import walk

_BUILTINS = frozenset(dir(builtins))
Kind = Literal["training", "evaluation"]


class Purpose(NamedTuple):
    """What something is for, whether the program does that or only says so, and by what it is seen."""

    kind: Kind
    is_certain: bool
    why: str


#: What a file calls that trains.
_LEARNS = re.compile(r"(?i)gradient|minimize\(|\bfit\w*\(|train_on_batch|estimator|optimizer|train_step|\btrain\(")
LOOKS = ("inspection", "cardinality", "len")
_BY_KIND = {
    "fit": Purpose("training", True, "`fit`"),
    "train_on_batch": Purpose("training", True, "`train_on_batch`"),
    "validation": Purpose("evaluation", True, "`validation_data`"),
    "evaluate": Purpose("evaluation", True, "`evaluate`"),
    "predict": Purpose("evaluation", True, "`predict`"),
}
#: Who calls an input function.
_ESTIMATORS: dict[str, Kind] = {
    "train": "training", "TrainSpec": "training", "evaluate": "evaluation", "EvalSpec": "evaluation",
    "predict": "evaluation",
}  # fmt: skip
_LOOPING = ("for", "walk", "comprehension")
_TRAINING_CALLS = frozenset({"gradient", "apply_gradients", "grad", "minimize", "train_on_batch", "value_and_grad"})
_EVALUATING_CALLS = frozenset({"test_on_batch", "predict_on_batch"})
#: What a loop stands in.
_ENTERED = (ast.For, ast.AsyncFor, ast.While, ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

TEST_WORDS = frozenset({"test", "predict", "infer", "inference"})


def purpose_of(graph: PipelineGraph, consumer: Consumer) -> Purpose | None:
    """What a consumer does with the elements; None where that is not seen, or where it only looks at them."""
    if known := _BY_KIND.get(consumer.kind):
        return known
    if consumer.kind == "input_fn" and (kind := _ESTIMATORS.get(consumer.target)):
        return Purpose(kind, True, f"`{consumer.target}`")
    if consumer.kind in _LOOPING:
        return graph.once(purpose_of_loop, consumer.node)
    return None


def is_only_evaluated(graph: PipelineGraph, stage: Stage) -> bool:
    """Do all that read it evaluate, for sure?"""
    uses = [purpose_of(graph, use) for use in graph.reached(stage) if use.kind not in LOOKS]
    return bool(uses) and all(use is not None and use.kind == "evaluation" for use in uses)


def is_evaluated(graph: PipelineGraph, stage: Stage) -> bool:
    """Does something that reads it evaluate, for sure, and nothing train?"""
    uses = [use for consumer in graph.reached(stage) if (use := purpose_of(graph, consumer)) is not None]
    return bool(uses) and all(use.kind == "evaluation" for use in uses)


def learns(graph: PipelineGraph) -> bool:
    """Does a file name anything that trains?"""
    return _LEARNS.search(graph.source.text) is not None


def words(*names: str) -> frozenset[str]:
    """The words that names are made of."""
    return frozenset(word for name in names for word in re.findall(r"[a-z]+", name.lower()))


# ── loops ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def purpose_of_loop(graph: PipelineGraph, loop: ast.AST) -> Purpose | None:
    """What the body of a loop does, with the functions of the module that it names."""
    found = _done_in(graph, loop)
    if not found:
        return _by_state(graph, loop)
    if "training" in found:
        return Purpose("training", True, "the loop that trains")
    return Purpose("evaluation", True, "the loop under `training=False`")


def _done_in(graph: PipelineGraph, loop: ast.AST) -> list[Kind]:
    """What the body of a loop does, and the functions that it calls or is given."""
    body = loop.body if isinstance(loop, (ast.For, ast.AsyncFor)) else [loop]
    functions = graph.once(_functions)
    called = set(_named(body))
    found = [kind for kind in (_done(body), *(_done(functions[name]) for name in called if name in functions)) if kind]
    given = {_done(functions.get(name, ())) for name in _given(graph, loop, body)}
    if len(given) == 1:
        # All callers give a step that trains, or none does.
        found += [kind for kind in given if kind]
    return found


def _by_state(graph: PipelineGraph, loop: ast.AST) -> Purpose | None:
    """What a loop does with what is trained without any object that changes: `state = step(state, batch)`, in each of
    several epochs, or `metric(state, batch)` beside such a loop."""
    epochs = next((step for step in way(graph.tree, loop)[1:] if isinstance(step, _ENTERED)), None)
    if not isinstance(epochs, (ast.For, ast.While)):
        return None
    if isinstance(loop, ast.For) and _state_of(epochs, loop):
        return Purpose("training", True, "the loop that trains")
    trained = set[str]()
    for other in epochs.body:
        if isinstance(other, ast.For) and other is not loop:
            trained |= _carried(other) if "training" in _done_in(graph, other) else _state_of(epochs, other)
    body = loop.body if isinstance(loop, ast.For) else [loop]
    trained -= _names_in(body, ast.Store)
    is_scored = any(
        isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and trained & _names_in(node.args, ast.Load)
        for node in _nodes(body if trained else ())
    )
    return Purpose("evaluation", True, "the loop that scores") if is_scored else None


def _state_of(epochs: ast.For | ast.While, loop: ast.For) -> set[str]:
    """What a loop carries from one epoch to the next, because nothing sets it anew."""
    return _carried(loop) - _names_in([part for part in epochs.body if part is not loop], ast.Store)


def _carried(loop: ast.For) -> set[str]:
    """The names that each pass gives a function, with something of its element, and takes from it again."""
    found = set[str]()
    own = _names_in([loop.target, *loop.body], ast.Store)
    for node in _nodes(loop.body):
        match node:
            case ast.Assign(value=ast.Call(func=ast.Name(), args=given), targets=targets):
                kept = {part.id for part in given if isinstance(part, ast.Name)} & _names_in(targets, ast.Store)
                found |= kept if (_names_in(given, ast.Load) & own) - kept else set()
    return found


def _names_in(parts: Iterable[ast.AST], context: type[ast.expr_context]) -> set[str]:
    return {node.id for node in _nodes(parts) if isinstance(node, ast.Name) and isinstance(node.ctx, context)}


def _given(graph: PipelineGraph, loop: ast.AST, body: Iterable[ast.AST]) -> Iterator[str]:
    """What the calls of a function give for those of its parameters that a loop in it calls: `run_epoch(ds, step)`."""
    calls = [node for node in _nodes(body) if isinstance(node, ast.Call)]
    made = (call.args[0] if last_name(call) == "run" and call.args else call.func for call in calls)
    called = {node.id for node in made if isinstance(node, ast.Name)} - graph.once(_functions).keys() - _BUILTINS
    function = scope_of(graph.tree, loop) if called else None
    if not isinstance(function, ast.FunctionDef):
        return
    for call in calls_of(graph.tree, function.name) if not called.isdisjoint(parameters_of(function)) else ():
        yield from (last_name(value) for name, value in given_to(function, call).items() if name in called)


def _functions(graph: PipelineGraph) -> dict[str, list[ast.stmt]]:
    """What the functions of the module do, by their last names; several of one name together."""
    found: dict[str, list[ast.stmt]] = {}
    for node in statements_in(graph.tree.body):
        if isinstance(node, _DEFINITIONS):
            found.setdefault(node.name, []).extend(node.body)
    return found


def _named(body: Iterable[ast.AST]) -> Iterator[str]:
    for node in _nodes(body):
        if isinstance(node, ast.Call):
            yield from {last_name(part) for part in (node.func, *node.args)} - {""}


def _done(body: Iterable[ast.AST]) -> Kind | None:
    """Does it take gradients, or call something with `training=False`?"""
    found: Kind | None = None
    for node in _nodes(body):
        if not isinstance(node, ast.Call):
            continue
        if last_name(node) in _TRAINING_CALLS:
            return "training"
        if last_name(node) in _EVALUATING_CALLS or any(map(_is_switched_off, node.keywords)):
            found = "evaluation"
    return found


def _is_switched_off(keyword: ast.keyword) -> bool:
    switch = keyword.value
    return keyword.arg in ("training", "is_training") and isinstance(switch, ast.Constant) and switch.value is False


def _nodes(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    return (node for statement in body for node in walk(statement))
