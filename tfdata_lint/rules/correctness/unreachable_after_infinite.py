"""TFD413 unreachable-after-infinite."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.facts.length import bounds_of, number
from tfdata_lint.pipeline.nouns.files import is_one_file
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths, when
from tfdata_lint.pipeline.nouns.questions import by_place, endless_stage, is_made_up, is_only_looked_at, runs_wherever
from tfdata_lint.pipeline.nouns.stages import Dataset, Stage
from tfdata_lint.rules.base import Finding, Related, Rule

#: They come to the next dataset when the one before has ended.
_ONE_BY_ONE = ("flat_map", "interleave")


class UnreachableAfterInfinite(Rule):
    code = "TFD413"
    name = "unreachable-after-infinite"
    group = "correctness"
    summary = "The data after an infinite dataset is never read"
    triggers = ("concatenate flat_map interleave", "endless")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for ways in by_place(graph.stages, "concatenate", *_ONE_BY_ONE):
            for stage in ways:
                if stage.context.in_test or not _has_a_second(stage):
                    continue
                known = paths(_first(stage), stage.context.conditions).paths
                bad = [path for path in known if endless_stage(path) is not None]
                repeat = endless_stage(bad[0]) if bad else None
                # Where each has a condition of its own the two may exclude each other.
                if repeat is None or not (len(bad) == len(known) or runs_wherever(stage, repeat)):
                    continue
                if not is_only_looked_at(graph, [stage]):
                    yield self._finding(stage, repeat, when(bad, known))
                    break

    def _finding(self, stage: Stage, repeat: Stage, case: str) -> Finding:
        if stage.op == "concatenate":
            message = f"`concatenate` never reaches its second dataset: `{repeat.op}` makes the first infinite"
            cost = "No element of the second dataset is ever read (measured: 0 of 1,000), and no error is raised"
            advice = "Call `repeat` after `concatenate`, or mix the two with `sample_from_datasets`"
        else:
            at_once = number(stage, "cycle_length") if stage.op == "interleave" else 1
            others = "a second dataset" if at_once == 1 else f"more than {at_once} datasets"
            message = f"`{stage.op}` never reaches {others}: `{repeat.op}` makes the first infinite"
            cost = "Only the first files are ever read (measured: 1 of 4), and no error is raised"
            advice = f"Call `repeat` after `{stage.op}` instead"
        return self.finding(
            stage.span,
            message + case,
            cost=cost,
            advice=advice,
            related=(Related(repeat.span, "infinite from here on"),),
        )


def _first(stage: Stage) -> Dataset:
    """The dataset that has to end before the next one is read."""
    return stage.inputs[0] if stage.nested is None else stage.nested


def _has_a_second(stage: Stage) -> bool:
    if stage.op == "concatenate":
        # What pads the last batch is not missed where there is none.
        second = stage.arguments.get("dataset")
        return second is None or "pad" not in second.written.lower()
    at_once = number(stage, "cycle_length") if stage.op == "interleave" else 1
    if stage.nested is None or at_once is None:
        return False
    if at_once != 1:
        # So many are read by turns; the next one would take the place of one that has ended.
        return 0 < at_once < bounds_of(stage.inputs[0]).least
    # One for each file; what is counted or drawn may be a single number.
    return paths(stage, stage.context.conditions).always(lambda way: not is_made_up(way) and not is_one_file(way))
