"""The ways through a pipeline, and the words for those that a finding is about."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator as Iter, Sequence
from typing import Any, ClassVar, NamedTuple

from tfdata_lint.pipeline.nouns.conditions import Condition, Facts
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.records import Record
from tfdata_lint.pipeline.nouns.recursion import within
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, Stage, upstream

#: Above this many ways through the conditions a pipeline is not enumerated further (`Paths.complete` is false).
MAX_PATHS = 64
#: Conditions that a message may hold before it gets hard to read.
_READABLE = 2


class Path(Record):
    """One way through the conditions, from a source to a dataset."""

    __slots__ = ("conditions", "stages")
    __match_args__: ClassVar = ("stages", "conditions")

    def __init__(self, stages: tuple[Stage, ...], conditions: tuple[Condition, ...]) -> None:
        self.stages = stages
        """Source first."""
        self.conditions = conditions

    def _parts(self) -> tuple[Any, ...]:
        return (self.stages, self.conditions)

    @property
    def when(self) -> str:
        """A clause such as `if mode == 'train'`, or an empty string, for messages."""
        clauses = [condition.clause for condition in self.conditions]
        values = [clause.removesuffix(" is true") for clause in clauses if clause.endswith(" is true")]
        if len(clauses) == len(values) == 2:
            return f"if {values[0]} and {values[1]} are true"
        return "if " + " and ".join(clauses) if clauses else ""

    @property
    def is_open(self) -> bool:
        """Its origin is not seen."""
        return bool(self.stages) and self.stages[0].is_opaque

    def find(self, *ops: str) -> Stage | None:
        """The stage nearest to the end with one of these operations."""
        return next((stage for stage in reversed(self.stages) if stage.op in ops), None)

    def after(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages downstream of one."""
        return self.stages[self.stages.index(stage) + 1 :]

    def before(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages upstream of one."""
        return self.stages[: self.stages.index(stage)]

    def until(self, stage: Stage) -> Path:
        """The way up to what a stage is given."""
        return Path(self.before(stage), self.conditions)


class Paths:
    __slots__ = ("complete", "paths")

    def __init__(self, paths: tuple[Path, ...], complete: bool) -> None:
        self.paths = paths
        self.complete = complete

    def __iter__(self) -> Iter[Path]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)

    def always(self, question: Callable[[Path], bool]) -> bool:
        """Does it hold on every way, none of them left out?"""
        return self.complete and bool(self.paths) and all(map(question, self.paths))


class Case(NamedTuple):
    """What is wrong with a stage on some ways to it."""

    stage: Stage
    culprit: Stage
    when: str
    """What those ways have in common, as a clause with a space before it; empty when all are meant."""


def paths(dataset: Dataset, conditions: tuple[Condition, ...] = ()) -> Paths:
    """Every way through the conditions from a source to this dataset.

    Two tests with one key take the same arm. Each input of `zip`, `concatenate`, … gives its own paths.
    `conditions` are known to hold (those of a consumer, say). The graph must be complete: the answer is kept.
    """
    known: Paths | None = dataset.known.get(conditions)
    if known is None:
        known = dataset.known[conditions] = _ways(dataset, conditions)
    # Whoever asks looks at each.
    dataset.spend(1 + len(known))
    return known


def _ways(dataset: Dataset, conditions: tuple[Condition, ...]) -> Paths:
    """The ways, put together from those of what comes before.

    Only conditions on which something hangs there tell one question from another, so that each dataset is asked once
    for all the ways that lead on from it, however many they are.
    """
    asked = _tests(dataset)
    given = tuple([each for each in conditions if each.key in asked or (each.holds and each.subject in asked)])
    known: Paths | None = dataset.known.get(given)
    if known is None:
        known = dataset.known[given] = _of_join(dataset, given) if isinstance(dataset, Join) else _of(dataset, given)
        dataset.spend(1 + len(known))
    return known


def _of_join(join: Join, conditions: tuple[Condition, ...]) -> Paths:
    facts = Facts(conditions)
    found: list[Path] = []
    is_complete = True
    for branch in join.branches:
        if not facts.allow(branch.conditions):
            continue
        if len(found) >= MAX_PATHS:
            return Paths(tuple(found), complete=False)
        new = tuple([condition for condition in branch.conditions if facts.outcome(condition) is None])
        ways = _ways(branch.dataset, (*conditions, *new))
        last = new[::-1]
        found += [Path(way.stages, (*way.conditions, *last)) for way in ways] if last else ways
        is_complete = is_complete and ways.complete
    return Paths(tuple(found[:MAX_PATHS]), is_complete and len(found) <= MAX_PATHS)


def _of(stage: Stage, conditions: tuple[Condition, ...]) -> Paths:
    if not Facts(conditions).allow(stage.context.conditions):
        return Paths((), complete=True)
    if not stage.inputs:
        return Paths((Path((stage,), ()),), complete=True)
    found: list[Path] = []
    is_complete = True
    for origin in stage.inputs:
        if len(found) >= MAX_PATHS:
            is_complete = False
            break
        ways = _ways(origin, conditions)
        found += ways
        is_complete = is_complete and ways.complete
    longer = tuple([Path((*way.stages, stage), way.conditions) for way in found[:MAX_PATHS]])
    return Paths(longer, is_complete and len(found) <= MAX_PATHS)


def inside(stage: Stage) -> Iter[Stage]:
    """The stages of the pipeline that its function returns, and those of theirs; windows begin with its elements."""
    return (one for one in within(stage, _nested) if one is not stage)


def _nested(stage: Stage) -> list[Stage]:
    inner = upstream(stage.nested) if stage.nested is not None else ()
    return [one for one in inner if one.op != "parameter" or one.result is None]


def _tests(dataset: Dataset) -> frozenset[str]:
    """The keys and subjects of all tests that decide on ways to a dataset."""
    known: frozenset[str] | None = dataset.known.get(_tests)
    if known is None:
        before = [branch.dataset for branch in dataset.branches] if isinstance(dataset, Join) else dataset.inputs
        own = (
            [condition for branch in dataset.branches for condition in branch.conditions]
            if isinstance(dataset, Join)
            else dataset.context.conditions
        )
        parts = list(map(_tests, before))
        named = {name for condition in own for name in (condition.key, condition.subject) if name}
        # Most stages share the tests of what they are given.
        most = max(parts, key=len, default=frozenset[str]())
        is_most = named <= most and all(part <= most for part in parts)
        known = dataset.known[_tests] = most if is_most else most.union(named, *parts)
        dataset.spend(1 + len(before))
    return known


def cases(stages: Iterable[Stage], judge: Callable[[Stage, Path], Stage | None]) -> Iter[Case]:
    """The first stage of each place for which `judge` names a culprit on some way to it."""
    found: set[Span] = set()
    for stage in stages:
        if stage.span in found:
            continue
        known = paths(stage, stage.context.conditions).paths
        culprits = [judge(stage, path) for path in known]
        culprit = next(filter(None, culprits), None)
        if culprit is not None:
            found.add(stage.span)
            bad = [path for path, other in zip(known, culprits, strict=True) if other is culprit]
            yield Case(stage, culprit, when(bad, known, culprit, stage))


def when(bad: Sequence[Path], known: Sequence[Path], *stages: Stage) -> str:
    """What the paths of a finding have in common, as ` if x > 3`; nothing when it is about all of them.

    Of many conditions only those that `stages` themselves stand under are told, if any.
    """
    if not bad or len(bad) == len(known):
        return ""
    # Of two objects the same words count, though each answers for itself.
    said = [{(condition.text, condition.holds) for condition in path.conditions} for path in bad]
    common = [c for c in bad[0].conditions if all((c.text, c.holds) in words for words in said)]
    if len(common) > _READABLE:
        own = {condition for stage in stages for condition in stage.context.conditions}
        common = [condition for condition in common if condition in own] or common
    if not common:
        # Without any condition they are the ways of several inputs.
        return " in some cases" if all(path.conditions for path in bad) else ""
    return f" {Path((), tuple(common[-_READABLE:])).when}"
