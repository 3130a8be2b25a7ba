"""TFD803."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.files import RECORDS, is_one_file
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import Path, inside, paths
from tfdata_lint.pipeline.nouns.questions import is_few, is_only_looked_at, is_toy
from tfdata_lint.pipeline.nouns.stages import Stage, tips
from tfdata_lint.pipeline.nouns.values import Symbol
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.distribution.strategies import DIVIDING, running

_WORKERS = "MultiWorkerMirroredStrategy"
_POLICY = "experimental_distribute.auto_shard_policy"
#: What these give is in no file that TensorFlow could share out.
_WITHOUT_FILES = ("from_tensor_slices", "from_generator")


class AutoshardSurprise(Rule):
    code = "TFD803"
    name = "autoshard-surprise"
    group = "advice"
    summary = "Every worker does the work for all elements, or one gets them all, because there are no files to shard"
    unmeasured = "It takes several workers"
    triggers = ("from_tensor_slices from_generator reads", "to:fit to:distribute", f"text:{_WORKERS}")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            if graph.is_test or consumer.context.in_test or running(graph, consumer) != {_WORKERS}:
                continue
            if consumer.kind != "fit" and consumer.target not in DIVIDING:
                continue
            known = paths(consumer.dataset, consumer.context.conditions)
            if known.always(lambda path: _is_of_one_file(graph, path)):
                yield self._of_one_file(known.paths[0], consumer)
            if not known.always(lambda path: _works_on_all(graph, path) is not None):
                continue
            work = _works_on_all(graph, known.paths[0])
            if work is None or is_only_looked_at(graph, tips(consumer.dataset)):
                continue
            source = known.paths[0].stages[0]
            runs = f"`{work.op}`" if work is source else f"this `{work.op}`"
            yield self.finding(
                work.span,
                f"Every worker runs {runs} for all elements: `{source.op}` has no files to divide",
                cost=(
                    "TensorFlow then shards at the end of the pipeline, so more workers do not prepare the data"
                    " faster (measured: 64 of 64 elements prepared by each of two workers)"
                ),
                advice=(
                    ("Yield only the elements of this worker" if work is source else "Call `shard` before this work")
                    + " and set `AutoShardPolicy.OFF` in the options of the dataset, or set `AutoShardPolicy.DATA` if"
                    " this is intended"
                ),
                confidence="likely",
                related=(Related(consumer.span, "sharded among the workers here"),),
            )

    def _of_one_file(self, path: Path, consumer: Consumer) -> Finding:
        return self.finding(
            (path.find("with_options") or path.stages[-1]).span,
            "The files are shared out among several workers, but there is one file",
            cost="The first worker raises an InvalidArgumentError, and the others get nothing (measured with 2.21)",
            advice="Set `AutoShardPolicy.DATA`, or write at least as many files as there are workers",
            is_guess=True,
            related=(Related(path.stages[0].span, "reads one file"), Related(consumer.span, "shared out here")),
        )


def _is_of_one_file(graph: PipelineGraph, path: Path) -> bool:
    """Is one file, which is written in the code, shared out by files, as it is by default?"""
    source = path.stages[0]
    if path.is_open or source.operation.reads not in RECORDS or not is_one_file(path):
        return False
    policy = path.stages[-1].options.get(_POLICY)
    if policy is None:
        return not _may_have_policy(graph, path)
    return isinstance(policy, Symbol) and policy.name.endswith(("AutoShardPolicy.FILE", "AutoShardPolicy.AUTO"))


def _may_have_policy(graph: PipelineGraph, path: Path) -> bool:
    """Is there a policy, or may there be one in options that are not seen?"""
    parts = [part for stage in path.stages for part in (stage, *inside(stage))]
    if any(part.op == "with_options" and not part.options for part in parts):
        return True
    return graph.option(path.stages[0], _POLICY) is not None or path.stages[-1].options.get(_POLICY) is not None


def _works_on_all(graph: PipelineGraph, path: Path) -> Stage | None:
    """What each worker does for the elements of all, where the policy is the default and there are no files."""
    source = path.stages[0]
    if source.op not in _WITHOUT_FILES or is_toy(path) or is_few(path):
        return None
    parts = [part for stage in path.stages for part in (stage, *inside(stage))]
    if any(part.op == "shard" or (part.operation.reads and part.inputs == () and part is not source) for part in parts):
        return None
    if _may_have_policy(graph, path):
        return None
    if source.op == "from_generator":
        return source
    return next((part for part in path.stages if part.op == "map" and _costs(part)), None)


def _costs(stage: Stage) -> bool:
    """Is what its function does more than arithmetic?"""
    function = stage.function
    return function is not None and function.cost not in ("trivial", "light")
