"""What a graph has that may call for a rule. Rules name these words in their `triggers`:

- `map`, `TFRecordDataset`, `parameter`: stages with this operation
- `to:fit`, `to:for`, `to:register_dataset`: consumers of this kind, or whose call has this name
- `given:seed`: something is given this argument, a stage or a consumer
- `batches`, `shuffles`, `reads`, `endless`: stages that do this or are this, or may be, by their operation
- `loop`: stages or consumers that stand in a loop
- `call:decode_jpeg`: calls in mapped functions, by the last part of their names
- `effect:random`, `fails`: what mapped functions do besides computing; one that fails while it is traced
- `cost:heavy`, `parses`: what mapped functions cost; some parse examples by the names of features
- `use:AUTOTUNE`, `use:tensorflow.data.experimental`: watched names, by their last part, and by what is before
- `use:.`: attributes of which only the name is watched
- `bound` (to a name), `discarded`, `misuse`, `options`, `walk`: the graph has some
- `text:decode_`: a part of the text of the file itself
"""

from __future__ import annotations

from collections.abc import Iterator

from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Dataset, Join, MappedFunction, Stage


def signs_of(graph: PipelineGraph) -> frozenset[str]:
    """All words but those about the text."""
    found: set[str] = set()
    given: set[str] = set()
    functions: dict[int, MappedFunction] = {}
    for stage in _stages(graph):
        found.add(stage.op)
        found.update(_of_operation(stage))
        given.update(stage.arguments)
        if stage.context.loops:
            found.add("loop")
        if stage.function is not None:
            functions[id(stage.function)] = stage.function
    for function in functions.values():
        found.update(_of_function(function))
    for consumer in graph.consumers:
        found.update((f"to:{consumer.kind}", f"to:{consumer.target}"))
        given.update(consumer.arguments)
        if consumer.context.loops:
            found.add("loop")
    for use in graph.uses:
        before, _, last = use.name.rpartition(".")
        found.update((f"use:{'.' if use.name.startswith('.') else before}", f"use:{last}"))
    found.update(f"given:{name}" for name in given)
    lists = {
        "bound": graph.bound, "discarded": graph.discarded, "misuse": graph.misuses, "options": graph.options,
        "walk": graph.walks,
    }  # fmt: skip
    found.update(name for name, held in lists.items() if held)
    return frozenset(found)


def _of_operation(stage: Stage) -> Iterator[str]:
    operation = stage.operation
    if operation.batches or (not stage.inputs and "batch_size" in stage.arguments):
        yield "batches"
    if operation.shuffles:
        yield "shuffles"
    if operation.reads or (stage.function is not None and stage.function.reads_files):
        yield "reads"
    if operation.endless or (stage.python is not None and stage.python.is_endless):
        yield "endless"


def _of_function(function: MappedFunction) -> Iterator[str]:
    yield f"cost:{function.cost}"
    if function.parsed:
        yield "parses"
    for effect in function.effects:
        yield f"effect:{effect.kind}"
        if effect.fails:
            yield "fails"
    for name in {*function.operations, *(call.name for call in function.calls)}:
        yield f"call:{name.rpartition('.')[2]}"


def _stages(graph: PipelineGraph) -> Iterator[Stage]:
    """The stages of a graph, and those that they go on from or have in their functions, each once.

    Nothing is spent: what is not asked must not cost those who are.
    """
    todo: list[Dataset] = [*graph.stages, *(consumer.dataset for consumer in graph.consumers)]
    todo += [walk.iterator.dataset for walk in graph.walks] + [misuse.dataset for misuse in graph.misuses]
    todo += [discarded.stage for discarded in graph.discarded]
    seen: set[int] = set()
    while todo:
        dataset = todo.pop()
        if id(dataset) in seen:
            continue
        seen.add(id(dataset))
        if isinstance(dataset, Join):
            todo += [branch.dataset for branch in dataset.branches]
            continue
        todo += dataset.inputs
        if dataset.nested is not None:
            todo.append(dataset.nested)
        yield dataset
