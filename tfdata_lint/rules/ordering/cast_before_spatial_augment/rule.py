"""TFD313 cast-before-spatial-augment."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.nouns.code import targets
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import is_only_looked_at
from tfdata_lint.rules.base import Finding, Related, Rule
from tfdata_lint.rules.ordering.cast_before_spatial_augment.images import made_float_early


class CastBeforeSpatialAugment(Rule):
    code = "TFD313"
    name = "cast-before-spatial-augment"
    group = "pedantic"
    summary = "An image becomes floats before it is flipped, cropped or padded: four times the bytes to move"
    triggers = (
        "call:cast call:convert_image_dtype",
        "call:flip_left_right call:flip_up_down call:random_flip_left_right call:random_flip_up_down call:rot90 "
        "call:transpose call:random_crop call:central_crop call:crop_to_bounding_box call:pad_to_bounding_box "
        "call:resize_with_crop_or_pad call:stateless_random_flip_left_right call:stateless_random_flip_up_down "
        "call:stateless_random_crop",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if stage.function is None or stage.context.in_test or is_only_looked_at(graph, [stage]):
                continue
            for early in made_float_early(graph, stage):
                name = _assigned(graph.tree, early.move.node)
                yield self.finding(
                    early.conversion.span,
                    f"{f'`{name}`' if name else 'An image'} becomes float before `{early.moved_by}` moves its pixels",
                    cost=(
                        "Floats take four times the bytes of decoded pixels (measured: up to 1.4 times slower for"
                        " turns, 1.0 to 1.3 for flips and crops)"
                    ),
                    advice=f"Convert after `{early.moved_by}`: the pixels are the same",
                    confidence=stage.confidence,
                    related=(Related(early.move.span, "moves four times the bytes"),),
                )


def _assigned(top: ast.AST | None, node: ast.AST) -> str:
    """The one name that the statement assigns to that a piece of code stands in; empty where it is another one."""
    match targets(top, node):
        case [ast.Name(id=name)]:
            return name
    return ""
