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

#: From here on what `Dataset.options()` returns cannot be changed.
_FROZEN = (2, 5)


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
            if not options.later and (options.of_dataset or not options.settings):
                continue
            if options.of_dataset:
                # Older versions gave a copy that one could change and apply.
                if not (options.applied and target.below(*_FROZEN)):
                    yield self._on_a_copy(options, certain=not options.applied or target.is_declared)
            elif options.span not in used:
                yield self._never_applied(options, has_dataset=bool(graph.stages))
            elif options.applied == 1 and not options.escapes and not options.held:
                # Given to `with_options` twice, the later settings may well be applied.
                yield from self._too_late(options)

    def _on_a_copy(self, options: Options, *, certain: bool) -> Finding:
        return self.finding(
            options.span,
            f"`{_first(options)}` is set on what `options()` returns",
            cost="`options()` returns a read-only copy: setting an attribute raises a ValueError since TensorFlow 2.5",
            advice="Set it on a new `tf.data.Options()` and pass that to `with_options`, which merges both",
            severity="error" if certain else "warning",
            confidence="proven" if certain else "likely",
        )

    def _never_applied(self, options: Options, *, has_dataset: bool) -> Finding:
        others = "" if len(options.settings) < 2 else " and more"
        return self.finding(
            options.span,
            f"These options (`{_first(options)}`{others}) are never applied",
            cost="Options take effect only through `with_options`: the pipeline runs without them"
            if has_dataset
            else "Options take effect only through `with_options`, and this file has no dataset",
            advice="Call `dataset = dataset.with_options(options)` on the finished pipeline"
            if has_dataset
            else "Remove them, or apply them with `with_options` where the dataset is made",
            severity=None if has_dataset else "warning",
        )

    def _too_late(self, options: Options) -> Iterator[Finding]:
        for path, span in options.later:
            yield self.finding(
                span,
                f"`{path}` is set after the options were applied",
                cost=(
                    "`with_options` has already read them: TensorFlow ignores a later change, or raises a ValueError"
                    " in a group that was set before"
                ),
                advice="Set it before calling `with_options`",
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


def _first(options: Options) -> str:
    settings = () if options.of_dataset else tuple(options.settings)
    return next(iter(settings), "") or options.later[0][0]
