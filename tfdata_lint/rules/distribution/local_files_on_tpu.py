"""TFD806."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.recursion import within
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.pipeline.nouns.values import Constant, Sequence, Value, parts_of
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.distribution.strategies import reaches_far

_FILES = ("filenames", "file_pattern", "directory", "path")
#: `gs://` and the like, and what is mounted everywhere.
_ELSEWHERE = r"\w+://|/(?:gcs|cns|bigstore|placer|mnt|kaggle)\b"


class LocalFilesOnTpu(Rule):
    code = "TFD806"
    name = "local-files-on-tpu"
    group = "correctness"
    summary = "TPU hosts on other machines would read local files"
    triggers = ("reads load list_files image_dataset_from_directory", "text:TPUStrategy", "text:TPUClusterResolver")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        found: set[Span] = set()
        for consumer in graph.consumers:
            if consumer.context.in_test or not reaches_far(graph, consumer):
                continue
            for stage in upstream(consumer.dataset):
                path = _local_path(stage)
                if not path or stage.span in found:
                    continue
                found.add(stage.span)
                yield self.finding(
                    stage.span,
                    f"TPU hosts would read {path!r}, a file on this machine",
                    cost="They do not have the file: reading it raises an UnimplementedError or a NotFoundError",
                    advice="Put the files into a bucket (`gs://…`) that the hosts can read",
                    confidence="likely",
                    related=(Related(consumer.span, "goes to the TPUs here"),),
                )


def _local_path(stage: Stage) -> str:
    """The first of the files that a stage reads, where they are literals and all on this machine; else empty."""
    given = next((stage.arguments[name] for name in _FILES if name in stage.arguments), None)
    names = _texts(given.value) if given is not None else []
    are_local = bool(names) and not any(re.match(_ELSEWHERE, name) for name in names)
    return names[0] if are_local else ""


def _texts(value: Value) -> list[str]:
    leaves = [one for one in within(value, parts_of) if not isinstance(one, Sequence)]
    found = [leaf.value for leaf in leaves if isinstance(leaf, Constant) and isinstance(leaf.value, str) and leaf.value]
    return found if len(found) == len(leaves) else []
