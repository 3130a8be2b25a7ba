"""TFD212 embedded-array."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeGuard

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.kinds import Confidence
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.mapped.uses import ARITHMETIC
from tfdata_lint.pipeline.nouns.consumers import Consumer
from tfdata_lint.pipeline.nouns.elements import outside
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import by_place
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Call, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.structure import Structure, Tensor, bytes_in, leaves
from tfdata_lint.pipeline.nouns.values import Computed, Constant, Expr, External, Sequence, Value, holds_element
from tfdata_lint.rules.base import Finding, Related, Rule

#: Whoever looks up rows by what is in the element has a table of many.
_LOOKING_UP = ("tensorflow.gather", "tensorflow.gather_nd", "tensorflow.nn.embedding_lookup", "tensorflow.slice")
_MAKING_TENSORS = ("tensorflow.constant", "tensorflow.convert_to_tensor")
_LOADING = ("load", "memmap", "loadtxt", "genfromtxt", "to_numpy", "fromfile", "open_memmap")
_KEEPING = ("astype", "reshape", "copy", "array", "asarray", "stack", "concatenate", "vstack", "hstack", "float32")
#: Bytes up to which there is no difference (measured up to 1 MB).
_LEAST = 4_000_000
#: Bytes in a graph that nobody minds.
_LEAST_OF_GRAPHS = 50_000_000


class EmbeddedArray(Rule):
    code = "TFD212"
    name = "embedded-array"
    group = "performance"
    summary = "A mapped function, or a pipeline in a graph, reads a large NumPy array, which becomes a constant of it"
    unmeasured = "What it costs is paid when the pipeline is made and before the first element of each epoch"
    triggers = (
        "call:gather call:gather_nd call:embedding_lookup call:slice call:constant call:convert_to_tensor to:input_fn"
        " to:make_iterator",
    )
    related_comes = "after"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        yield from self._of_sources(graph)
        for stage in graph.stages:
            if stage.function is None or graph.is_test or stage.context.in_test:
                continue
            for call in stage.function.calls:
                if (read := _array_in(call) or _looked_up(call, stage.function)) is None:
                    continue
                yield self.finding(
                    call.span,
                    f"`{plain(call.name).replace('tensorflow', 'tf', 1)}` reads a NumPy array, which becomes a constant"
                    " in the graph of the mapped function",
                    cost="The constant is copied when `map` is called and again at the start of every epoch (measured:"
                    " 50 MB take 2.6 to 8 s each time, 0.03 s as a tensor; up to 1 MB there is no difference)",
                    advice="Make a tensor of the array outside of the function, with `tf.constant`: the function then"
                    " only captures it",
                    confidence=read,
                    related=(Related(stage.span, "maps the function"),),
                )

    def _of_sources(self, graph: PipelineGraph) -> Iterator[Finding]:
        """Where a pipeline is made in a graph, so are the tensors of the arrays that it reads."""
        for stages in by_place(graph.stages, "from_tensor_slices", "from_tensors"):
            reads = [(stage, one) for stage in stages for one in graph.reached(stage) if _is_in_graph(graph, one)]
            sizes = [size for stage, _ in reads if not stage.context.in_test and (size := _bytes_of_arrays(stage))]
            if graph.is_test or not sizes or max(sizes) < _LEAST_OF_GRAPHS:
                continue
            yield self.finding(
                stages[0].span,
                f"`{stages[0].op}` makes constants of the graph of {max(sizes) / 1e6:,.0f} MB of NumPy arrays",
                cost="They are in the graph, in each file that it is written to, and several times in memory; a graph"
                " of more than 2 GB fails",
                advice="Read the data from TFRecord files, or feed the arrays to placeholders of an initializable"
                " iterator",
                related=(Related(reads[0][1].span, "reads it in a graph"),),
            )


def _is_in_graph(graph: PipelineGraph, consumer: Consumer) -> bool:
    return consumer.kind == "input_fn" or (consumer.kind == "make_iterator" and "Session(" in graph.source.text)


def _bytes_of_arrays(stage: Stage) -> int:
    """How many bytes the arrays have that a source is given, as far as that is known."""
    given = stage.arguments.get("tensors")
    parts = leaves(outside().of(given.value)) if given is not None else []
    return sum(bytes_in(Tensor(leaf.dtype, leaf.shape)) or 0 for leaf in parts if _is_array(leaf))


def _is_array(leaf: Structure) -> TypeGuard[Tensor]:
    return isinstance(leaf, Tensor) and leaf.kind == "array"


def _array_in(call: Call) -> Confidence | None:
    """Does a call read an array that is large for sure (`proven`), or looks rows up in one that was loaded?"""
    for value in call.arguments[:2] if plain(call.name).startswith("tensorflow.") else ():
        array = None if holds_element(value) else outside().tensor(value)
        if array is not None and _is_array(array):
            size = bytes_in(Tensor(array.dtype, array.shape))
            if size is not None:
                return "proven" if size >= _LEAST else None
        if plain(call.name) in _LOOKING_UP and _is_loaded(value) and any(map(holds_element, call.arguments)):
            return "likely"
    return None


def _looked_up(call: Call, function: MappedFunction) -> Confidence | None:
    """Does it make a tensor of an array that was loaded, in which the function looks up rows?"""
    if plain(call.name) not in _MAKING_TENSORS or not any(map(_is_loaded, call.arguments[:1])):
        return None
    lookups = [other.arguments for other in function.calls if plain(other.name) in _LOOKING_UP]
    lookups += [operator.expr.of for operator in function.operators if operator.expr.by == "item"]
    is_used = any(isinstance(value, External) and value.call is call.node for given in lookups for value in given[:1])
    return "likely" if is_used else None


@recursive
def _is_loaded(value: Value | None) -> bool:
    """Is it an array that was read from a file, or was a table of pandas?"""
    value = value.expr if isinstance(value, Computed) else value
    match value:
        case Expr(by="attribute", of=(_, Constant("values"))):
            return True
        case Expr(by="item", of=(Expr(by="item", of=(External(symbol="h5py.File"), _)), _)):
            # What is cut from a data set of HDF5.
            return True
        case Expr(by="item", of=(whole, Constant(str()))):
            return _is_loaded(whole)
        case Expr(by=by, of=of) if by in ARITHMETIC or by.startswith("array."):
            return any(map(_is_loaded, of))
        case Sequence(items=items):
            return any(map(_is_loaded, items))
        case External(symbol=symbol) if symbol.startswith(("numpy.", "pandas.")):
            if last(symbol) in _LOADING:
                return True
            return last(symbol) in _KEEPING and any(map(_is_loaded, (value.receiver, *value.arguments)))
    return False
