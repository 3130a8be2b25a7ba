"""What hangs on a random draw, and on which."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from typing import Any, NamedTuple

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.kinds import Doing
from tfdata_lint.pipeline.knowledge.names import displayed, last
from tfdata_lint.pipeline.mapped.effects import is_seeded_layer, made_kind
from tfdata_lint.pipeline.mapped.footprint import footprint
from tfdata_lint.pipeline.nouns.digests import Digests
from tfdata_lint.pipeline.nouns.fold import Gathered
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import inside
from tfdata_lint.pipeline.nouns.stages import Effect, Stage
from tfdata_lint.pipeline.nouns.values import Constant, Expr, External, Value

#: What draws; `python_random` once, while a function is traced.
DRAWING: tuple[Doing, ...] = ("random", "stateless_random", "generator", "random_layer", "python_random")
#: What draws anew each time that it runs.
_ANEW = ("random", "generator", "random_layer")


class Draw(NamedTuple):
    """One draw. Two that are equal give the same."""

    what: str
    """What is called, as the field writes it."""
    kind: Doing
    seed: str
    """A digest of its seed; empty without one."""
    value: Value | None
    """What it gives; None where the seed alone decides that."""

    node: ast.AST | None
    """The call."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Draw) and self[:4] == other[:4]

    def __hash__(self) -> int:
        return hash(self[:4])


class Draws(Gathered):
    """The draws on which a value hangs: those that it is made of, and those that decide which value it is."""

    def __init__(self) -> None:
        super().__init__()
        self.seeds = Digests()

    def expression(self, expr: Expr) -> frozenset[Any]:
        return frozenset() if expr.by == "parameter" else self.own(expr) | super().expression(expr)

    def value(self, value: Value | None) -> frozenset[Any]:
        found = super().value(value)
        return self.own(value) | found if isinstance(value, External) else found

    def own(self, value: Expr | External) -> frozenset[Draw]:
        """What the call draws that gives a value."""
        name, positional, named, node = (
            (value.by, value.of, value.named, value.node)
            if isinstance(value, Expr)
            else (value.symbol, value.arguments, value.keywords, value.call)
        )
        row = known(name)
        kind, layer = row.effect, ""
        if name.endswith("()") and positional:
            kind, layer = _of_layer(positional[0], kind)
        if kind not in DRAWING or named.get("training") == Constant(False):
            return frozenset()
        seed = named.get("seed") or (positional[row.seed] if 0 <= row.seed < len(positional) else None)
        given = layer if seed is None or seed == Constant(None) else self.seeds.of(seed)
        return frozenset({Draw(displayed(name.removesuffix("()")), kind, given, None if given else value, node)})


def choice(expr: Expr) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    """What decides which of several an expression is, and those."""
    if expr.by == "either":
        return tuple(expr.named.values()), expr.of
    return (expr.of[:1], expr.of[1:]) if last(expr.by) == "where" else ((), ())


def _of_layer(made: Value, kind: Doing) -> tuple[Doing, str]:
    """What a layer or model does, and a word where it has a seed, or may have."""
    if not isinstance(made, External) or kind not in ("pure", "random_layer", "stateful_layer"):
        return kind, ""
    return made_kind(made, kind), "seed" if is_seeded_layer(made) else ""


def drawn(stage: Stage) -> Iterator[Effect]:
    """What the functions of a stage, and of the pipeline inside it, draw anew each time that they run."""
    for part in (stage, *inside(stage)):
        # What a generator draws may be all that its data is.
        if part.python is not None and part.python.draws and part.python.heavy:
            yield Effect("from_generator", part.python.draws, part.span, node=part.node, python=part.python)
        for effect in part.function.effects if part.function is not None else ():
            if effect.kind in _ANEW:
                yield effect
            elif effect.python is not None and effect.python.draws:
                yield effect._replace(what=effect.python.draws)


def repeats(graph: PipelineGraph, stage: Stage) -> bool:
    """Does a stage give the same for the same element whenever it runs, for all that is known?"""
    return all(is_pure_python(effect) for effect in footprint(graph, stage))


def is_pure_python(effect: Effect) -> bool:
    """Is it a function that runs as Python, and does nothing but compute?"""
    python = effect.python
    return python is not None and python.is_known and not python.acts and python.drains is None
