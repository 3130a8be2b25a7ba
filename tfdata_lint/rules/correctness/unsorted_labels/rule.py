"""TFD435 unsorted-labels."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import by_place
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.correctness.unsorted_labels.orders import Orders

_FOLDERS = ("image_dataset_from_directory", "text_dataset_from_directory", "audio_dataset_from_directory")


class UnsortedLabels(Rule):
    """Labels in the order in which a folder lists its files, for files that are sorted."""

    code = "TFD435"
    name = "unsorted-labels"
    group = "correctness"
    summary = "Labels follow the unsorted `os.walk` or `os.listdir`, but the files are sorted: images get wrong labels"
    triggers = (
        " ".join((*_FOLDERS, "from_tensor_slices")),
        "text:walk text:listdir text:scandir text:glob text:iterdir",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, *_FOLDERS, "from_tensor_slices"):
            stage = stages[0]
            if graph.tree is None or stage.context.in_test or stage.span.file != graph.file:
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


def _listed_apart(orders: Orders, stage: Stage) -> ast.Call | None:
    """The second of two listings of other files, which are paired as they come."""
    given = stage.arguments.get("tensors") if stage.op == "from_tensor_slices" else None
    match given.node if given is not None else None:
        case ast.Tuple(elts=[first, second]):
            one, other = orders.listing(first), orders.listing(second)
            if one is not None and other is not None and ast.unparse(one) != ast.unparse(other):
                return other
    return None


def _unsorted(orders: Orders, stage: Stage) -> ast.expr | None:
    """The labels that are in the order of a listing, beside files that are sorted."""
    if stage.op in _FOLDERS:
        labels = stage.arguments.get("labels")
        return labels.node if labels is not None and orders.of(labels.node) == "listed" else None
    given = stage.arguments.get("tensors")
    match given.node if given is not None else None:
        case ast.Tuple(elts=[files, made]) if orders.of(files) == "sorted" and orders.of(made) == "listed":
            return made
    return None
