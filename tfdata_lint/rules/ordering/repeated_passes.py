"""TFD319."""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths
from tfdata_lint.pipeline.nouns.questions import CACHES, MIXTURES, is_handful, is_made_up, is_only_looked_at
from tfdata_lint.pipeline.nouns.stages import Stage, upstream
from tfdata_lint.rules.base import Finding, Related, Rule

_MEETINGS = ("zip", "concatenate", *MIXTURES)
#: Fewer elements are left out to meet later ones, not to hold a part back.
_MANY = 32
#: With these each branch has a part of its own.
_PARTS = ("take", "skip", "shard", "take_while")


class RepeatedPasses(Rule):
    code = "TFD319"
    name = "repeated-passes"
    group = "performance"
    summary = "Branches of one dataset that are combined again repeat the work before them"
    triggers = ("zip concatenate sample_from_datasets choose_from_datasets", "map", "cost:heavy")
    related_comes = "before"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        meetings = [stage for stage in graph.stages if stage.op in _MEETINGS and not stage.context.in_test]
        found = [(stage, *_shared_work(graph, stage)) for stage in meetings]
        for stage, shared, number in found:
            if shared is None or shared.function is None or is_only_looked_at(graph, [stage]):
                continue
            if any(other is shared and meeting in graph.downstream(stage) for meeting, other, _ in found):
                # What it meets next is told: one computation of all parts serves both.
                continue
            is_wanted = stage.op != "zip" and not any(part.op == "filter" for part in graph.between(shared, stage))
            yield self.finding(
                stage.span,
                f"{number or 'Several'} branches of `{stage.op}` each run the same `map({shared.function.name})`",
                cost=(
                    f"`{shared.function.heavy}` runs for every element in every branch (measured for three filters of"
                    " one dataset: 1,200 images decoded instead of 400, 2.3 to 3.5 times as long)"
                ),
                advice=(
                    "Filter before that `map`, or compute the parts of all branches in one; or add a `cache` after it"
                    + (", which helps from the second pass on" if stage.op != "concatenate" else "")
                ),
                # Each element is wanted several times: more data is made of the same.
                severity="advice" if is_wanted else None,
                confidence="likely",
                related=(Related(shared.span, f"runs {number or 'several'} times for each element"),),
            )


def _shared_work(graph: PipelineGraph, meeting: Stage) -> tuple[Stage | None, int]:
    """The last expensive map that several branches go through, and how many of them; 0 where a loop makes them."""
    branches = [list(upstream(origin)) for origin in meeting.inputs]
    for stage in upstream(meeting):
        if stage.op != "map" or stage.function is None or stage.function.cost != "heavy":
            continue
        behind = {id(later) for later in graph.downstream(stage)}
        own = _certain(meeting, [branch for branch in branches if any(part is stage for part in branch)], behind)
        # A loop that runs the map, too, may run it on other data in each pass.
        depth = max(len(meeting.context.loops), len(stage.context.loops))
        is_looped = any(len(part.context.loops) > depth for branch in own for part in branch if id(part) in behind)
        if len(own) < 2 and not is_looped:
            continue
        between = [part for branch in own for part in branch if id(part) in behind]
        if any(part.op in CACHES or part.nested_in is not None for part in between) or _is_small(stage):
            return None, 0
        parts = [[part for part in branch if id(part) in behind] for branch in own]
        if any(map(_takes_part, parts)) and not (meeting.op == "zip" and all(map(_is_shifted, parts))):
            return None, 0
        return stage, len(own) if len(own) > 1 else 0
    return None, 0


def _is_shifted(branch: list[Stage]) -> bool:
    """Does it leave out nothing but some of the first elements: `zip((ds, ds.skip(1)))`?"""
    taking = [part for part in branch if part.op in _PARTS or part.op == "filter"]
    return all(part.op == "skip" and part.presumed("count", _MANY) in range(_MANY) for part in taking)


def _takes_part(branch: list[Stage]) -> bool:
    """Has a branch, the end of which comes first, a part of its own? Of what a filter has left, others have nothing."""
    parts = (part.op for part in reversed(branch) if part.op in _PARTS or part.op == "filter")
    return next(parts, "filter") != "filter"


def _certain(meeting: Stage, branches: list[list[Stage]], behind: set[int]) -> list[list[Stage]]:
    """The branches that always meet: with no part that only they have under a condition.

    `behind`: the stages after the work, by `id`.
    """
    shared = set.intersection(*({id(part) for part in branch} for branch in branches)) if branches else set()
    there = set(meeting.context.conditions)
    return [
        branch
        for branch in branches
        if all(set(part.context.conditions) <= there for part in branch if id(part) in behind - shared)
    ]


def _is_small(stage: Stage) -> bool:
    return any(is_made_up(path) or is_handful(path) for path in paths(stage, stage.context.conditions))
