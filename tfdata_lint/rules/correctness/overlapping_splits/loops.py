"""Loops that train, and loops that score what was trained."""

from __future__ import annotations

import ast
import re

from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.loops import walked
from tfdata_lint.pipeline.nouns.purposes import purpose_of_loop
from tfdata_lint.pipeline.project.bindings import COMPREHENSIONS

_LOOPS = (ast.For, ast.AsyncFor, *COMPREHENSIONS)
_SCORES = r"(?i)test|val|hold|held|check(?!point)|(?<![a-z])dev(?![a-z])"


def loops_of(graph: PipelineGraph) -> tuple[list[Consumer], list[Consumer]]:
    """The datasets of loops that train, and of those that score and are said to read other data."""
    trained: list[Consumer] = []
    scored: list[Consumer] = []
    for consumer in graph.consumers:
        loop = _loop_of(consumer)
        purpose = graph.once(purpose_of_loop, loop) if loop is not None and not consumer.context.in_test else None
        said = f"{given_to(consumer)} {consumer.context.definition.rpartition('.')[2]}"
        if purpose is not None and purpose.kind == "training" and not is_said_to_score(said):
            trained.append(consumer)
        elif purpose is not None and purpose.kind == "evaluation" and is_said_to_score(said):
            scored.append(consumer)
    return trained, scored


def are_of_one_program(one: Consumer, other: Consumer) -> bool:
    """Do two loops stand in one function, or in one loop over epochs?"""
    here, there = one.context, other.context
    if here.definition == there.definition:
        return here.root == there.root
    own = {id(loop.node) for loop in here.loops} - {id(_loop_of(one))}
    return any(id(loop.node) in own for loop in there.loops)


def given_to(consumer: Consumer) -> str:
    """What a consumer is given, or a loop walks, as written."""
    if "validation_data" in consumer.arguments and consumer.kind == "validation":
        return consumer.arguments["validation_data"].written
    loop = _loop_of(consumer)
    if loop is not None:
        return ast.unparse(walked(loop))
    return next((argument.written for argument in consumer.arguments.values()), "")


def is_said_to_score(name: str) -> bool:
    """Is it said to be other data than that of the training?"""
    return re.search(_SCORES, name) is not None


def _loop_of(consumer: Consumer) -> ast.AST | None:
    """The loop that takes elements, be it of what reads a dataset as arrays elsewhere."""
    if isinstance(consumer.node, _LOOPS):
        return consumer.node
    around = consumer.context.loops
    is_read = consumer.target == "as_numpy_iterator" and bool(around) and isinstance(around[-1].node, COMPREHENSIONS)
    return around[-1].node if is_read else None
