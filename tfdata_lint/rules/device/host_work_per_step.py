"""TFD603."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import holds, last_name
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.device.eager_steps import eager_step, is_eager
from tfdata_lint.rules.device.host_work import callback_work, host_work
from tfdata_lint.rules.device.steps import is_eager_on_purpose, is_of_no_matter, loops_here
from tfdata_lint.source.trees import walk


class HostWorkPerStep(Rule):
    code = "TFD603"
    name = "host-work-per-step"
    group = "advice"
    status = "preview"
    summary = "Every training step waits for values on the host, or writes them"
    experiment = "step"
    triggers = ("to:for to:next to:walk text:update_freq text:on_train_batch_ text:on_batch_",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if target.below(2, 0) or graph.is_test or is_tensorflow_1(graph):
            return
        if not is_eager_on_purpose(graph.source.text):
            yield from self._loops(graph)
        for node, what in callback_work(graph):
            yield self.finding(
                span_of(node, graph.file),
                what,
                cost=(
                    "The accelerator is idle until this is done, because only then does the next step start (measured"
                    " on a CPU, steps of 0.6 ms: 1.0 ms with summaries)"
                ),
                advice='Do it at most every 100 steps, or once per epoch: `update_freq="epoch"`',
                confidence="likely",
            )

    def _loops(self, graph: PipelineGraph) -> Iterator[Finding]:
        for consumers, consumer, loop in loops_here(graph):
            if not isinstance(loop, (ast.For, ast.While)):
                continue
            runs_eagerly = is_eager(graph, loop)
            pulls_in_graph = runs_eagerly and not holds(loop, consumer.node)
            if is_of_no_matter(graph, consumers, pulls_in_graph):
                continue
            if runs_eagerly and eager_step(graph, loop) is not None:
                continue
            if not (work := host_work(graph, loop)):
                continue
            first, *others = work
            calls = [part for part in walk(first) if isinstance(part, ast.Call)]
            read = next((call.func for call in calls if last_name(call) in ("numpy", "item")), None)
            written = ast.unparse(first.func if isinstance(first, ast.Call) else read or first)
            more = f", and so {'does' if len(others) == 1 else 'do'} {len(others)} more" if others else ""
            yield self.finding(
                span_of(first, graph.file),
                f"`{written}` runs on the host in every training step{more}",
                cost=(
                    "The next step starts only after the value is computed and written, so an accelerator waits for"
                    " the host (measured on a CPU, steps of 0.3 ms: `tf.summary.scalar` adds 0.3 ms)"
                ),
                advice="Do it every 100 steps (`if step % 100 == 0`), or once per epoch",
                confidence="likely",
                related=(
                    Related(consumer.span, "runs for every batch"),
                    *(Related(span_of(other, graph.file), "also in every step") for other in others),
                ),
            )
