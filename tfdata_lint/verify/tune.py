"""Searching for a faster pipeline with the same elements: one move after the other, each measured.

From the code as it is now: what is tried is compared with that, and what is confirmed to be faster, with the same
elements, is what the next is compared with. In between it is looked again where the time goes. What came of all moves
together is compared with the code as it was.
"""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from tfdata_lint import rules
from tfdata_lint.lint.leftovers import without_leftovers
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.run.crossfile import findings_together
from tfdata_lint.source.content import read
from tfdata_lint.source.module import load
from tfdata_lint.verify.equality import Equality
from tfdata_lint.verify.experiments import Experiments
from tfdata_lint.verify.figures import matters, own_share, runs_parallel
from tfdata_lint.verify.findings import files_of
from tfdata_lint.verify.held import Gone
from tfdata_lint.verify.interrupts import Interrupted, interruptible, reason_of
from tfdata_lint.verify.judge import Judge
from tfdata_lint.verify.measure import THRESHOLD, Comparison
from tfdata_lint.verify.model import Node, Pipeline, Run, Stop
from tfdata_lint.verify.moves import KINDS, Code, Move, executed, moves, of_finding, read_code
from tfdata_lint.verify.plan import Plan
from tfdata_lint.verify.processes import available_memory
from tfdata_lint.verify.runner import observe
from tfdata_lint.verify.tuned import Step, Tried, Tuned
from tfdata_lint.verify.warm import Warm

if TYPE_CHECKING:
    from tfdata_lint.config.settings.reading import Configuration
    from tfdata_lint.pipeline.nouns.places import Span
    from tfdata_lint.pipeline.nouns.stages import Stage

BUDGET_S = 300.0
#: How long a pipeline is observed, to know where the time goes.
OBSERVING_S = 4.0
#: A cache may take as much of the memory that is free.
MEMORY = 0.25
#: The part of the time that is kept for comparing all together.
_KEPT = 0.25
_KEPT_S = 60.0
_GROUPS = ("performance", "advice", "pedantic")


#: A run with changed texts, and what can be tried out on such a run.
Observe = Callable[[Mapping[str, str]], Run]
Experiment = Callable[[Run, Mapping[str, str]], Experiments]


def tune(
    plan: Plan,
    configuration: Configuration,
    told: Callable[[Run], None] = lambda _: None,
    progress: Callable[[str], None] = lambda _: None,
    budget: float = BUDGET_S,
) -> Tuned:
    """Execute the target, and search for so many seconds. What was observed is `told` first. It writes nothing."""
    began = time.monotonic()
    until = began + budget
    limits = replace(plan.limits, pace=min(plan.limits.seconds, OBSERVING_S))
    plan = replace(plan, limits=limits)
    stopped: Stop | Literal[""] = ""
    search: Search | None = None
    with Warm(plan.interpreter) as warm:
        try:
            # As long as nothing is found, there is nothing to keep some time for.
            with interruptible(budget):
                run = observe(plan, progress, warm)
                told(run)
                search = Search(
                    run, configuration, progress,
                    lambda texts: _observed(plan, warm, texts),
                    lambda seen, texts: Experiments(plan, seen, progress, warm, texts),
                )  # fmt: skip
                if run.reason in ("interrupted", "budget"):
                    stopped = "interrupted" if run.reason == "interrupted" else "budget"
                else:
                    search.find_first()
            left = until - min(_KEPT_S, _KEPT * budget) - time.monotonic()
            if not stopped and not search.is_done:
                if left <= 0:
                    raise Interrupted("budget")
                with interruptible(left):
                    search.search()
        except KeyboardInterrupt as interrupt:
            stopped = reason_of(interrupt)
        if search is None:
            raise KeyboardInterrupt
        if stopped:
            search.leave()
        try:
            if stopped != "interrupted":
                with interruptible(max(1.0, until - time.monotonic())):
                    search.confirm()
        except KeyboardInterrupt as interrupt:
            stopped = reason_of(interrupt)
        search.return_to_checked()
    return replace(search.result(), stopped=stopped, seconds=time.monotonic() - began)


def _observed(plan: Plan, warm: Warm, texts: Mapping[str, str]) -> Run:
    run = observe(plan, warm=warm, texts=texts)
    if run.reason == "interrupted" or run.reason == "budget":
        raise Interrupted(run.reason)
    return run


class Search:
    def __init__(
        self,
        run: Run,
        configuration: Configuration,
        progress: Callable[[str], None],
        observe: Observe,
        experiment: Experiment,
    ) -> None:
        self._first = self._run = run
        self._configuration = configuration
        self._progress = progress
        self._observe = observe
        self._experiment = experiment
        self._before: dict[str, bytes] = {}
        self._tried: list[Tried] = []
        self._done: dict[str, float] = {}
        """What was tried, of which call: with more steps than so many behind us it may be worth another try."""
        self._measured: set[bytes] = set()
        """What was tried with the code as it is now."""
        self._steps: list[Step] = []
        self.is_done = False
        """No move is left."""
        self._trying: tuple[Move, Experiments] | None = None
        self._checked: tuple[int, Comparison | None, Equality | None] = 0, None, None
        """How many steps hold together for certain, and what they were compared with."""
        self._promising: tuple[Move, Comparison] | None = None
        """What may be faster than the code as it was, and seems to be so most."""
        self._offered: list[Move] = []
        self._offered_at = -1
        """With how many steps behind us."""
        self._comparison: Comparison | None = None
        self._equality: Equality | None = None
        self._is_checked = False
        self._problem = ""
        self._first_number = self._number = _tuned(run)

    @property
    def _pipeline(self) -> Pipeline:
        return self._run.pipelines[self._number]

    def search(self, steps: int = 0) -> None:
        """Try moves until none is left, or so many are kept. What was kept is there whenever it is interrupted."""
        if self._number < 0:
            self._problem = self._run.detail or "no pipeline was observed"
            self.is_done = True
            return
        while not steps or len(self._steps) < steps:
            if (move := next(self._left(), None)) is None:
                self.is_done = True
                return
            self._progress(f"tried: {move.title} at {_where(move.at)}")
            self._try(move)

    def find_first(self) -> None:
        """The first move that holds for certain: it can be written, whatever becomes of the rest."""
        while not self.is_done:
            self.search(steps=1)
            self.confirm()
            if not self._problem or not self._steps:
                return
            # As if it had never been kept.
            problem = self._problem
            self._tried = [replace(one, kept=False, detail=problem) if one.kept else one for one in self._tried]
            self._steps.clear()
            self._run, self._number, self._offered_at, self._problem = self._first, self._first_number, -1, ""

    def leave(self) -> None:
        """The time is over, or somebody does not want to wait: say of what was being tried how far that is."""
        if self._trying is None:
            return
        (move, experiments), self._trying = self._trying, None
        seen = experiments.so_far
        far = f"so far about {_words(seen)}, not certain" if seen else "before it was measured"
        self._drop(move.title, move.at, f"it was ended, {far}", seen)
        if seen:
            self._may_be_faster(move, seen)

    def _may_be_faster(self, move: Move, seen: Comparison) -> None:
        """It would be shown if nothing better is found."""
        best = self._promising[1].ratio if self._promising else THRESHOLD
        if not self._steps and seen.ratio > best:
            self._promising = move, seen

    def confirm(self) -> None:
        """Compare what was kept with the code as it was; where that does not hold, only what was kept first."""
        if len(self._steps) == self._checked[0]:
            return
        problem = self._why_not()
        if problem and len(self._steps) > 1:
            others = [one for one in self._tried if one.kept][1:]
            self._tried = [
                replace(one, kept=False, detail=f"it was, but {problem}") if one in others else one
                for one in self._tried
            ]
            del self._steps[1:]
            problem = self._why_not() if self._checked[0] != 1 else self._take_back()
        self._problem = problem
        if not problem:
            self._checked = len(self._steps), self._comparison, self._equality

    def return_to_checked(self) -> None:
        """Where the time was over before more was certain: what is."""
        count = self._checked[0]
        if not 0 < count < len(self._steps) or self._is_checked:
            return
        why = "it is faster, but there was no time to compare all changes together"
        others = [one for one in self._tried if one.kept][count:]
        self._tried = [replace(one, kept=False, detail=why) if one in others else one for one in self._tried]
        del self._steps[count:]
        self._problem = self._take_back()

    def _take_back(self) -> str:
        _, self._comparison, self._equality = self._checked
        self._is_checked = True
        return ""

    def _why_not(self) -> str:
        """Why what was kept cannot be shown, in words: by all elements of all pipelines that it is about."""
        pipeline, proven = self._first.pipelines[self._first_number], all(step.is_proven for step in self._steps)
        drawn = any(step.draws for step in self._steps)
        texts, experiments = _texts(self._tidied(self._contents)), self._experiment(self._first, {})
        self._progress("all elements are compared")
        self._comparison, self._equality, self._is_checked = None, None, False
        for one in self._touched(pipeline):
            try:
                same = experiments.same(one, texts, drawn=drawn)
            except Gone as gone:
                return f"the elements of {_name(one)} could not be compared: {gone}"
            if not _are_same(same, proven=proven):
                return f"in {_name(one)} {same}"
            self._equality = self._equality or same
        self._is_checked = True
        if len(self._steps) == 1:
            self._comparison = self._steps[0].comparison
            return ""
        self._progress("all kept changes are compared with the original code")
        try:
            filling_s = max(step.filling_s for step in self._steps)
            _, seen = experiments.speed(pipeline, texts, filling_s, drawn=drawn)
        except Gone as gone:
            return f"all changes together could not be measured: {gone}"
        if seen is None or seen.decision != "faster":
            return f"all changes together are {_words(seen)}" if seen else "all changes together return other elements"
        self._comparison = seen
        return ""

    def _touched(self, pipeline: Pipeline) -> Iterator[Pipeline]:
        """The pipeline, and those that have a call in common with it."""
        yield pipeline
        ours = {place for number in pipeline.stages if (place := self._first.stage(number).place)}
        for one in self._first.pipelines:
            if one is not pipeline and one.nodes and ours & {self._first.stage(n).place for n in one.stages}:
                yield one

    def result(self) -> Tuned:
        comparison, is_estimate = self._comparison, False
        contents = self._tidied(self._contents)
        if not contents and self._promising:
            move, comparison = self._promising
            is_estimate = True
            self._before[move.path] = self._data(move.path)
            contents = self._tidied({move.path: move.data})
        is_shown = bool(contents) and not self._problem
        return Tuned(
            self._first,
            None if self._first_number < 0 else self._first.pipelines[self._first_number],
            tuple(self._tried),
            {path: (self._before[path], data) for path, data in contents.items()} if is_shown else None,
            comparison,
            self._equality,
            self._is_checked,
            is_estimate,
            self._problem,
        )

    def _tidied(self, contents: Mapping[str, bytes]) -> dict[str, bytes]:
        """The changed files, without what they do not use any more."""
        project = Project()
        return {
            path: without_leftovers(load(self._before[path], path), data, project) for path, data in contents.items()
        }

    @property
    def _contents(self) -> Mapping[str, bytes]:
        """Of the files that are changed, by path."""
        return self._steps[-1].contents if self._steps else {}

    # ── what may be tried ───────────────────────────────────────────────────────────────────────────────────────────

    def _left(self) -> Iterator[Move]:
        """The moves that are left in the code as it is now, the most promising first."""
        pipeline = self._pipeline
        share = pipeline.input.share if pipeline.input else None
        if share is not None and not matters(share):
            if not self._steps:
                self._problem = f"the consumer waits for {share:.1%} of its time: nothing could make it faster"
            return
        if len(self._steps) != self._offered_at:
            self._offered, self._offered_at = list(self._moves(pipeline)), len(self._steps)
        found: dict[bytes, Move] = {}
        for move in sorted(self._offered, key=lambda move: self._promise(move, pipeline)):
            found.setdefault(move.data, move)
        for move in found.values():
            key = self._key(move.title, move.at)
            is_new = key not in self._done
            if move.data in self._measured:
                continue
            if is_new or (len(self._steps) > self._done[key] and self._is_slow(move.at, pipeline)):
                yield move

    def _promise(self, move: Move, pipeline: Pipeline) -> tuple[bool, bool, bool, int]:
        is_known = self._key(move.title, move.at) in self._done
        is_elsewhere = not self._is_slow(move.at, pipeline)
        return is_known, move.kind not in ("vectorise", "cache"), is_elsewhere, KINDS.index(move.kind)

    def _moves(self, pipeline: Pipeline) -> Iterator[Move]:
        paths = files_of(self._run)
        unsaved = {os.path.abspath(path): data for path, data in self._contents.items()}
        sources = [load(self._data(path), path) for path in paths]
        codes = {path: read_code(path, self._data(path), self._configuration.for_file(path), unsaved) for path in paths}
        for code in codes.values():
            yield from self._known(code, pipeline)
        findings, calls = findings_together(sources, self._configuration.for_file, unsaved)
        judge = Judge(self._run, self._experiment(self._run, {}), calls=calls)
        for finding in findings:
            judged = rules.rule(finding.code)
            if judged is None or judged.group not in _GROUPS or judged.experiment != "speed":
                continue
            if judge.pipeline_of(finding) == self._number and finding.span.file in codes:
                offered = of_finding(codes[finding.span.file], finding)
                if already := judge.done_already(finding):
                    for move in offered:
                        self._drop(move.title, move.at, already)
                else:
                    yield from offered

    def _known(self, code: Code, pipeline: Pipeline) -> Iterator[Move]:
        chain = executed(code, lambda stage: self._was_executed(stage, pipeline))
        if chain is None:
            return
        is_prefetched = pipeline.prefetched != ""
        is_seeded = any(b"seed" in self._data(path) for path in files_of(self._run))
        for move in moves(chain, waits=lambda stage: self._waits(stage, pipeline), is_prefetched=is_prefetched):
            if move.draws and is_seeded:
                continue
            node = self._node(move.at, pipeline)
            if move.kind != "parallel" or node is None:
                yield move
            elif already := runs_parallel(node):
                self._drop(move.title, move.at, already)
            elif (small := own_share(pipeline, node)) is not None and not matters(small):
                self._drop(move.title, move.at, f"its own work takes {small:.1%} of the time", again=True)
            else:
                yield move

    def _stages_at(self, span: Span) -> set[int]:
        return {s.id for s in self._run.stages_at(os.path.realpath(span.file), span.end_row, span.end_column)}

    def _was_executed(self, stage: Stage, pipeline: Pipeline) -> bool:
        return bool(self._stages_at(stage.span) & set(pipeline.stages))

    def _node(self, span: Span, pipeline: Pipeline) -> Node | None:
        made = self._stages_at(span)
        return next((node for node in pipeline.nodes if made & set(node.stages)), None)

    def _is_slow(self, span: Span, pipeline: Pipeline) -> bool:
        """Is it the bottleneck, or is that not known?"""
        found = pipeline.bottleneck
        return found is None or found.place is None or found.untraced is not None or (bool(
            made := self._stages_at(span)
        ) and bool(made & set(pipeline.nodes[found.node].stages)))  # fmt: skip

    def _waits(self, stage: Stage, pipeline: Pipeline) -> bool:
        found = pipeline.bottleneck
        is_it = found is not None and self._is_slow(stage.span, pipeline)
        return is_it and found is not None and found.waits_for in ("python", "files")

    # ── what comes of it ────────────────────────────────────────────────────────────────────────────────────────────

    def _try(self, move: Move) -> None:
        pipeline = self._pipeline
        key = self._key(move.title, move.at)
        self._measured.add(move.data)
        contents = {**self._contents, move.path: move.data}
        texts = _texts(contents)
        experiments = self._experiment(self._run, _texts(self._contents))
        filling_s = 0.0
        self._trying = move, experiments
        try:
            if move.cached:
                most = int(MEMORY * available_memory()) - self._run.peak_memory
                size = experiments.size(pipeline, texts, move.cached, most)
                if size is None:
                    return self._drop(move.title, move.at, "its size is unknown, or would take too long to find out")
                if size.bytes > most:
                    return self._drop(move.title, move.at, f"it would hold {size.bytes / 2**20:,.0f} MB, too much here")
                # It ends with the epoch; with other programs beside it, that takes longer.
                filling_s = 2 * size.seconds + 1.0
            drawn = move.draws or any(step.draws for step in self._steps)
            same, seen = experiments.speed(pipeline, texts, filling_s, only_same=True, drawn=drawn)
        except Gone as gone:
            self._trying = None
            return self._drop(move.title, move.at, f"it could not be measured: {gone}")
        self._trying = None
        if not _are_same(same, proven=not move.reason):
            return self._drop(move.title, move.at, str(same), seen, same)
        if seen is None or seen.decision != "faster":
            if seen and seen.decision == "undecided":
                self._may_be_faster(move, seen)
            detail = _words(seen) if seen else str(same)
            return self._drop(move.title, move.at, detail, seen, same, again=True)
        self._progress(f"kept: {move.title}: {_words(seen)}")
        self._before.setdefault(move.path, self._data(move.path))
        self._comparison, self._equality, self._is_checked = None, None, False
        self._steps.append(Step(contents, not move.reason, move.draws, seen, same, filling_s))
        self._done[key] = math.inf
        why = "random values go to other elements, as in every run without seeds" if move.draws else move.reason
        self._tried.append(Tried(move.title, _where(move.at), True, why, seen, same))
        self._measured.clear()
        run = self._observe(texts)
        number = next((n for n, p in enumerate(run.pipelines) if p.key == pipeline.key and p.nodes), None)
        if number is None:
            self._steps.pop()
            self._tried[-1] = replace(self._tried[-1], kept=False, detail=run.detail or "it is no longer observed")
        else:
            self._run, self._number = run, number
        return None

    def _drop(
        self,
        title: str,
        at: Span,
        why: str,
        seen: Comparison | None = None,
        same: Equality | None = None,
        *,
        again: bool = False,
    ) -> None:
        key = self._key(title, at)
        if key not in self._done or seen is not None:
            self._done[key] = len(self._steps) if again else math.inf
            self._tried.append(Tried(title, _where(at), False, why, seen, same))

    def _key(self, title: str, at: Span) -> str:
        """The same wherever the call stands meanwhile."""
        rows = [row.encode("utf-8", "replace") for row in load(self._data(at.file), at.file).lines]
        *first, last = rows[at.row - 1 : at.end_row]
        call = [*first, last[: at.end_column]]
        call[0] = call[0][at.column :]
        return f"{title} {[row.strip() for row in call]}"

    def _data(self, path: str) -> bytes:
        return self._contents[path] if path in self._contents else read(path)


def _tuned(run: Run) -> int:
    """The pipeline that the code itself consumes for longest; -1 where none was observed."""
    seen = [(n, p) for n, p in enumerate(run.pipelines) if p.nodes]
    return min(seen, key=lambda both: (both[1].consumer == "waiting", both[1].ended, both[0]), default=(-1, None))[0]


def _are_same(same: Equality, *, proven: bool) -> bool:
    """Where the code does not repeat itself, the graph must say that they are."""
    return same.outcome == "identical" or (proven and same.outcome == "not-comparable")


def _texts(contents: Mapping[str, bytes]) -> dict[str, str]:
    return {os.path.abspath(path): load(data, path).text for path, data in contents.items()}


def _words(seen: Comparison) -> str:
    return f"{seen.ratio:.2f} times as fast ({seen.low:.2f} to {seen.high:.2f})"


def _where(span: Span) -> str:
    return f"{span.file}:{span.row}"


def _name(pipeline: Pipeline) -> str:
    return f"the pipeline at {pipeline.frames[0]}" if pipeline.frames else "a pipeline that is returned"
