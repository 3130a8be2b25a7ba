"""TFD323."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import last_name, names
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, paths
from tfdata_lint.pipeline.nouns.questions import is_batched, is_few, is_toy, readers_by_place
from tfdata_lint.pipeline.nouns.stages import Stage, tips
from tfdata_lint.pipeline.nouns.structure import Tensor, leaves
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.source.trees import walk

#: These leave the shape of an element as it is.
_KEEPING = ("shuffle", "prefetch", "take", "skip", "cache", "filter", "with_options", "repeat", "shard", "enumerate")
#: Names of models, and of their methods that are given a batch.
_MODEL = r"(.*_)?(model|net|network|encoder|classifier|extractor|detector|backbone)|predict|predict_on_batch"
#: Calls that are made for single elements.
_ONE_BY_ONE = frozenset({"imshow", "show", "plot", "subplot", "savefig", "imsave", "save_img", "imwrite", "save",
                         "write_file", "display", "GradientTape", "train_on_batch", "input", "sleep"})  # fmt: skip


class PerElementLoop(Rule):
    code = "TFD323"
    name = "per-element-loop"
    group = "performance"
    summary = "A Python loop calls a model for one element at a time"
    triggers = ("to:for to:comprehension",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumers in readers_by_place(graph, "for", "comprehension"):
            consumer = consumers[0]
            model = _model_called_on_one(consumer.node)
            if not model or not all(map(_gives_equal_elements, consumers)):
                continue
            if consumer.context.in_test or consumer.context.in_tf_function:
                continue
            if _shows_or_trains(consumer.node) or _writes_files(consumer.node):
                continue
            stage = next(tips(consumer.dataset))
            yield self.finding(
                consumer.span,
                f"This loop calls `{model}` with one element at a time",
                cost="Each call costs as much as one with a whole batch (measured: 30 times as long as with"
                " `batch(32)`; 100 ms for each `predict`)",
                advice="Call `batch` on the dataset, and the model once per batch",
                confidence="likely",
                related=(Related(stage.span, "gives single elements"),),
            )


def _gives_equal_elements(consumer: Consumer) -> bool:
    """Does it take single elements of many that have one shape, so that they could be batches?"""
    ways = paths(consumer.dataset, consumer.context.conditions)
    return ways.always(lambda path: not (is_batched(path) or is_toy(path) or is_few(path)) and _is_of_one_shape(path))


def _is_of_one_shape(path: Path) -> bool:
    """Rows of arrays, or what is seen to be of one size."""
    source, *later = path.stages
    if all(map(_has_one_shape, leaves(structure_of(path.stages[-1])))):
        return True
    return source.op == "from_tensor_slices" and all(stage.op in _KEEPING or _is_trivial(stage) for stage in later)


def _has_one_shape(leaf: object) -> bool:
    return isinstance(leaf, Tensor) and leaf.shape is not None and all((side or 0) > 0 for side in leaf.shape)


def _is_trivial(stage: Stage) -> bool:
    return stage.function is not None and stage.function.cost == "trivial"


def _model_called_on_one(loop: ast.AST) -> str:
    """The model that a loop calls with batches of the one element it has: `model(x[None])`; as written."""
    match loop:
        case ast.For(target=target, body=body):
            code: list[ast.AST] = list(body)
        case ast.ListComp(elt=value, generators=[ast.comprehension(target=target)]):
            code = [value]
        case _:
            return ""
    elements, parts = names(target), [part for node in code for part in walk(node)]
    ones: set[str] = set()
    for part in parts:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if any(
                _is_batch_of_one(inner, elements) for inner in walk(value)
            ):
                ones.add(name)
    for part in parts:
        if isinstance(part, ast.Call) and re.fullmatch(_MODEL, last_name(part)):
            given = [inner for argument in part.args for inner in walk(argument)]
            if any(_is_batch_of_one(inner, elements) or (names(inner) & ones) for inner in given):
                return ast.unparse(part.func)
    return ""


def _is_batch_of_one(node: ast.AST, elements: set[str]) -> bool:
    """`x[None]`, `x[tf.newaxis, ...]`, `tf.expand_dims(x, 0)`."""
    match node:
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[first, *_]) | first):
            is_new = (isinstance(first, ast.Constant) and first.value is None) or last_name(first) == "newaxis"
            return is_new and bool(names(value) & elements)
        case (
            ast.Call(args=[value, ast.Constant(value=0)])
            | ast.Call(args=[value], keywords=[ast.keyword(arg="axis", value=ast.Constant(value=0))])
        ):
            return last_name(node) == "expand_dims" and bool(names(value) & elements)
    return False


def _shows_or_trains(loop: ast.AST) -> bool:
    """Does it plot or save what it is given one by one, stop early, or train with it?"""
    for part in walk(loop):
        if isinstance(part, (ast.Break, ast.Return, ast.Yield)) or last_name(part) in _ONE_BY_ONE:
            return True
    return False


def _writes_files(node: ast.AST) -> bool:
    """Does some code write or append to files, by the calls in it?"""
    for call in (part for part in walk(node) if isinstance(part, ast.Call)):
        name = last_name(call)
        modes = [argument.value for argument in call.args[1:2] if isinstance(argument, ast.Constant)]
        modes += [k.value.value for k in call.keywords if k.arg == "mode" and isinstance(k.value, ast.Constant)]
        if name in ("open", "GFile") and any(set("wax+") & set(str(mode)) for mode in modes):
            return True
        if name in ("TFRecordWriter", "write_file", "write_text", "write_bytes"):
            return True
    return False
