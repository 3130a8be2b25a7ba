"""TFD801."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import inside
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.rules.base import Finding, Related, Rule

#: Workers in the process of the program itself have its Python functions.
_OWN_WORKERS = ("WorkerServer(", "DispatchServer(")


class NotDistributable(Rule):
    code = "TFD801"
    name = "not-distributable"
    group = "correctness"
    summary = "Python code in a pipeline that the workers of the tf.data service are to run"
    triggers = ("distribute to:register_dataset", "from_generator effect:py_function")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or any(word in graph.source.text for word in _OWN_WORKERS):
            return
        for stage in graph.stages:
            if stage.op == "distribute" and stage.inputs and not stage.context.in_test:
                yield from self._sent(stage.span, [s for dataset in stage.inputs for s in upstream(dataset)])
        for consumer in graph.consumers:
            if consumer.target == "register_dataset" and not consumer.context.in_test:
                yield from self._sent(consumer.span, list(upstream(consumer.dataset)))

    def _sent(self, span: Span, stages: list[Stage]) -> Iterator[Finding]:
        parts = [part for stage in stages for part in (stage, *inside(stage))]
        culprit = next((part for part in parts if _python_in(part)), None)
        if culprit is None:
            return
        yield self.finding(
            span,
            f"What the workers of the service are to run calls Python, by `{_python_in(culprit)}`",
            cost="Python functions are not sent along: the workers fail with an InvalidArgumentError",
            advice="Do that part behind the service, or with operations of TensorFlow",
            confidence=culprit.confidence,
            related=(Related(culprit.span, "Python is called here"),),
        )


def _python_in(stage: Stage) -> str:
    """What calls back into Python; empty where nothing is seen to."""
    if stage.op == "from_generator":
        return "from_generator"
    effect = stage.function.has("py_function") if stage.function is not None else None
    return effect.what if effect is not None else ""
