"""TFD402 options-not-applied."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.options import Options
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.python.uses import use_of
from tfdata_lint.rules.base import Finding, Rule


class OptionsNotApplied(Rule):
    code = "TFD402"
    name = "options-not-applied"
    group = "correctness"
    summary = "`tf.data.Options` are set but never applied to a dataset"
    triggers = ("options",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        # A call in one context may skip the branch that applies them; another context then shows it.
        used = {options.span for options in graph.options if options.applied or _leaves(graph, options)}
        for options in graph.options:
            # What `options()` returns has those of its dataset.
            if options.settings and not options.of_dataset and options.span not in used:
                yield self._never_applied(options, has_dataset=bool(graph.stages))

    def _never_applied(self, options: Options, *, has_dataset: bool) -> Finding:
        others = "" if len(options.settings) < 2 else " and more"
        return self.finding(
            options.span,
            f"These options (`{next(iter(options.settings))}`{others}) are never applied",
            cost="Options take effect only through `with_options`: the pipeline runs without them"
            if has_dataset
            else "Options take effect only through `with_options`, and this file has no dataset",
            advice="Call `dataset = dataset.with_options(options)` on the finished pipeline"
            if has_dataset
            else "Remove them, or apply them with `with_options` where the dataset is made",
            severity=None if has_dataset else "warning",
        )


def _leaves(graph: PipelineGraph, options: Options) -> bool:
    """May code that is not seen apply them? Those that are an attribute whoever reads that."""
    if options.escapes or not options.held:
        return options.escapes
    reads = [part for part in syntax_of(graph.source).named(options.held) if isinstance(part.ctx, ast.Load)]
    is_private = options.held.startswith("_")
    return not all(_sets(graph, part) for part in reads) or (graph.is_imported and not is_private)


def _sets(graph: PipelineGraph, node: ast.expr) -> bool:
    """Does a mention only set something of it: `self.options.threading.private_threadpool_size = 8`?"""
    use = use_of(syntax_of(graph.source), node)
    return use.kind == "attribute set" or (isinstance(use.by, ast.Attribute) and _sets(graph, use.by))
