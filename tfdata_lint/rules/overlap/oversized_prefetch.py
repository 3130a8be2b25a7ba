"""TFD107."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial
from typing import Any

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.memory import held
from tfdata_lint.pipeline.nouns.paths import Path, cases
from tfdata_lint.pipeline.nouns.questions import HANDING_ON, batching
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.structure import Shape, Tensor, leaves
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, guarded
from tfdata_lint.rules.overlap.ahead import why_autotuned_unsafe

#: So many batches are more than any consumer needs ahead.
_MANY = 16
#: Of batches of 32 pictures of 224 pixels these are 2.5 GB.
_MODERATE = 128
#: And so much most machines have.
_AFFORDABLE = 2**30
#: Memory that nobody misses.
_LITTLE = 16 * 2**20
#: The size of batches that is not known.
_USUAL_BATCH = 256
#: What it is at least, as a rule.
_SMALL_BATCH = 32
_BYTES = 8
#: Numbers in a row of small data sets of tensorflow_datasets.
_PICTURES = dict.fromkeys(("mnist", "fashion_mnist", "kmnist", "emnist"), 784) | dict.fromkeys(
    ("cifar10", "cifar100", "svhn_cropped"), 3072
)
#: So many batches are a small part of most arrays.
_FEW_COPIES = 64


class OversizedPrefetch(Rule):
    code = "TFD107"
    name = "oversized-prefetch"
    group = "performance"
    summary = "`prefetch` buffers many whole batches in memory"
    triggers = ("prefetch", "given:buffer_size", "batches")
    experiment = "memory"
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        prefetches = (
            stage
            for stage in graph.stages
            if stage.op == "prefetch" and "buffer_size" in stage.arguments and stage.span not in graph.lost
        )
        for stage, batch, case in cases(prefetches, partial(_batching_of_many, graph)):
            yield self.finding(
                stage.span,
                f"`prefetch` comes after batching and buffers {_amount(stage)} whole batches{case}",
                cost=(
                    "The buffer holds batches that the consumer does not need yet (measured: 1,000 batches of 1 MB"
                    " took 1 GB, AUTOTUNE 12 MB)"
                ),
                advice="Use `prefetch(tf.data.AUTOTUNE)`",
                severity="advice" if _is_moderate(graph, stage) else None,
                confidence=stage.confidence,
                related=(Related(batch.span, "from here on the elements are batches"),),
                fix=_fix(graph, stage, target),
            )


@guarded
def _fix(graph: PipelineGraph, stage: Stage, target: Target) -> Fix:
    draft = Draft(graph)
    draft.set_arguments(stage, buffer_size=draft.autotune(stage.node, target))
    reason = why_autotuned_unsafe(graph, [stage])
    return draft.fix("unsafe" if reason else "safe", "Use `tf.data.AUTOTUNE`", reason)


def _batching_of_many(graph: PipelineGraph, stage: Stage, path: Path) -> Stage | None:
    """What makes the batches, if many are kept: a large number, or at least as many as there are elements in one."""
    batch = _batching(path)
    if batch is None or not _are_many(graph, stage, path) or _is_little(stage, batch) or _is_copy(stage, path):
        return None
    return batch


def _are_many(graph: PipelineGraph, stage: Stage, path: Path) -> bool:
    size = stage.arguments["buffer_size"]
    if size.literal is not ...:
        # Where it is known to be small its name does not matter.
        return _is_large(size.literal)
    given = (part.arguments.get("batch_size") for part in path.before(stage))
    if not any(other and (size.is_same_variable(other) or size.is_product_with(other)) for other in given):
        return False
    default = _count(graph, stage)
    return not isinstance(default, int) or _is_large(default)


def _count(graph: PipelineGraph, stage: Stage) -> Any:
    """How many batches are kept, also by the default of an option; None where that is not known."""
    size = stage.arguments["buffer_size"]
    known = value_at(graph, size.node, graph.source_of(stage.span.file)) if size.literal is ... else size.literal
    return None if known is ... else known


def _factor(size: ast.AST | None) -> int:
    """8 of `batch_size * 8`."""
    match size:
        case ast.BinOp(op=ast.Mult(), right=ast.Constant(value=int(factor))):
            return factor
        case ast.BinOp(op=ast.Mult(), left=ast.Constant(value=int(factor))):
            return factor
    return 1


def _batching(path: Path) -> Stage | None:
    """What makes the batches. A batch of one is an element, or the batch that it was made of."""
    batch = batching(path)
    while batch is not None and batch.presumed("batch_size") == 1:
        batch = batching(path.until(batch))
    return batch


def _is_little(stage: Stage, batch: Stage) -> bool:
    """Is all that is kept at most a few megabytes, as far as shapes and lengths tell, or numbers and short vectors?"""
    if (known := held(stage)) is not None:
        return known <= _LITTLE
    if (known := _of_known_rows(stage, batch)) is not None:
        return known <= _LITTLE
    parts = list(leaves(structure_of(stage)))
    if not parts or not all(isinstance(part, Tensor) and part.dtype != "string" for part in parts):
        return False
    widths = [_width(part.shape) for part in parts if isinstance(part, Tensor)]
    count, rows = stage.literal("buffer_size"), batch.presumed("batch_size")
    number = count if isinstance(count, int) else _USUAL_BATCH
    size = rows if isinstance(rows, int) else _USUAL_BATCH
    return all(widths) and sum(widths) * _BYTES * size * number <= _LITTLE


def _is_moderate(graph: PipelineGraph, stage: Stage) -> bool:
    """Is it a number that most machines have the memory for, of batches whose size is not known, or are they rows?"""
    count, known = _count(graph, stage), held(stage)
    if count is None:
        count = _factor(stage.arguments["buffer_size"].node) * _SMALL_BATCH
    if isinstance(count, int) and count <= _MODERATE:
        return known is None or known <= _AFFORDABLE
    return known is None and _are_rows(stage)


def _are_rows(stage: Stage) -> bool:
    """Are the elements features of records, of which no function makes pictures or sound: text, numbers?"""
    functions = [part.function for part in upstream(stage) if part.function is not None]
    done = {last(operation) for function in functions for operation in function.operations}
    decodes = any("decode" in name and name != "decode_csv" for name in done)
    return not decodes and any(name.startswith("parse_") or name == "decode_csv" for name in done)


def _of_known_rows(stage: Stage, batch: Stage) -> int | None:
    """Bytes of what is kept of small pictures, as float32 where they are scaled; None where that is not known."""
    rows = {_PICTURES.get(part.literal("name")) for part in upstream(stage) if part.op.startswith("tfds.")}
    count, size = stage.literal("buffer_size"), batch.presumed("batch_size")
    if len(rows) != 1 or None in rows or not isinstance(count, int) or not isinstance(size, int):
        return None
    return 4 * count * size * max(row for row in rows if row is not None)


def _is_copy(stage: Stage, path: Path) -> bool:
    """Are all rows in memory anyway, and is a part of them all that is kept?"""
    count, source = stage.literal("buffer_size"), path.stages[0]
    if not isinstance(count, int) or count > _FEW_COPIES or source.op != "from_tensor_slices":
        return False
    return all(part.op == "batch" or part.op in HANDING_ON for part in path.before(stage)[1:])


def _width(shape: Shape) -> int:
    """How many numbers a row has; 0 where that is not known, or where it is more than a vector."""
    match shape:
        case (_,):
            return 1
        case (_, int(width)) if width > 0:
            return width
    return 0


def _is_large(size: Any) -> bool:
    return isinstance(size, int) and size >= _MANY


def _amount(stage: Stage) -> str:
    size = stage.arguments["buffer_size"]
    if _is_large(size.literal):
        return str(size.literal)
    return f"`{size.written}`"
