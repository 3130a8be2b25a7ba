"""What running a stage observes or changes besides its elements, and whether code around it meets its files."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterable, Iterator
from itertools import combinations
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.nouns.code import names
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.errors import is_kept, may_leave
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.questions import inside
from tfdata_lint.pipeline.nouns.stages import Effect, Stage, upstream
from tfdata_lint.source.trees import Cells, walk

#: These draw, beside what shuffles.
_DRAWING = ("random", "sample_from_datasets", "rejection_resample")
#: These draw from a state that calls share.
_SHARING = ("random", "generator", "random_layer")
#: Consumers that run other code for each element.
_CALLING = ("argument", "comprehension", "list")
#: Sources that have their elements in memory.
_FROM_MEMORY = frozenset(
    {"counter", "from_generator", "from_list", "from_sparse_tensor_slices", "from_tensor_slices", "from_tensors",
     "random", "range", "timeseries_dataset_from_array"}
)  # fmt: skip
#: What runs code beside the code that is read.
_BESIDE = r"\b(?:threading|Thread|Timer|concurrent|multiprocessing|asyncio|signal|sched|subprocess|atexit|settrace)\b"
#: Keras layers that keep what they were adapted to; all other layers and models may be trained.
_ADAPTED = r"(^|\.)(TextVectorization|\w+Lookup|Discretization|Normalization|CategoryEncoding|Hash\w+)(\(\))?$"


def is_adapted(effect: Effect) -> bool:
    """Is it a Keras layer that nothing changes any more?"""
    return re.search(_ADAPTED, effect.what) is not None


def effects_of(graph: PipelineGraph, stage: Stage) -> Iterator[Effect | None]:
    """What running a stage observes or changes besides its elements, its nested pipelines included.

    None where something is not known. What other files hand to functions of this one may be a variable where some file
    assigns variables.
    """
    yield from effects_seen(stage)
    for part in (stage, *inside(stage)):
        function = part.function
        if function is not None and function.unseen and graph.is_imported and graph.is_written("assign"):
            yield Effect("variable_read", function.unseen, part.span, is_guess=True)
        if shared := _written_into(graph, part):
            yield Effect("variable_read", shared, part.span, is_guess=True)


def _written_into(graph: PipelineGraph, part: Stage) -> str:
    """A table that a source is made of and that is written to, as `table.loc[…] = …`: both may share its memory."""
    argument = part.arguments.get("tensors") if part.op in ("from_tensor_slices", "from_tensors") else None
    for name in sorted(names(argument.node)) if argument is not None else ():
        if re.search(rf"\b{re.escape(name)}(?:\.\w+)+\[[^\n]*\]\s*[-+*/]?=(?!=)", graph.source.text):
            return name
    return ""


def effects_seen(stage: Stage, own: Collection[int] = ()) -> Iterator[Effect | None]:
    """As far as it is seen. `own`: stages of elements, by `id`."""
    for part in (stage, *inside(stage)):
        if part.is_opaque:
            if id(part) not in own:
                yield None
            continue
        if part.operation.functions:
            effects = part.function.effects if part.function is not None else ()
            yield from effects
            if part.function is None or not part.function.resolved or any(effect.is_guess for effect in effects):
                yield None
        if any(other.acts or not other.is_known for other in part.further):
            yield None
        if part.op == "from_generator":
            yield Effect("from_generator", part.op, part.span, node=part.node, python=part.python)
        elif part.op in _DRAWING or part.may_shuffle:
            yield Effect("shuffle", part.op, part.span, node=part.node)


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


def meets_written(graph: PipelineGraph, stage: Stage, consumers: Iterable[Consumer], epochs: bool = False) -> bool:
    """May a stage read files that the loops behind it write, or those around these, where other epochs count?"""
    if not _reads_files_itself(stage):
        return False
    consumers = list(consumers)
    # Models alone read what callbacks save; Python code may look for it.
    if any(consumer.has("callbacks") for consumer in consumers) and any(map(_reads_in_python, (stage, *inside(stage)))):
        return True
    return _writes_between(graph, consumers, epochs)


def meets_looked_for(graph: PipelineGraph, stage: Stage, consumers: Iterable[Consumer]) -> bool:
    """May the loops behind a stage that keeps its elements in files look for these?"""
    keeps = stage.op == "snapshot" or (stage.op == "cache" and stage.has("filename"))
    return keeps and _writes_between(graph, consumers, looks=True)


def _writes_between(
    graph: PipelineGraph, consumers: Iterable[Consumer], epochs: bool = False, looks: bool = False
) -> bool:
    """May what runs between two elements, or two epochs, write files, or look for some?"""
    # Few pipelines read what a program writes, or keep what they read.
    from tfdata_lint.pipeline.mapped.writing import may_write, may_write_between, may_write_elsewhere

    consumers = list(consumers)
    return (
        any(may_write(graph, code, looks) for code in _run_between(graph, consumers, epochs))
        or any(may_write_between(graph, consumer.node, looks) for consumer in consumers)
        or (may_leave(graph, consumers) and may_write_elsewhere(graph, looks))
    )


def _run_between(graph: PipelineGraph, consumers: Iterable[Consumer], epochs: bool = False) -> list[ast.AST]:
    """The code that runs between two elements, or between two epochs."""
    code: list[ast.AST] = []
    for consumer in consumers:
        loop = consumer.loop
        gives = loop is not None and any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk(loop))
        # A session runs what TensorFlow 1 makes of an iterator.
        if gives or (consumer.kind != "make_iterator" and is_kept(graph, consumer)):
            code += _from_here(graph, consumer)
        elif loop is not None:
            code.append(loop)
        elif consumer.kind in _CALLING:
            code.append(consumer.node)
        code += [loop.node for loop in consumer.context.loops if epochs]
        if graph.tree is not None and graph.once(_runs_beside):
            code.append(graph.tree)
    return list({id(node): node for node in code}.values())


def _runs_beside(graph: PipelineGraph) -> bool:
    return re.search(_BESIDE, graph.source.text) is not None


def _from_here(graph: PipelineGraph, consumer: Consumer) -> list[ast.AST]:
    """Whatever may come between, where elements are asked for now and then: at the module's level what comes later."""
    if graph.tree is None:
        return []
    made = consumer.iterator or consumer
    if made.context.definition or made.span.file != graph.file or isinstance(graph.tree, Cells):
        return [graph.tree]
    around = [loop.node for loop in made.context.loops]
    later = [statement for statement in graph.tree.body if (statement.end_lineno or 0) >= made.span.row]
    return [*around, *later]


def _reads_files_itself(stage: Stage) -> bool:
    return any(map(_reads_a_file, (stage, *inside(stage))))


def _reads_a_file(part: Stage) -> bool:
    """May a stage read files by itself? What tfds has prepared nobody else writes; of what is not seen others ask."""
    if part.is_opaque:
        return False
    if part.operation.reads or (not part.inputs and part.op not in _FROM_MEMORY and not part.op.startswith("tfds.")):
        return True
    function = part.function
    if function is not None and (
        function.reads_files or any(known(name).cost == "read" for name in function.operations)
    ):
        return True
    return _reads_in_python(part)


def _reads_in_python(part: Stage) -> bool:
    effects = part.function.effects if part.function is not None else ()
    run = [part.python, *(effect.python for effect in effects if effect.kind == "py_function")]
    return any(python is not None and python.reads_files for python in run)
