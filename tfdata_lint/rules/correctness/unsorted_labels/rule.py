"""TFD435 unsorted-labels."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import by_place
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.unsorted_labels.orders import Order, Orders

_IN_ORDER = ("map", "batch", "prefetch", "with_options", "cache", "enumerate")
_FOLDERS = ("image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory")


class UnsortedLabels(Rule):
    code = "TFD435"
    name = "unsorted-labels"
    group = "correctness"
    summary = "Labels follow the unsorted `os.walk` or `os.listdir`, but the files are sorted: images get wrong labels"
    triggers = (
        " ".join((*_FOLDERS, "from_tensor_slices")),
        "text:walk text:listdir text:scandir text:glob text:iterdir",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, *_FOLDERS, "from_tensor_slices", "zip"):
            stage = stages[0]
            if stage.context.in_test or stage.span.file != graph.file:
                continue
            orders = Orders(graph, graph.tree)
            if (second := _listed_apart(orders, stage)) is not None:
                yield self._of_pairs(graph, stage, second)
                continue
            labels = _unsorted(orders, stage)
            if labels is not None:
                yield self.finding(
                    stage.span,
                    "The files are sorted, but the labels follow the unsorted folder listing",
                    cost=(
                        "Folder listings have no fixed order and differ between machines, so images get the labels of"
                        " other images"
                    ),
                    advice="Also sort the files from which the labels are made",
                    confidence="likely",
                    related=(Related(span_of(labels, graph.file), "not sorted"),),
                )

    def _of_pairs(self, graph: PipelineGraph, stage: Stage, second: ast.Call) -> Finding:
        return self.finding(
            stage.span,
            "Files from two unsorted folder listings are paired",
            cost="Folder listings have no fixed order, and the order differs between machines",
            advice="Sort both: `sorted(glob(…))`",
            confidence="likely",
            related=(Related(span_of(second, graph.file), "not sorted"),),
        )


def _sides(stage: Stage) -> list[tuple[Stage, ast.expr]]:
    """The two lists that are paired, and what reads them: in a tuple, or each in a dataset of its own."""
    if stage.op != "zip":
        given = stage.arguments.get("tensors")
        parts = given.node.elts if given is not None and isinstance(given.node, ast.Tuple) else []
        return [(stage, part) for part in parts]
    found = [_source(origin) for origin in stage.inputs]
    return [side for side in found if side is not None]


def _source(dataset: Dataset) -> tuple[Stage, ast.expr] | None:
    """The one list whose elements a dataset has, in its order."""
    ways = [*paths(dataset)]
    source = ways[0].stages[0] if len(ways) == 1 else None
    if source is None or any(stage.op not in _IN_ORDER for stage in ways[0].stages[1:]):
        return None
    given = source.arguments.get("tensors") or source.arguments.get("file_pattern")
    return (source, given.node) if given is not None and source.op in ("from_tensor_slices", "list_files") else None


def _order(orders: Orders, side: tuple[Stage, ast.expr]) -> Order:
    stage, node = side
    if stage.op == "list_files":
        return "sorted" if stage.literal("shuffle", True) is False else ""
    return orders.of(node)


def _listed_apart(orders: Orders, stage: Stage) -> ast.Call | None:
    """The second of two listings of other files, which are paired as they come."""
    match _sides(stage):
        case [(_, first), (_, second)]:
            one, other = orders.listing(first), orders.listing(second)
            if one is not None and other is not None and ast.unparse(one) != ast.unparse(other):
                return other
    return None


def _unsorted(orders: Orders, stage: Stage) -> ast.expr | None:
    """The labels that are in the order of a listing, beside files that are sorted."""
    if stage.op in _FOLDERS:
        labels = stage.arguments.get("labels")
        return labels.node if labels is not None and orders.of(labels.node) == "listed" else None
    match _sides(stage):
        case [files, made] if _order(orders, files) == "sorted" and _order(orders, made) == "listed":
            return made[1]
    return None
