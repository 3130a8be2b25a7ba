"""TFD704."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import tips, upstream
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.project.eras import chooses_version, is_tensorflow_1
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Fix, Related, Rule
from tfdata_lint.source.trees import walk

_SESSION = "Session("
_MAKERS = ("make_one_shot_iterator", "make_initializable_iterator")


class Tf1Iterator(Rule):
    code = "TFD704"
    name = "tf1-iterator"
    group = "upgrade"
    summary = "An iterator that is created as in TensorFlow 1"
    triggers = ("use:make_one_shot_iterator use:make_initializable_iterator",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        makers = [use for use in graph.uses if _is_maker(graph, use)]
        if not makers or target.below(2, 0):
            return
        is_old = is_tensorflow_1(graph) or _makes_old_datasets(graph) or not _imports_tensorflow(graph)
        if is_old and _SESSION in graph.source.text:
            # Nothing but moving the whole program would change the iterator.
            return
        gets = [use for use in graph.uses if use.name == ".get_next"]
        makers = [use for use in makers if not chooses_version(graph, use.node)]
        # A program of TensorFlow 1 is moved as a whole: that is said once.
        others = makers[1:] if is_old else []
        for use in makers[:1] if is_old else makers:
            fetched = [Related(get.span, "elements are fetched here") for get in gets if _belongs(get, use)]
            may_have_it = is_old or _is_of_unseen(graph, use)
            yield self.finding(
                use.span,
                f"`{use.name.rpartition('.')[2]}` belongs to TensorFlow 1",
                # Under `compat.v1` it still works, in graph mode.
                severity="advice" if may_have_it else None,
                cost="It needs the graphs and sessions of TensorFlow 1, which live on in `tf.compat.v1` only"
                if is_old
                else "Datasets of TensorFlow 2 do not have it: this raises an AttributeError",
                advice="Iterate over the dataset itself (`for x in dataset`, `iter(dataset)`), or, in an"
                " `input_fn`, return it",
                confidence="likely" if may_have_it else "proven",
                related=(*fetched, *(Related(other.span, "also belongs to TensorFlow 1") for other in others)),
                fix=Fix("display-only", "Use `iter(dataset)`", "graph mode and sessions must be removed, too"),
            )


def _is_maker(graph: PipelineGraph, use: SymbolUse) -> bool:
    """Not `tf.compat.v1.data.make_one_shot_iterator(dataset)`: whoever writes that means it. Nor the function of
    TensorFlow's own modules, which takes the datasets of TensorFlow 2, too (tried with 2.21)."""
    prefix, _, name = use.name.rpartition(".")
    if name not in _MAKERS:
        return False
    full = syntax_of(graph.source).scopes.full_name(use.node)
    return not prefix or not ("compat" in use.written or full.startswith("tensorflow.python."))


def _belongs(get: SymbolUse, maker: SymbolUse) -> bool:
    return get.definition == maker.definition and get.span.row >= maker.span.row


def _is_of_unseen(graph: PipelineGraph, use: SymbolUse) -> bool:
    """Is the dataset made by code that is not seen, and may be one of `compat.v1`, which has the method?"""
    readers = [consumer for consumer in graph.consumers if consumer.span.row == use.span.row]
    return not readers or any(stage.is_opaque for reader in readers for stage in upstream(*tips(reader.dataset)))


def _imports_tensorflow(graph: PipelineGraph) -> bool:
    """Does it import TensorFlow itself? A module of a project that stands for it may have put other datasets there."""
    nodes = walk(syntax_of(graph.source).tree)
    named = (
        node.module or "" if isinstance(node, ast.ImportFrom) else alias.name
        for node in nodes
        if isinstance(node, (ast.Import, ast.ImportFrom))
        for alias in node.names
    )
    return any(name.partition(".")[0] == "tensorflow" for name in named)


def _makes_old_datasets(graph: PipelineGraph) -> bool:
    """Does it use `tf.compat.v1.data`, whose datasets have the old methods?"""
    nodes = walk(syntax_of(graph.source).tree)
    return any(
        isinstance(node, ast.Attribute) and node.attr == "data" and ast.unparse(node).endswith("compat.v1.data")
        for node in nodes
    )
