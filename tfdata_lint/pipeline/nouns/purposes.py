"""What is training and what is evaluation: one question, to which every rule gets the same answer.

*Certain* is what the program does: `validation_data`, `evaluate`, `fit`, a loop with a `GradientTape`, a function that
was called with `training=False`. What only names say is *likely*, and no error may rest on that.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from typing import Literal, NamedTuple

from tfdata_lint.pipeline.nouns.code import last_name, statements_in
from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path
from tfdata_lint.pipeline.nouns.stages import Consumer, Stage
from tfdata_lint.pipeline.nouns.values import Constant, Partial
from tfdata_lint.source.trees import walk

Kind = Literal["training", "evaluation"]


class Purpose(NamedTuple):
    """What something is for, whether the program does that or only says so, and by what it is seen."""

    kind: Kind
    is_certain: bool
    why: str


_LOOKS = ("inspection", "cardinality", "len")
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
_LOOPING = ("for", "comprehension")
_TRAINING_CALLS = frozenset({"GradientTape", "apply_gradients", "minimize", "train_on_batch", "value_and_grad"})
_EVALUATING_CALLS = frozenset({"test_on_batch", "predict_on_batch"})
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

_TRAINING_WORDS = frozenset({"train", "training"})
_TEST_WORDS = frozenset({"test", "predict", "infer", "inference"})
_EVALUATION_WORDS = _TEST_WORDS | {"val", "valid", "validation", "eval", "evaluation", "dev"}
#: A test of nothing but that: `is_training`, `self.train`; `mode == tf.estimator.ModeKeys.EVAL`.
_FLAG = r"(self\.)?(is_)?(train|training)"
_MODE = r"(self\.)?mode == .*\b(TRAIN|EVAL|PREDICT)"


def purpose_of(graph: PipelineGraph, consumer: Consumer) -> Purpose | None:
    """What a consumer does with the elements; None where that is not seen, or where it only looks at them."""
    if known := _BY_KIND.get(consumer.kind):
        return known
    if consumer.kind == "input_fn" and (kind := _ESTIMATORS.get(consumer.target)):
        return Purpose(kind, True, f"`{consumer.target}`")
    if consumer.kind in _LOOPING:
        return _of_loop(graph, consumer.node)
    return None


def purpose(graph: PipelineGraph, stage: Stage, path: Path) -> Purpose | None:
    """What a stage, to which a path leads, is for: what all its readers do, else what the code around it says."""
    uses = [use for use in graph.reached(stage) if use.kind not in _LOOKS]
    purposes = [purpose_of(graph, use) for use in uses]
    if purposes and purposes[0] and all(other and other.kind == purposes[0].kind for other in purposes):
        return purposes[0]
    return _by_flags(stage, path) or _by_names(graph, stage, path)


def is_only_evaluated(graph: PipelineGraph, stage: Stage) -> bool:
    """Do all that read it evaluate, for sure?"""
    uses = [purpose_of(graph, use) for use in graph.reached(stage) if use.kind not in _LOOKS]
    return bool(uses) and all(use is not None and use.kind == "evaluation" for use in uses)


def is_evaluated(graph: PipelineGraph, stage: Stage) -> bool:
    """Does something that reads it evaluate, for sure, and nothing train?"""
    uses = [use for consumer in graph.reached(stage) if (use := purpose_of(graph, consumer)) is not None]
    return bool(uses) and all(use.kind == "evaluation" for use in uses)


def is_called_test(path: Path) -> bool:
    """Do the names on a path say that it is only tested or predicted on, which reads it once?"""
    return any(words(stage.receiver) & _TEST_WORDS for stage in path.stages)


def named_purpose(*names: str) -> Kind | None:
    """What names say; who names both speaks of the evaluation of what is trained."""
    said = words(*names)
    if said & _EVALUATION_WORDS:
        return "evaluation"
    return "training" if said & _TRAINING_WORDS else None


def _by_flags(stage: Stage, path: Path) -> Purpose | None:
    """What a constant says that a function around the stages was given, and that they depend on."""
    for test in (*stage.context.guards, *(test for other in path.stages for test in other.context.guards)):
        if kind := _flagged(test):
            return Purpose(kind, True, f"`{test}`")
    return next((known for other in path.stages if (known := _bound(other)) is not None), None)


def _bound(stage: Stage) -> Purpose | None:
    """What a mapped function was made for: `partial(parse, training=False)`."""
    for argument in stage.arguments.values():
        keywords = argument.value.keywords if isinstance(argument.value, Partial) else {}
        for name, value in keywords.items():
            if re.fullmatch(_FLAG, name) and isinstance(value, Constant) and isinstance(value.value, bool):
                return Purpose("training" if value.value else "evaluation", True, f"`{name}={value.value}`")
    return None


def _flagged(test: Condition) -> Kind | None:
    if re.fullmatch(_FLAG, test.text):
        return "training" if test.holds else "evaluation"
    if mode := re.fullmatch(_MODE, test.text):
        is_training = mode[2] == "TRAIN"
        return "training" if is_training and test.holds else "evaluation" if is_training != test.holds else None
    return None


def _by_names(graph: PipelineGraph, stage: Stage, path: Path) -> Purpose | None:
    """What names say: of functions, variables, splits, and of the tests on the way."""
    context, split = stage.context, path.stages[0].literal("split")
    names = [context.definition, split if isinstance(split, str) else ""]
    names += [other.receiver for other in (*path.stages, *graph.downstream(stage))]
    tests = (*path.conditions, *context.conditions, *context.guards)
    found = [(named_purpose(name), f"`{name}`") for name in names]
    found += [(_tested(test), f"`{test}`") for test in tests]
    for kind in ("evaluation", "training"):
        if why := next((why for said, why in found if said == kind), ""):
            return Purpose(kind, False, why)
    return None


def _tested(test: Condition) -> Kind | None:
    said = words(test.text)
    if said & (_EVALUATION_WORDS if test.holds else _TRAINING_WORDS):
        return "evaluation"
    return "training" if said & (_TRAINING_WORDS if test.holds else _EVALUATION_WORDS) else None


def words(*names: str) -> frozenset[str]:
    """The words that names are made of."""
    return frozenset(word for name in names for word in re.findall(r"[a-z]+", name.lower()))


# ── loops ───────────────────────────────────────────────────────────────────────────────────────────────────────────


def _of_loop(graph: PipelineGraph, loop: ast.AST) -> Purpose | None:
    """What the body of a loop does, with the functions of the module that it names."""
    body = loop.body if isinstance(loop, (ast.For, ast.AsyncFor)) else [loop]
    functions = graph.once(_functions)
    named = [functions[name] for name in _named(body) if name in functions]
    found = [kind for kind in (_done(body), *map(_done, named)) if kind]
    if not found:
        return None
    if "training" in found:
        return Purpose("training", True, "the loop that trains")
    return Purpose("evaluation", True, "the loop under `training=False`")


def _functions(graph: PipelineGraph) -> dict[str, list[ast.stmt]]:
    """What the functions of the module do, by their last names; several of one name together."""
    found: dict[str, list[ast.stmt]] = {}
    for node in statements_in(graph.tree.body) if graph.tree is not None else ():
        if isinstance(node, _DEFINITIONS):
            found.setdefault(node.name, []).extend(node.body)
    return found


def _named(body: Iterable[ast.AST]) -> Iterator[str]:
    for node in _nodes(body):
        if isinstance(node, ast.Call):
            yield from {last_name(part) for part in (node.func, *node.args)} - {""}


def _done(body: Iterable[ast.AST]) -> Kind | None:
    """Does it compute gradients, or call something with `training=False`?"""
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
