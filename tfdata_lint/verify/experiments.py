"""What is tried out to judge a finding: the same pipeline with and without a fix, its epochs, its parts.

Every experiment has processes of its own, and leaves none behind.
"""

from __future__ import annotations

import itertools
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.verify.equality import CLOSELY, ELEMENTS, EPOCHS, Equality, equality, is_rounded
from tfdata_lint.verify.held import SEED, Gone, Held
from tfdata_lint.verify.measure import ALONE_LOOKS, LOOKS, Asked, Comparing, Comparison, Paced, awakened, cores_here
from tfdata_lint.verify.model import Pipeline, Run
from tfdata_lint.verify.plan import ATTEMPTS, PAIRS, Plan
from tfdata_lint.verify.processes import available_memory
from tfdata_lint.verify.runner import observe
from tfdata_lint.verify.warm import Warm

#: Elements that are compared should take no longer than this.
_COMPARING_S = 3.0
#: After so many seconds no more rounds of a comparison are begun, nor processes that would not be ready by then.
_ENOUGH_S = 25.0
#: As much of the memory that is left may be taken by the processes of a comparison.
_MEMORY = 0.75
#: Looking at how much a dataset holds, too.
_WEIGHING_S = 10.0
#: Steps are looked at for so long, and in two runs each if they are so many times as long without a fix.
_STEPPING_S, _CLEARLY = 2.0, 2.0
#: Deleting an iterator can take seconds.
_STALL_S = 15.0
#: So many elements of a part are enough to tell a leak.
_FEWEST = 8


#: Gives so many pairs of processes.
_Pairs: TypeAlias = Callable[[int], list[tuple[Paced, Paced]]]


@dataclass(frozen=True, slots=True)
class Size:
    """What all elements of a dataset take together."""

    elements: int
    bytes: int
    seconds: float
    """How long it takes to go through it once."""


@dataclass(frozen=True, slots=True)
class Share:
    """Of the elements of one thing, those that are in another too."""

    same: int
    of: int
    whole: bool = True
    """All elements were looked at."""

    @property
    def share(self) -> float:
        return self.same / self.of if self.of else 0.0


@dataclass(frozen=True, slots=True)
class Draws:
    """What a mapped function draws in so many calls: for two things, or for one."""

    of: int
    same: int | None = None
    """So often it is the same for both."""
    distinct: int = 0
    """So many different draws there are for the one."""
    kept: bool = False
    """Something that may have pixels leaves the function as it came."""


class Experiments:
    """On the pipelines of one run."""

    def __init__(
        self,
        plan: Plan,
        run: Run,
        progress: Callable[[str], None] = lambda _: None,
        warm: Warm | None = None,
        texts: Mapping[str, str] | None = None,
    ) -> None:
        """`texts`: of files that are not yet as they were in this run."""
        self._plan = plan
        # Where many start at once, each has only its share of the cores to get to its pipeline.
        share = min(1.0, cores_here() / (2 * PAIRS))
        self._patient = replace(plan, limits=replace(plan.limits, seconds=plan.limits.seconds / share))
        self._run = run
        self.progress = progress
        self._warm = warm
        self._texts = texts
        self._comparing: Comparing | None = None
        self.executions = 1
        """How often the target was started, the run included."""
        self.is_coarse = False
        """Had the last comparison elements in blocks that take longer than a turn?"""
        self.leaves_out = False
        """Did the last comparison leave the work of a finding out?"""
        self.is_filled = True
        """Had the last comparison filled its caches before it began?"""

    @property
    def so_far(self) -> Comparison | None:
        """What the last comparison of speeds has shown, if it was interrupted."""
        return self._comparing.so_far() if self._comparing else None

    def forget(self) -> None:
        """What was compared before is of no interest any more."""
        self._comparing = None

    def speed(
        self,
        pipeline: Pipeline,
        texts: Mapping[str, str],
        filling_s: float = 0.0,
        *,
        only_same: bool = False,
        drawn: bool = False,
    ) -> tuple[Equality, Comparison | None]:
        """Are the elements of the pipeline the same with these texts, and how fast is it? Raises `Gone`.

        Where they are certainly not the same there is nothing to compare. `filling_s`: how long these texts may take
        before they are measured, to fill a cache. `only_same`: other elements end it, also where they may only be in
        another order. `drawn`: with other seeds in each process, as in a code that sets none.
        """
        self._must_have_memory()
        self.leaves_out, began = False, time.monotonic()
        comparing = self._comparing = Comparing(step_ms=step_of(pipeline, self._plan))
        self.is_filled = True

        def fill(after: Paced) -> None:
            if filling_s:
                filling = {"do": "rate", "seconds": filling_s, "to_end": True}
                took_s = after.turn(filling_s + self._patience, filling)[0]["seconds"]
                self.is_filled = self.is_filled and took_s < filling_s

        with self._pairs(pipeline, texts, drawn=drawn) as pairs:
            self.progress("elements are compared")
            same = self._compared(pipeline, pairs, texts)
            if only_same and same.outcome not in ("identical", "not-comparable"):
                return same, None
            if same.outcome in ("spec-differs", "second-epoch-differs") or (same.outcome == "differs" and same.whole):
                return same, None
            self.progress("speeds are compared")
            until = time.monotonic() + _ENOUGH_S
            seen = self._faster(pipeline, pairs, comparing, fill)
        # What is known by then holds, whatever happens to other processes.
        with suppress(Gone):
            while seen.is_promising and seen.pairs < ATTEMPTS * PAIRS and time.monotonic() < began + _ENOUGH_S:
                if not seen.could_be_decided(ATTEMPTS * PAIRS):
                    self.progress("no more processes are started: they could not decide it here")
                    break
                self.progress("speeds are compared, with other processes")
                with self._pairs(pipeline, texts, drawn=drawn) as pairs:
                    seen = self._faster(pipeline, pairs, comparing, fill, until)
        return same, seen

    def without(self, pipeline: Pipeline, stage: int, *, whole: bool) -> Comparison:
        """How fast a pipeline is if this stage returns its first element again and again.

        Of a map its function is left out, or (`whole`) all that is above it, too. Raises `Gone`, also where that might
        harm somebody.
        """
        self.leaves_out = True
        place = self._left_out(pipeline, stage)
        self._must_have_memory()
        comparing = self._comparing = Comparing(step_ms=step_of(pipeline, self._plan))
        how = {**place, "elements": _elements_of(pipeline, stage), "whole": whole}

        def leave_out(after: Paced) -> None:
            if why := after.ask("leave_out", 2 * self._patience, **how)["why"]:
                raise Gone("unsupported", why)

        with self._pairs(pipeline, {}) as pairs:
            self.progress("it is measured without the work of the finding")
            return self._faster(pipeline, pairs, comparing, leave_out)

    def steps(self, pipeline: Pipeline, texts: Mapping[str, str]) -> tuple[list[float], list[float]]:
        """How long a step takes, in ms, in several runs of the code, and of the code with these texts.

        Raises `Gone`.
        """
        self.progress("its steps are measured with the fix and without it")
        taken: tuple[list[float], list[float]] = [], []
        plan = replace(self._plan, limits=replace(self._plan.limits, pace=_STEPPING_S))
        for _ in range(PAIRS):
            for side, changed in zip(taken, ({}, texts), strict=True):
                self.executions += 1
                run = observe(plan, warm=self._warm, texts={**(self._texts or {}), **changed})
                step = next((one.step for one in run.pipelines if one.key == pipeline.key), None)
                if step is None:
                    raise Gone(run.reason or "no-consumption", run.detail or "its steps were not seen again")
                side.append(step.median_ms)
            if len(taken[0]) > 1 and min(taken[0]) > _CLEARLY * max(taken[1]):
                break
        return taken

    def _left_out(self, pipeline: Pipeline, stage: int) -> dict[str, Any]:
        """The place of a stage that can be left out. Raises `Gone` where it is not certain that nobody sees it."""
        one = self._run.stage(stage)
        seen = [self._run.stage(number) for number in pipeline.stages]
        alike = [other for other in seen if other.place == one.place and other.op == one.op]
        if one.place is None or len(alike) != 1:
            raise Gone("unsupported", "the call of the stage was made several times")
        copied = tuple(folder.rstrip(os.sep) + os.sep for folder in self._plan.copies)
        outside = not self._plan.limits.temporary and any(not path.startswith(copied) for path in self._run.written)
        if outside or not self._plan.is_isolated:
            raise Gone("unsupported", "what the program writes would stay")
        return {"file": one.place.file, "end_row": one.place.end_row, "end_column": one.place.end_column}

    def _must_have_memory(self) -> None:
        needed = 2 * PAIRS * self._run.peak_memory
        if needed > available_memory() * _MEMORY:
            raise Gone("memory", f"{2 * PAIRS} processes would need {needed / 2**30:,.1f} GB")

    def same(self, pipeline: Pipeline, texts: Mapping[str, str], *, drawn: bool = False) -> Equality:
        """Are its elements the same with these texts: all of them, or the first where that takes too long?

        `drawn`: with other seeds in each process. Raises `Gone`.
        """
        with suppress(Gone):
            seeds = iter(range(SEED, SEED + 4)) if drawn else itertools.repeat(SEED)
            before, after = ([self._all(pipeline, texts=side, seed=next(seeds))] for side in (None, texts))
            seen = equality(before, after, whole=True)
            if seen.outcome == "identical":
                return seen
            # Where they are others, it may be that they always are.
            before.append(self._all(pipeline, texts=None, seed=next(seeds)))
            after.append(self._all(pipeline, texts=texts, seed=next(seeds)))
            return equality(before, after, whole=True)
        with self._pairs(pipeline, texts, drawn=drawn) as pairs:
            return self._compared(pipeline, pairs, texts)

    def size(self, pipeline: Pipeline, texts: Mapping[str, str], span: Span, most: int) -> Size | None:
        """Of the dataset that a call in these texts makes, in earnest only up to so many bytes.

        None where that cannot be told soon, or where it never ends.

        Raises `Gone`.
        """
        with self._held(pipeline, texts) as held:
            seen = held.ask("size", self._patience, **_place(span), seconds=_WEIGHING_S, most=most)
        elements, whole = seen["elements"], seen["elements"] if seen["whole"] else seen["cardinality"]
        if not elements or whole < elements:
            return None
        part = whole / elements
        return Size(whole, round(seen["bytes"] * part), seen["seconds"] * part)

    def epochs_equal(self, pipeline: Pipeline, span: Span | None = None) -> Share:
        """How much of the second epoch of one iterator was in the first: of what a call made, or of the pipeline."""
        answer, whole = self._elements(pipeline, span=span)
        first, second = _rows(answer)
        return _common(second, first, whole=whole)

    def partners_equal(self, pipeline: Pipeline, span: Span) -> Share | None:
        """Of what a `zip` gives first, how much meets the same others in a second epoch.

        None where too few can be told apart, or come again.
        """
        answer, whole = self._elements(pipeline, span=span, partners=True)
        met, again = (_alone([pair.split() for pair in epoch]) for epoch in _rows(answer))
        both = met.keys() & again.keys()
        if len(both) < _FEWEST:
            return None
        return Share(sum(met[one] == again[one] for one in both), len(both), whole)

    def draws(self, pipeline: Pipeline, image: Span, mask: Span | None) -> Draws | None:
        """What is drawn at the one call and at the other, or at the one; the code's own seeds hold, and no others.

        None where that cannot be told, or is too little.
        """
        both = [None if span is None else _rows_of(span) for span in (image, mask)]
        with self._held(pipeline, seed=None) as held:
            answer = held.ask("draws", self._patience, image=both[0], mask=both[1], count=ELEMENTS)
        if "missing" in answer or answer["of"] < _FEWEST:
            return None
        return Draws(answer["of"], answer.get("same"), answer.get("distinct", 0), answer.get("kept", False))

    def iterators_equal(self, pipeline: Pipeline) -> Share:
        """How much of what a second iterator gives was given by the first. The code's own seeds hold, and no others."""
        with self._held(pipeline, seed=None) as held:
            one, other = (held.ask("elements", self._patience, count=ELEMENTS, epochs=1) for _ in range(2))
        return _common(_rows(other)[0], _rows(one)[0], whole=False)

    def processes_equal(self, pipeline: Pipeline) -> Share:
        """How much of what one process gets another one, told to be the same worker, gets too."""
        one, whole = self._elements(pipeline, seed=None)
        other, also_whole = self._elements(pipeline, seed=None)
        return _common(_rows(one)[0], _rows(other)[0], whole=whole and also_whole)

    def leak(self, pipeline: Pipeline, spans: Sequence[Span]) -> Share | None:
        """How much of the smaller part of a split is in the larger one too, where both are made when that is consumed.

        The parts are what these two calls made, in one process, one after the other: what comes behind them, such as
        augmentation, may make the same examples other ones. None where one cannot tell one element from another.

        In which order they share, and how often that was drawn before, depends on the code. An epoch of the one and an
        epoch of the other that have the same order have nothing in common: of two epochs each, others do.
        """
        elements, others = self._parts(pipeline, spans)
        whole = also_whole = True
        small, large = sorted((_rows(elements), _rows(others)), key=lambda epochs: len(epochs[0]))
        if _common(large[1], large[0], whole=whole).same == 0 or not (whole and also_whole):
            return None
        shares = [_common(epoch, of_large, whole=True) for epoch in reversed(small) for of_large in large]
        share = next((share for share in shares if share.same), shares[-1])
        return share if share.of >= _FEWEST else None

    def _parts(self, pipeline: Pipeline, spans: Sequence[Span]) -> list[dict[str, Any]]:
        with self._held(pipeline) as held:
            asked = {"count": 0, "epochs": EPOCHS, "whole": True}
            answers = [held.ask("elements", self._patience, at=_place(span), **asked) for span in spans]
        if any("missing" in answer for answer in answers):
            raise Gone("no-consumption", "not both parts existed by then")
        return answers

    @contextmanager
    def _pairs(self, pipeline: Pipeline, texts: Mapping[str, str], *, drawn: bool = False) -> Iterator[_Pairs]:
        """Processes with the code as it is, and with these texts: so many pairs, those asked for before among them."""
        every: list[tuple[Paced, Paced]] = []
        with ExitStack() as stack:

            def pairs(many: int) -> list[tuple[Paced, Paced]]:
                for number in range(len(every), many):
                    before = stack.enter_context(self._held(pipeline, None, SEED + drawn * number))
                    after = stack.enter_context(self._held(pipeline, texts, SEED + drawn * (PAIRS + number)))
                    stack.enter_context(awakened([before.group, after.group]))
                    every.append((before, after))
                return every[:many]

            yield pairs

    def _faster(
        self,
        pipeline: Pipeline,
        pairs: _Pairs,
        comparing: Comparing,
        prepare: Callable[[Paced], None],
        until: float | None = None,
    ) -> Comparison:
        """By one pair, if that leaves no doubt; else by several. Until then, or for as long as is enough."""
        how: dict[str, Any] = {"graph": pipeline.consumer == "graph", "within": self._patience}
        sides: list[tuple[Asked, Asked]] = []
        ends = time.monotonic() + _ENOUGH_S
        for many in (1, PAIRS) if until is None else (PAIRS,):
            known, began = len(sides), time.monotonic()
            for before, after in pairs(many)[known:]:
                prepare(after)
                sides.append((Asked(before, comparing.step_ms, **how), Asked(after, comparing.step_ms, **how)))
            ends = until or ends + time.monotonic() - began
            for side in itertools.chain(*sides[known:]):
                side.warm_up()
            seen = comparing.add(sides, looks=ALONE_LOOKS if many == 1 else LOOKS, until=ends, known=known)
            if seen.is_clear:
                break
        self.is_coarse = any(side.is_coarse for side in itertools.chain(*sides))
        if seen.decision != "faster":
            return seen
        with suppress(Gone):
            seen = replace(seen, timelines=tuple(side.timeline() for side in sides[0]))
        return seen

    @property
    def _patience(self) -> float:
        return self._plan.limits.seconds + _STALL_S

    def _held(self, pipeline: Pipeline, texts: Mapping[str, str] | None = None, seed: int | None = SEED) -> Paced:
        stop_at = self._run.stopped_at if pipeline.consumer in ("waiting", "returned") else None
        self.executions += 1
        return Paced(self._patient, pipeline.key, texts or self._texts, stop_at, seed, self._warm)

    def _compared(self, pipeline: Pipeline, pairs: _Pairs, texts: Mapping[str, str]) -> Equality:
        rate = pipeline.elements_per_s or 1.0
        count, within = max(2, min(ELEMENTS, int(rate * _COMPARING_S / EPOCHS))), 2 * self._patience
        (sides, others), how = pairs(2), {"count": count, "epochs": EPOCHS}
        first, other, again, other_again = _asked((*sides, *others), "elements", within, **how)
        seen = equality([first, again], [other, other_again])
        if seen.outcome == "spec-differs" and set(other["keys"]) < set(first["keys"]):
            left = _asked(sides, "elements", within, **how, only=other["keys"])
            is_rest = equality(*([answer] for answer in left)).outcome == "identical"
            return replace(seen, outcome="fewer-parts") if is_rest else seen
        if seen.outcome != "differs":
            return seen
        if is_rounded(*_asked(sides, "sums", within, count=min(count, CLOSELY))):
            return replace(seen, outcome="rounded")
        # The first elements of another order are other elements; are all of them?
        try:
            with self._held(pipeline) as one, self._held(pipeline, texts) as two:
                whole = _asked((one, two), "elements", self._patience / 2, count=0, epochs=EPOCHS, whole=True)
            return equality(whole[:1], whole[1:], whole=True)
        except Gone:
            return seen

    def _elements(
        self, pipeline: Pipeline, seed: int | None = SEED, span: Span | None = None, **how: Any
    ) -> tuple[dict[str, Any], bool]:
        """All elements if that is soon done, or else the first; and which. Of what a call made, or of the pipeline."""
        if span is not None:
            how["at"] = _place(span)
        try:
            answer, whole = self._all(pipeline, seed=seed, **how), True
        except Gone as gone:
            if gone.reason not in ("timeout", "memory"):
                raise
            with self._held(pipeline, seed=seed) as held:
                answer = held.ask("elements", self._patience, count=ELEMENTS, epochs=EPOCHS, **how)
                whole = False
        if "missing" in answer:
            raise Gone("no-consumption", "the code of the finding had not run by then")
        return answer, whole

    def _all(
        self, pipeline: Pipeline, *, texts: Mapping[str, str] | None = None, seed: int | None, **how: Any
    ) -> dict[str, Any]:
        with self._held(pipeline, texts, seed) as held:
            return held.ask("elements", self._patience / 2, count=0, epochs=EPOCHS, whole=True, **how)


def _asked(several: Sequence[Held], do: str, within: float, **how: Any) -> list[dict[str, Any]]:
    """The answers of several at once."""
    for held in several:
        held.begin(do, **how)
    return [held.answer(do, within) for held in several]


def step_of(pipeline: Pipeline, plan: Plan) -> float:
    """What the consumer does with an element without waiting, in ms: as asked for, or as observed."""
    if plan.limits.step_ms:
        return plan.limits.step_ms
    share = pipeline.input.share if pipeline.input else None
    if pipeline.step is None or share is None:
        return 0.0
    return pipeline.step.median_ms * (1 - share)


def _elements_of(pipeline: Pipeline, stage: int) -> int:
    """How many a stage gives in a pass, as far as passes were seen; 0 if that is not known."""
    passes = pipeline.passes
    calls = next((node.calls for node in pipeline.nodes if stage in node.stages), 0)
    taken = pipeline.nodes[0].calls if pipeline.nodes else 0
    return round(passes.elements * calls / taken) if passes and taken else 0


def _place(span: Span) -> dict[str, Any]:
    """Of a call, as the agent knows it."""
    return {"file": os.path.realpath(span.file), "end_row": span.end_row, "end_column": span.end_column}


def _rows_of(span: Span) -> dict[str, Any]:
    return {"file": os.path.realpath(span.file), "row": span.row, "end_row": span.end_row}


def _alone(pairs: Sequence[Sequence[str]]) -> dict[str, str]:
    """The partners of those that come only once."""
    counts = Counter(one for one, _ in pairs)
    return {one: other for one, other in pairs if counts[one] == 1}


def _rows(answer: Mapping[str, Any]) -> list[list[str]]:
    """Of two epochs; a generator may have been at its end after the first."""
    return [*(answer["rows"] or answer["epochs"]), [], []][:2]


def _common(one: list[str], other: list[str], *, whole: bool) -> Share:
    return Share((Counter(one) & Counter(other)).total(), len(one), whole)
