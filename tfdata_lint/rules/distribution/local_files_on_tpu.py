"""TFD806."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.path import files_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import inside
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.python.values import HOLE
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.distribution.strategies import reaches_far

_READ = {"tensorflow.io.read_file"}
#: `gs://` and the like, and what is mounted everywhere.
_ELSEWHERE = r"\w+://|/(?:gcs|cns|bigstore|placer|mnt|kaggle)\b"

#: How names of files begin among other texts.
_HERE = ("/", "./", "../")


class LocalFilesOnTpu(Rule):
    code = "TFD806"
    name = "local-files-on-tpu"
    group = "correctness"
    summary = "TPU hosts on other machines would read local files"
    triggers = ("reads load list_files image_dataset_from_directory", "text:TPUStrategy", "text:TPUClusterResolver")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for consumer in graph.consumers:
            if consumer.context.in_test or not reaches_far(graph, consumer):
                continue
            stages = list(upstream(consumer.dataset))
            functions = [stage.function for stage in stages if stage.function is not None]
            reads = any(_READ & set(function.operations) for function in functions)
            reads |= any(part.operation.reads for stage in stages for part in inside(stage))
            for stage in stages:
                path = _local_path(graph, stage, reads)
                if not path:
                    continue
                yield self.finding(
                    stage.span,
                    f"TPU hosts would read {path!r}, which is on this machine",
                    cost="They do not have the file: reading it raises an UnimplementedError or a NotFoundError",
                    advice="Put the files into a bucket (`gs://…`) that the hosts can read",
                    confidence="likely",
                    related=(Related(consumer.span, "goes to the TPUs here"),),
                )


def _local_path(graph: PipelineGraph, stage: Stage, reads: bool) -> str:
    """The first of the files that a stage reads, where all are on this machine, by where they begin; else empty."""
    starts = [path.partition(HOLE)[0] for path in files_of(graph, stage)]
    if reads and stage.op == "from_tensor_slices":
        # Names of files among other data.
        starts = [path.partition(HOLE)[0] for path in files_of(graph, stage, "tensors") if path.startswith(_HERE)]
    are_local = all(starts) and not any(re.match(_ELSEWHERE, start) for start in starts)
    return starts[0] if starts and are_local else ""
