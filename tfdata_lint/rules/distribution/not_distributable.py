"""TFD801."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import inside
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.structure import Tensor, leaves
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.distribution.strategies import reaches_far, running

#: Workers in the process of the program itself have its Python functions.
_OWN_WORKERS = ("WorkerServer(", "DispatchServer(")


class NotDistributable(Rule):
    code = "TFD801"
    name = "not-distributable"
    group = "correctness"
    summary = "Other machines (tf.data service workers, TPU hosts) run a pipeline that calls Python code"
    triggers = ("distribute to:register_dataset text:TPUStrategy", "from_generator effect:py_function map to:fit")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        if graph.is_test or any(word in graph.source.text for word in _OWN_WORKERS):
            return
        for stage in graph.stages:
            if stage.op == "distribute" and stage.inputs and not stage.context.in_test:
                yield from self._sent(stage.span, [s for dataset in stage.inputs for s in upstream(dataset)])
        for consumer in graph.consumers:
            if consumer.target == "register_dataset" and not consumer.context.in_test:
                yield from self._sent(consumer.span, list(upstream(consumer.dataset)))
        for consumer in graph.consumers:
            yield from self._of_texts(graph, consumer)
            culprit = _culprit(upstream(consumer.dataset)) if reaches_far(graph, consumer) else None
            if culprit is None or consumer.context.in_test:
                continue
            yield self.finding(
                culprit.span,
                f"TPU hosts would run the Python code of this pipeline: `{_python_in(culprit)}`",
                cost=(
                    "Python functions exist only in the process of your program: on another machine the pipeline fails"
                ),
                advice="Write TFRecord files beforehand and read those, or use TensorFlow operations",
                is_guess=True,
                related=(Related(consumer.span, "goes to the TPUs here"),),
            )

    def _of_texts(self, graph: PipelineGraph, consumer: Consumer) -> Iterator[Finding]:
        """Texts in the elements that `fit` gives to TPUs."""
        if consumer.kind != "fit" or consumer.context.in_test or running(graph, consumer) != {"TPUStrategy"}:
            return
        if not any(
            isinstance(leaf, Tensor) and leaf.dtype == "string" for leaf in leaves(structure_of(consumer.dataset))
        ):
            return
        last_map = next((stage for stage in upstream(consumer.dataset) if stage.function is not None), None)
        function = last_map.function if last_map is not None else None
        yield self.finding(
            function.span if function is not None and function.span is not None else consumer.span,
            "A string is left in the elements that go to TPUs",
            cost="TPUs have no strings: the first step fails with an unsupported data type",
            advice="Leave it out of what the mapped function returns, or make numbers of it",
            is_guess=True,
            related=(Related(consumer.span, "goes to the TPUs here"),),
        )

    def _sent(self, span: Span, stages: list[Stage]) -> Iterator[Finding]:
        culprit = _culprit(stages)
        if culprit is None:
            return
        yield self.finding(
            span,
            f"Workers of the tf.data service would run Python code: `{_python_in(culprit)}`",
            cost="Python functions are not sent to the workers, which raise an InvalidArgumentError",
            advice="Do that part after the service, or with TensorFlow operations",
            confidence=culprit.confidence,
            related=(Related(culprit.span, "Python is called here"),),
        )


def _culprit(stages: Iterable[Stage]) -> Stage | None:
    """The first stage that calls Python, also inside of the functions of others."""
    parts = (part for stage in stages for part in (stage, *inside(stage)))
    return next((part for part in parts if _python_in(part)), None)


def _python_in(stage: Stage) -> str:
    """What calls back into Python; empty where nothing is seen to."""
    if stage.op == "from_generator":
        return "from_generator"
    effect = stage.function.has("py_function") if stage.function is not None else None
    return effect.what if effect is not None else ""
