"""Draws of a map that are meant to be alike, such as for an image and its mask."""

from __future__ import annotations

import ast
from itertools import combinations
from typing import NamedTuple

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Effect, Stage, upstream

#: These draw from a state that calls share.
_SHARING = ("random", "generator", "random_layer")


class Pair(NamedTuple):
    """Two draws that are alike, such as for an image and its mask, as long as calls follow one another."""

    effect: Effect
    other: Span
    is_zipped: bool
    """The other draw is made by another map, which a `zip` puts beside this one."""


def paired_draw(graph: PipelineGraph, stage: Stage) -> Pair | None:
    """The draws of a map, with a seed, that have to stay alike."""
    draws = _seeded_draws(stage)
    for one, other in combinations(draws, 2):
        if _are_alike(one, other) and _are_for_two(one, other):
            return Pair(one, other.span, False)
    zips = [user for user in graph.downstream(stage) if user.op == "zip"] if draws else []
    for side in (list(upstream(origin)) for user in zips for origin in user.inputs):
        for mate in side if stage not in side else ():
            alike = (one for one in draws for other in _seeded_draws(mate) if _are_alike(one, other))
            if (found := next(alike, None)) is not None:
                return Pair(found, mate.span, True)
    return None


def _seeded_draws(stage: Stage) -> list[Effect]:
    effects = stage.function.effects if stage.op == "map" and stage.function is not None else ()
    return [effect for effect in effects if effect.kind in _SHARING and effect.seeded]


def _are_alike(one: Effect, other: Effect) -> bool:
    """Do two calls draw from the same operation, with the same seed if they are given one?"""
    return one.what == other.what and _seed(one) == _seed(other)


def _seed(effect: Effect) -> list[str]:
    words = effect.node.keywords if isinstance(effect.node, ast.Call) else []
    return [ast.dump(word.value) for word in words if word.arg == "seed"]


def _are_for_two(one: Effect, other: Effect) -> bool:
    """Are two calls given something else, such as an image and its mask?"""
    given = [effect.node.args[:1] for effect in (one, other) if isinstance(effect.node, ast.Call)]
    return len(given) == 2 and all(given) and ast.dump(given[0][0]) != ast.dump(given[1][0])
