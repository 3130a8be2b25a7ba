"""Methods of strategies and of TensorFlow Datasets that are gone, and that nothing else is called like."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import FUNCTIONS, nodes_on, rows_with, whole
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.eras import chooses_version
from tfdata_lint.pipeline.project.syntax import syntax_of


class Method(NamedTuple):
    """A method that is gone."""

    of: str
    gone: str
    """What has no such method any more."""
    since: tuple[int, int]
    """The first TensorFlow without it; of another library, the first that its first version without it supports."""
    advice: str
    new: str = ""
    """The same under its new name."""


#: `run` and the end of both methods of strategies are in the release notes of TensorFlow 2.2 and 2.4; `subsplit` is in
#: TensorFlow Datasets 3.0, and no more in 3.1.
METHODS = {
    "experimental_run_v2": Method("a strategy", "TensorFlow 2.4 and later", (2, 4), "Call `run`", "run"),
    "experimental_make_numpy_dataset": Method(
        "a strategy", "TensorFlow 2.4 and later", (2, 4), "Use `tf.data.Dataset.from_tensor_slices`"
    ),
    "subsplit": Method(
        "a split",
        "TensorFlow Datasets 3.1 and later",
        (2, 4),
        'Name the parts of the split: `split=["train[:80%]", "train[80%:]"]`',
    ),
}


def removed_methods(graph: PipelineGraph, target: Target) -> Iterator[tuple[ast.Attribute, Method]]:
    """The calls of methods that the target does not have, in source order."""
    text = graph.source.text
    gone = [name for name, method in METHODS.items() if name in text and not target.below(*method.since)]
    if not gone:
        return
    syntax = syntax_of(graph.source)
    nodes = list(nodes_on(syntax.tree, rows_with(text, *map(whole, gone))))
    own = {node.name for node in nodes if isinstance(node, FUNCTIONS) and not isinstance(node, ast.Lambda)}
    calls = [node.func for node in nodes if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)]
    for called in sorted(calls, key=lambda node: (node.lineno, node.col_offset)):
        is_of_splits = called.attr != "subsplit" or ".Split." in syntax.scopes.full_name(called)
        if called.attr in gone and called.attr not in own and is_of_splits and not chooses_version(graph, called):
            yield called, METHODS[called.attr]
