"""TFD110 blocking-map-capped."""

from __future__ import annotations

import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.written import calls_under
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import by_place, is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import AUTOTUNE, Effect, Stage
from tfdata_lint.rules.base import Finding, Fix, Related, Rule
from tfdata_lint.rules.overlap.parallel import POOLS, is_number_of_cores

#: Calls that wait for another machine.
_WAITING = (
    r"^(requests|session|httpx|aiohttp|urllib3?|boto3|s3|s3_client|redis|pymongo)\.|urlopen$|urlretrieve$"
    r"|\.(download_as_bytes|download_as_string|download_fileobj|get_object)$"
)


class BlockingMapCapped(Rule):
    code = "TFD110"
    name = "blocking-map-capped"
    group = "pedantic"
    summary = "`map` waits for a network with at most one call per core, while the cores do nothing"
    triggers = ("map", "effect:py_function")

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stages in by_place(graph.stages, "map"):
            stage = stages[0]
            waits = next((effect for effect in _python(stage) if _waiting(graph, effect)), None)
            if waits is None or not all(_is_capped(graph, other) for other in stages):
                continue
            if stage.context.in_test or is_only_looked_at(graph, stages):
                continue
            if target.lacks(2, 18):
                advice, gain = "Set a larger `threading.private_threadpool_size` for this pipeline", "3.8"
            else:
                advice, gain = "Pass `use_unbounded_threadpool=True`", "5.6"
            yield self.finding(
                stage.span,
                f"`{_waiting(graph, waits)}` waits for another machine, with at most one call per core",
                cost=(
                    "At most as many calls run at once as there are cores, even if they only wait (measured"
                    f" for calls that wait 20 ms, on two cores: {gain} times faster without that limit)"
                ),
                advice=advice,
                confidence="likely",
                related=(Related(waits.span, "the call that waits"),),
                fix=Fix("display-only", advice, "the other machine must handle that many requests at once"),
            )


def _python(stage: Stage) -> list[Effect]:
    return [effect for effect in stage.function.effects if effect.kind == "py_function"] if stage.function else []


def _waiting(graph: PipelineGraph, effect: Effect) -> str:
    """The call that waits, as written."""
    calls = calls_under(graph, effect) or {}
    return next((written for name, written in calls.items() if re.search(_WAITING, name)), "")


def _is_capped(graph: PipelineGraph, stage: Stage) -> bool:
    if stage.has("use_unbounded_threadpool") or not (stage.parallelism == AUTOTUNE or is_number_of_cores(stage)):
        return False
    return all(graph.option(stage, pool) is None for pool in POOLS)
