"""What a finding stands in: digests of its pipelines, which tell whether what was measured is still about them.

A digest is of what runs: operations in their order, their arguments as far as they are known, and what mapped functions
do. Names, comments, layout and the place of the code do not count, nor whether a helper makes a part of it. The digests
do not depend on the version of Python, so that they can be kept in files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

from tfdata_lint.pipeline.nouns import alpha
from tfdata_lint.pipeline.nouns.consumers import DRIVING, Consumer
from tfdata_lint.pipeline.nouns.fold import Fold
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span, Standing
from tfdata_lint.pipeline.nouns.stages import (
    Argument,
    Dataset,
    Given,
    Iterator as Iterated,
    Join,
    MappedFunction,
    PythonFunction,
    Stage,
    upstream,
)
from tfdata_lint.pipeline.nouns.values import (
    Alternatives,
    Constant,
    Expr,
    External,
    Flag,
    Function,
    Instance,
    Mapping_,
    Method,
    Parameter,
    Partial,
    Sequence,
    Slice,
    Symbol,
    Value,
)

#: Says nothing of what is computed.
_NAMING = "name"
_UNKNOWN = "?"
#: Pipelines of a finding that are told apart, and mapped functions inside one another that are looked into.
_MOST = 64
_DEEPEST = 8


def standing(graph: PipelineGraph, span: Span, *related: Span) -> Standing:
    """What a finding at a span, which names the related ones too, stands in."""
    digests = graph.once(Digests)
    stages: list[Stage] = []
    for one in (span, *related):
        if stages := [stage for stage in graph.stages if stage.span == one] or _around(graph, one):
            break
    if not stages:
        at = [consumer for consumer in graph.consumers if _is_in(span, consumer.span) or _is_in(consumer.span, span)]
        found = {digests.pipeline(consumer, None) for consumer in at[:_MOST]}
        return Standing(tuple(sorted(found)), "", _rows(span, at))
    found, consumers = set[str](), list[Consumer]()
    for stage in stages[:_MOST]:
        outer = stage
        while outer.nested_in is not None:
            outer = outer.nested_in
        driving = [consumer for consumer in graph.reached(outer) if consumer.kind in DRIVING]
        consumers += driving
        found.update(digests.pipeline(consumer, stage) for consumer in driving[:_MOST])
        if not driving:
            found.add(digests.words("end", digests.furthest(graph, outer), digests.dataset(stage)))
    return Standing(tuple(sorted(found)), stages[0].op, _rows(span, consumers))


def _around(graph: PipelineGraph, span: Span) -> list[Stage]:
    """The stages in whose call it stands, innermost first; else those whose function it stands in."""
    there = [stage for stage in graph.stages if _is_in(span, stage.span)]
    if there:
        least = min((stage.span.end_row - stage.span.row, stage.span.end_column) for stage in there)
        return [s for s in there if (s.span.end_row - s.span.row, s.span.end_column) == least]
    return [s for s in graph.stages if s.function and s.function.span and _is_in(span, s.function.span)]


def _is_in(inner: Span, outer: Span) -> bool:
    starts = (outer.row, outer.column) <= (inner.row, inner.column)
    ends = (inner.end_row, inner.end_column) <= (outer.end_row, outer.end_column)
    return inner.file == outer.file and starts and ends


def _rows(span: Span, consumers: Iterable[Consumer]) -> tuple[int, ...]:
    return tuple(sorted({consumer.span.row for consumer in consumers if consumer.span.file == span.file})[:_MOST])


class Digests(Fold[str]):
    """The digests of one graph, each worked out once."""

    def __init__(self, graph: PipelineGraph | None = None) -> None:
        super().__init__()
        self._stages: dict[int, str] = {}
        self._functions: dict[int, tuple[MappedFunction, str]] = {}
        self._inside = 0

    def pipeline(self, consumer: Consumer, stage: Stage | None) -> str:
        """Of what a consumer takes, and which of its stages is meant."""
        number = next((n for n, one in enumerate(upstream(consumer.dataset)) if one is stage), -1)
        inner = self.dataset(stage) if stage is not None and number < 0 else ""
        return self.words(consumer.kind, self.dataset(consumer.dataset), str(number), inner)

    def furthest(self, graph: PipelineGraph, stage: Stage) -> str:
        """Of the longest pipelines that a stage is part of."""
        ends = [one for one in graph.downstream(stage) if not graph.users(one)] or [stage]
        return self.words(*sorted(self.dataset(end) for end in ends[:_MOST]))

    def dataset(self, dataset: Dataset) -> str:
        """Of a pipeline up to here. Chains may be longer than Python recurses."""
        todo: list[tuple[Dataset, bool]] = [(dataset, False)]
        while todo:
            one, is_ready = todo.pop()
            if id(one) in self._stages:
                continue
            inputs = [branch.dataset for branch in one.branches] if isinstance(one, Join) else one.inputs
            missing = [before for before in inputs if id(before) not in self._stages]
            if is_ready or not missing:
                known = [self._stages.get(id(before), _UNKNOWN) for before in inputs]
                words = ("join", *known) if isinstance(one, Join) else (*self._stage(one), *known)
                self._stages[id(one)] = self.words(*words)
            else:
                todo += [(one, True), *((before, False) for before in missing)]
        return self._stages[id(dataset)]

    def _stage(self, stage: Stage) -> Iterator[str]:
        yield stage.op
        yield str(len(stage.inputs))
        for name, argument in sorted(stage.arguments.items()):
            is_described = name in stage.operation.functions[:1] and isinstance(argument.value, _CALLED)
            if name != _NAMING and not is_described:
                yield name
                yield self._argument(argument)
        yield from ("more", str(stage.surplus)) if stage.surplus or stage.open_arguments else ()
        for path, value in sorted(stage.options.items()):
            yield path
            yield self.of(value)
        if stage.function is not None:
            yield self._function(stage.function, stage.result)
        if stage.python is not None:
            yield self._python(stage.python)
        if stage.nested is not None and self._inside < _DEEPEST:
            self._inside += 1
            yield self.dataset(stage.nested)
            self._inside -= 1

    def _argument(self, argument: Argument) -> str:
        # AUTOTUNE has several names.
        return self.of(argument.value) if argument.literal is ... else self.of(Constant(argument.literal))

    def _function(self, function: MappedFunction, result: Value | None) -> str:
        """Of what it computes and does: what it is called, and how it is divided into functions, does not count."""
        if id(function) not in self._functions:
            self._functions[id(function)] = function, self.words(*self._of_function(function, result))
        return self._functions[id(function)][1]

    def _of_function(self, function: MappedFunction, result: Value | None) -> Iterator[str]:
        yield self.of(function.result or result)
        for call in function.calls:
            callee = getattr(call.node, "func", None)
            yield call.name or getattr(callee, "attr", "") or getattr(callee, "id", "")
            yield from map(self.of, (*call.positional, call.receiver))
            for name, value in sorted(call.keywords.items()):
                yield name
                yield self.of(value)
            yield from (self._python(call.python),) if call.python else ()
            yield str(call.sometimes)
        for operator in function.operators:
            yield self.of(operator.expr)
            yield str(operator.sometimes)
        for effect in function.effects:
            yield from (effect.kind, effect.what, str(effect.seeded), str(effect.sometimes))
            yield from (self._python(effect.python),) if effect.python else ()
        yield from function.operations
        if not function.resolved or function.is_wrapped:
            # Not all that it does is known; what is written stands for the rest.
            yield from alpha.words(function.node) if function.node is not None else (function.name,)

    def _python(self, python: PythonFunction) -> str:
        return self.words("python", *alpha.words(*python.nodes))

    # ── values ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def expression(self, expr: Expr) -> str:
        named = [word for name, value in sorted(expr.named.items()) for word in (name, self._any(value))]
        return self.words(expr.by, *map(self._any, expr.of), *named)

    def _any(self, value: Any) -> str:
        return self.of(value) if value is None or isinstance(value, Value) else ascii(value)

    def value(self, value: Value | None) -> str:
        match value:
            case Constant(inner):
                return f"{type(inner).__name__} {inner!a}"
            case Flag(default=default) | Parameter(default=default):
                return self.words("default", self.of(default))
            case Symbol(name):
                return name
            case Sequence(kind=kind, items=items, rest=rest):
                return self.words(kind, *map(self.of, items), *([] if rest is None else [self.of(rest)]))
            case Mapping_(held=held, rest=rest):
                pairs = [self.words(ascii(key), self.of(item)) for key, item in held]
                return self.words("dict", *sorted(pairs), *([] if rest is None else [self.of(rest)]))
            case Alternatives(branches=branches):
                return self.words("either", *(self.of(branch.value) for branch in branches))
            case External(symbol=symbol, arguments=arguments, keywords=keywords):
                named = [word for name, given in sorted(keywords.items()) for word in (name, self.of(given))]
                return self.words("made", symbol, *map(self.of, arguments), *named)
            case Slice(lower=lower, upper=upper, step=step):
                return self.words("slice", *map(self.of, (lower, upper, step)))
            case Function(node=node):
                return self.words("function", *alpha.words(node))
            case Partial(function=function, arguments=arguments, keywords=keywords):
                named = [word for name, given in sorted(keywords.items()) for word in (name, self.of(given))]
                return self.words("partial", self.of(function), *map(self.of, arguments), *named)
            case Method(receiver=receiver, name=name):
                return self.words("method", name, self.of(receiver))
            case Given(count=count):
                return f"given {count}"
            case Stage() | Join():
                return self._inner(value)
            case Iterated(dataset=dataset):
                return self.words("iterator", self._inner(dataset))
        return _UNKNOWN

    def _inner(self, dataset: Dataset) -> str:
        if self._inside >= _DEEPEST:
            return _UNKNOWN
        self._inside += 1
        try:
            return self.dataset(dataset)
        finally:
            self._inside -= 1

    def too_deep(self) -> str:
        return "deeper"

    @staticmethod
    def words(*words: str) -> str:
        return hashlib.sha256("\0".join(words).encode("utf-8", "backslashreplace")).hexdigest()[:20]


#: What is given to a stage to be called.
_CALLED = (Function, Partial, Method, Instance, Alternatives)
