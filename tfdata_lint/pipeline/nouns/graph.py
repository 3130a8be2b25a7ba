"""Everything recovered from one module: it is walked and asked, and decides nothing."""

from __future__ import annotations

import ast
import os
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeVar

from tfdata_lint.pipeline.nouns.consumers import Consumer, Discarded, Misuse, Walk
from tfdata_lint.pipeline.nouns.options import Options
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Cut, Dataset, Stage, tips, upstream
from tfdata_lint.pipeline.nouns.symbols import SymbolUse
from tfdata_lint.pipeline.nouns.values import Constant
from tfdata_lint.pipeline.nouns.work import Work
from tfdata_lint.source.concrete import concrete
from tfdata_lint.source.module import Source

if TYPE_CHECKING:
    import libcst

T = TypeVar("T")

#: What ends the reading of a module, or of a part of it: the steps of the analysis are used up, or those that functions
#: of other modules may take; more modules are imported than are read; the code is nested too deeply,
#: or too long to be parsed as a whole; or its pipelines part and meet so often that not all questions are answered.
Limit = Literal["steps", "steps elsewhere", "modules", "nesting", "size", "questions"]


class Ending(NamedTuple):
    """Where something that may hold a pipeline was not read."""

    row: int
    limit: Limit


#: Cuts in one pipeline behind which nothing is looked at.
_CROSSED = 2


#: What one graph has of another one that sees the same pipelines from elsewhere.
_OF_PIPELINES = (
    "stages", "consumers", "walks", "misuses", "discarded", "bound", "options", "seeds", "called", "ranges",
    "overridden", "others", "is_test", "depends", "beside", "ending", "cuts", "_circles", "_downstream", "_reached",
)  # fmt: skip


class PipelineGraph:
    """Everything recovered from one module or notebook."""

    __slots__ = (
        "_answers", "_circles", "_downstream", "_known", "_reached", "asked", "beside", "bound", "called",
        "consumers", "cuts", "depends", "discarded", "ending", "file", "having_word", "imported", "is_test",
        "located", "misuses", "options", "others", "overridden", "ranges", "seeds", "source", "stages", "tree",
        "used_by", "uses", "walks", "work",
    )  # fmt: skip

    def __init__(
        self,
        file: str,
        source: Source,
        uses: list[SymbolUse] | None = None,
        work: Work | None = None,
        tree: ast.Module | None = None,
    ) -> None:
        self.file = file
        self.source = source
        self.stages: list[Stage] = []
        """All, in source order; one call in two contexts is two stages."""
        self.consumers: list[Consumer] = []
        self.walks: list[Walk] = []
        self.misuses: list[Misuse] = []
        self.discarded: list[Discarded] = []
        self.bound: list[tuple[ast.Name, Dataset]] = []
        """The names that this module gives to datasets, where it does."""
        self.options: list[Options] = []
        """Every `tf.data.Options()` made, and `ds.options()` taken."""
        self.uses: list[SymbolUse] = [] if uses is None else uses
        """Uses of the names that rules ask about (`knowledge.words`)."""
        self.seeds: list[Span] = []
        """Calls of `tf.random.set_seed`, `keras.utils.set_random_seed` and their TF 1 form."""
        self.called: set[str] = set()
        """Qualified names of the functions that this module itself calls."""
        self.ranges: dict[int, int] = {}
        """How many numbers each call of `range` gave last, by the `id` of its node."""
        self.overridden: set[str] = set()
        """The methods of datasets that classes of the project have of their own."""
        self.others: set[int] = set()
        """The attributes that are also asked of objects of the project's own classes, by the `id` of their nodes."""
        self.work: Work = Work() if work is None else work
        """What its pipelines were asked, and may be."""
        self.tree = tree or ast.Module([], [])
        self.is_test = False
        """It is recovered from a file of tests, by its name."""
        self.depends: set[str] = set()
        """Other files that were read."""
        self.beside: list[Source] = []
        """The modules without pipelines of their own whose code it runs."""
        self.asked: Callable[..., tuple[bool, frozenset[str]]] = lambda question, *of: (False, frozenset())
        """A question about the project, and what the answer depends on."""
        self.located: Callable[..., tuple[Source | None, str, frozenset[str]]] = lambda *of: (None, "", frozenset())
        """The module that a full name leads to, seen from another one, what of it is left, and what that depends on."""
        self.imported: Callable[[Source], tuple[list[Source], frozenset[str]]] = lambda source: ([], frozenset())
        """The modules that import one, and what that depends on."""
        self.used_by: Callable[[str], tuple[list[Source], frozenset[str]]] = lambda name: ([], frozenset())
        """The other modules that may use a name of this one, and what that depends on."""
        self.having_word: Callable[[str], tuple[list[Source], frozenset[str]]] = lambda word: ([], frozenset())
        """The other files of the project in which a word stands, and what that depends on."""
        self.ending: Ending | None = None
        """Where it was not read to its end, and why."""
        self.cuts: dict[int, Cut] = {}
        """Where pipelines got too long, by the `id` of what was reached."""
        self._circles: list[Any] = []
        """Scopes and classes whose functions point back to them."""
        self._known: dict[object, Any] = {}
        self._answers: dict[tuple[str, ...], bool] = {}
        self._downstream: dict[int, list[Stage]] = {}
        self._reached: dict[int, list[Consumer]] = {}

    @property
    def _sets_layout(self) -> bool:
        """Is there a model that may be told its layout by a name, which is no use of anything?"""
        return "channels_first" in self.source.text and "data_format" in self.source.text

    @property
    def is_empty(self) -> bool:
        """Nothing was found that a rule could speak about."""
        return not (self.stages or self.uses or self.options or self._sets_layout)

    @property
    def crosses(self) -> bool:
        """Do its pipelines have stages in other files?"""
        return self.once(_crosses)

    @property
    def continued(self) -> frozenset[Span]:
        """The stages in other files that the pipelines of this one go on from."""
        return self.once(_continued) if self.crosses else frozenset()

    @property
    def lost(self) -> frozenset[Span]:
        """The transformations of which the result is thrown away."""
        return self.once(_lost)

    def end(self, row: int, limit: Limit) -> None:
        """Note that something is not read from a row on. The first time counts, unless all that follows is left."""
        if self.ending is None or (limit == "steps" != self.ending.limit):
            self.ending = Ending(row, limit)

    def leave_questions(self) -> None:
        """Note that what is asked of the pipelines is not answered any more."""
        rows = [stage.span.row for stage in self.stages if stage.span.file == self.file]
        self.end(min(rows, default=1), "questions")

    def keep(self, circle: Any) -> None:
        """A scope or class that lives as long as the graph is asked."""
        self._circles.append(circle)

    def seen_from(self, source: Source) -> PipelineGraph:
        """The same pipelines, as a graph of another module; it is to be told whom to ask."""
        view = PipelineGraph(self.file_of(source), source, work=self.work, tree=source.tree or self.tree)
        # A compiled class has no `copy`.
        for part in _OF_PIPELINES:
            setattr(view, part, getattr(self, part))
        return view

    def close(self) -> None:
        """Nobody asks any more: break the circles, so that the memory is free without a collector."""
        while self._circles:
            self._circles.pop().clear()
        for stage in self.stages:
            stage.known.clear()

    def once(self, work: Callable[..., T], *about: Any) -> T:
        """What a question needs of the whole graph, or of a scope, say, worked out the first time that it is asked."""
        question = (work, *about)
        if question not in self._known:
            self._known[question] = work(self, *about)
        known: T = self._known[question]
        return known

    def cst(self, piece: Stage | ast.expr | ast.stmt) -> libcst.CSTNode:
        """The call of a stage, or a node of this file's tree, as LibCST has it, for `libcst.matchers` to judge.

        Raises ValueError where it is not written in this file, or cannot be read.
        """
        node = piece.node if isinstance(piece, Stage) else piece
        is_here = node is not None and (not isinstance(piece, Stage) or piece.span.file == self.file)
        if node is None or not is_here:
            raise ValueError("it is not written in this file")
        return concrete(self.source.text, node)

    def says(self, word: str, *names: str) -> bool:
        """Does the program say a word: this file, but for functions of these names that it has, one that imports it,
        near or far, or one that these import?"""
        return self._answer("says", word, *names)

    def says_anywhere(self, word: str) -> bool:
        """Does any file of the project say it?"""
        return self._answer("says_anywhere", word)

    def is_used_elsewhere(self, name: str) -> bool:
        """May another file of the project use a name of this one?"""
        return self._answer("is_used", name)

    def overrides(self, path: str, cls: str, method: str) -> bool:
        """Does a class that inherits from one in a file have a method of this name of its own?"""
        return self._answer("overrides", path, cls, method)

    def is_shared(self, file: str) -> bool:
        """Does another file of the project than this one import a file?"""
        return self._answer("is_shared", file)

    def is_run_in_loop(self, name: str) -> bool:
        """Does a file of the project that imports this one call a function of this name in each pass of a loop?"""
        return self._answer("is_run_in_loop", name)

    def switches_on(self, option: str) -> bool:
        """May a command, a configuration or a call somewhere in the project switch an option on?"""
        return self._answer("switches_on", option)

    @property
    def is_in_project(self) -> bool:
        """Is it marked where the project of this file begins?"""
        return self._answer("is_in_project")

    @property
    def is_imported(self) -> bool:
        """Does another file of the project import this one?"""
        return self._answer("is_imported")

    def _answer(self, *question: str) -> bool:
        if question not in self._answers:
            self._answers[question], looked_at = self.asked(*question)
            self.depends |= looked_at
        return self._answers[question]

    def locate(self, name: str, source: Source | None = None) -> tuple[Source | None, str]:
        """The module of the project that a full name, or a path, leads to, seen from a module, and the name in it."""
        found, rest, looked_at = self.located(source or self.source, name)
        self.depends |= looked_at
        return found, rest

    def importers(self, source: Source) -> list[Source]:
        """The other modules of the project that import one."""
        found, looked_at = self.imported(source)
        self.depends |= looked_at
        return found

    def using(self, name: str) -> list[Source]:
        """The other modules of the project that may use what this one has by a name."""
        found, looked_at = self.used_by(name)
        self.depends |= looked_at
        return found

    def having(self, word: str) -> list[Source]:
        """The other modules of the project in which a word stands."""
        found, looked_at = self.having_word(word)
        self.depends |= looked_at
        return found

    def source_of(self, file: str) -> Source | None:
        """The module that is a file, as spans name it."""
        return self.source if file == self.file else self.locate(os.path.abspath(file))[0]

    def file_of(self, source: Source) -> str:
        """How spans name a module."""
        if source is self.source:
            return self.file
        return source.path if os.path.isabs(self.file) else os.path.relpath(source.path)

    def users(self, stage: Stage) -> list[Stage]:
        """The stages that have this one as an input, directly or through joins."""
        return self.once(_users).get(id(stage), [])

    def between(self, first: Stage, last: Stage) -> list[Stage]:
        """The stages behind one and before another, on all ways from one to the other."""
        before = {id(stage) for stage in upstream(last) if stage is not last}
        return [stage for stage in self.downstream(first) if id(stage) in before]

    def downstream(self, stage: Stage) -> list[Stage]:
        """All stages that depend on this one, nearest first; of a pipeline that was cut, as far as the second cut."""
        known = self._downstream.get(id(stage))
        if known is not None:
            return known
        found: dict[int, Stage] = {}
        todo = deque([(stage, 0)])
        starts = self.once(_starts)
        while todo:
            origin, crossed = todo.popleft()
            for user in self.users(origin):
                if id(user) not in found:
                    found[id(user)] = user
                    cuts = crossed + (id(user) in starts)
                    if cuts < _CROSSED:
                        todo.append((user, cuts))
        known = self._downstream[id(stage)] = list(found.values())
        return known

    def consumers_of(self, stage: Stage) -> list[Consumer]:
        """The consumers whose dataset has this stage as its last one (on some path)."""
        return self.once(_by_tip).get(id(stage), [])

    def reached(self, stage: Stage) -> list[Consumer]:
        """The consumers that this stage feeds, near or far."""
        known = self._reached.get(id(stage))
        if known is None:
            by_tip, order = self.once(_by_tip), self.once(_order)
            found = {id(c): c for s in (stage, *self.downstream(stage)) for c in by_tip.get(id(s), ())}
            known = sorted(found.values(), key=lambda consumer: order[id(consumer)])
            self._reached[id(stage)] = known
        self.work.spend(len(known))
        return known

    def option(self, stage: Stage, path: str) -> Any:
        """An option's literal value for the pipelines this stage is part of; None when unset, `...` when not known.

        Options merge along the pipeline and the last dataset's decide for the whole of it, so they count wherever
        they are set, before or after the stage.
        """
        values = [s.options[path] for s in [stage, *self.downstream(stage)] if path in s.options]
        if not values:
            return None
        return values[-1].value if isinstance(values[-1], Constant) else ...


def _users(graph: PipelineGraph) -> dict[int, list[Stage]]:
    """The stages that have one as an input, by its `id`."""
    found: dict[int, list[Stage]] = {}
    for user in graph.stages:
        for origin in {id(o): o for dataset in user.inputs for o in tips(dataset)}.values():
            found.setdefault(id(origin), []).append(user)
    for end, start in graph.cuts.values():
        for tip in tips(end):
            found.setdefault(id(tip), []).append(start)
    return found


def _by_tip(graph: PipelineGraph) -> dict[int, list[Consumer]]:
    """The consumers, by the `id` of the last stages of their datasets."""
    found: dict[int, list[Consumer]] = {}
    for consumer in graph.consumers:
        for tip in tips(consumer.dataset):
            found.setdefault(id(tip), []).append(consumer)
    return found


def _order(graph: PipelineGraph) -> dict[int, int]:
    return {id(consumer): number for number, consumer in enumerate(graph.consumers)}


def _starts(graph: PipelineGraph) -> frozenset[int]:
    return frozenset(id(cut.start) for cut in graph.cuts.values())


def _lost(graph: PipelineGraph) -> frozenset[Span]:
    return frozenset(discarded.stage.span for discarded in graph.discarded if not discarded.given)


def _crosses(graph: PipelineGraph) -> bool:
    return any(stage.span.file != graph.file for stage in graph.stages)


def _continued(graph: PipelineGraph) -> frozenset[Span]:
    own = [dataset for stage in graph.stages if stage.span.file == graph.file for dataset in stage.inputs]
    return frozenset(tip.span for dataset in own for tip in tips(dataset) if tip.span.file != graph.file)
