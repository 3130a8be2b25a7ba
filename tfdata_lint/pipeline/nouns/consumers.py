"""What becomes of datasets: they are consumed, walked, discarded or misused."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple

from tfdata_lint.pipeline.knowledge.kinds import ConsumerKind
from tfdata_lint.pipeline.nouns.code import holds, last_name
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import NOWHERE, Argument, Context, Dataset, Iterator, Loop, Stage
from tfdata_lint.pipeline.nouns.values import Value

#: Consumers that pull elements as fast as they can: what waits for the pipeline.
DRIVING: frozenset[str] = frozenset(
    {"for", "iter", "as_numpy_iterator", "as_numpy", "fit", "evaluate", "predict", "validation", "distribute",
     "input_fn", "make_iterator"}
)  # fmt: skip

#: Consumers that hand the dataset on to code that may do anything with it.
LEAVING: frozenset[str] = frozenset({"argument", "return", "stored", "yield"})

#: Consumers that take from an iterator, which is one of its own.
PULLING: frozenset[str] = frozenset({"next", "walk"})

#: The argument of Keras that makes an end of a dataset.
STEPS: Mapping[str, str] = MappingProxyType({
    "fit": "steps_per_epoch", "validation": "validation_steps", "evaluate": "steps", "predict": "steps",
    "adapt": "steps",
})  # fmt: skip


class Consumer:
    """Where a dataset leaves the pipeline: it is iterated, fitted, returned, handed on."""

    __slots__ = (
        "arguments", "context", "dataset", "iterator", "kind", "made_by", "model", "node", "open_arguments",
        "span", "target",
    )  # fmt: skip

    def __init__(
        self,
        kind: ConsumerKind,
        dataset: Dataset,
        span: Span,
        node: ast.AST,
        arguments: Mapping[str, Argument] | None = None,
        open_arguments: bool = False,
        context: Context = NOWHERE,
        iterator: Iterator | None = None,
        made_by: str = "",
        target: str = "",
        model: Value | None = None,
    ) -> None:
        self.kind = kind
        self.dataset = dataset
        self.span = span
        self.node = node
        """The loop, the call or the return statement."""
        self.arguments: Mapping[str, Argument] = {} if arguments is None else arguments
        """Of `fit`, `evaluate`, `predict`: by parameter name."""
        self.open_arguments = open_arguments
        self.context = context
        self.iterator = iterator
        """Behind `iter`, `next` and `walk`."""
        self.made_by = made_by
        """What has made the object whose method `fit` is: `tensorflow.keras.Sequential`; empty if it is not seen."""
        self.model = model
        """That object; `facts/maker.py` says what is known of it."""
        self.target = target
        """Name of the called function or method, as written."""

    @property
    def form(self) -> str:
        """What its elements are: as `Iterator.form`."""
        return self.iterator.form if self.iterator is not None else ""

    @property
    def loop(self) -> ast.AST | None:
        """The loop that takes an element in each pass: the `for` itself, or what is around a `next`."""
        if self.kind in ("for", "walk"):
            return self.node
        return self.loops[-1].node if self.kind == "next" and self.loops else None

    @property
    def loops(self) -> list[Loop]:
        """The loops in each pass of which it runs: a comprehension asks only once for what it walks."""
        return [loop for loop in self.context.loops if not _is_walked(loop.node, self.node)]

    @property
    def is_beside(self) -> bool:
        """Is another consumer what counts: that `next` pulls from? Or does it read nothing, and asks for the types?"""
        return self.kind in PULLING or isinstance(self.node, ast.Attribute)

    def literal(self, parameter: str, default: Any = None) -> Any:
        """As `Stage.literal`."""
        if argument := self.arguments.get(parameter):
            return argument.literal
        return ... if self.open_arguments else default

    def presumed(self, parameter: str, default: Any = None) -> Any:
        """As `Stage.presumed`."""
        argument = self.arguments.get(parameter)
        return argument.presumed if argument else self.literal(parameter, default)

    def has(self, parameter: str) -> bool:
        """As `Stage.has`."""
        return parameter in self.arguments or self.open_arguments


class Misuse(NamedTuple):
    """What no dataset has is asked of one, or a list of datasets, or an iterator, is given where one is taken."""

    kind: Literal["attribute", "item", "iterator", "list"]
    name: str
    """Of the attribute; of the method that is given the list or iterator."""
    dataset: Dataset
    span: Span
    node: ast.AST
    context: Context

    @property
    def used(self) -> ast.AST:
        """What is taken for something else: `ds` in `ds.shape`, `ds[0]` and `next(ds)`."""
        match self.node:
            case ast.Attribute(value=used) | ast.Subscript(value=used) | ast.Call(args=[used, *_]):
                return used
        return self.node


def _is_walked(loop: ast.AST, node: ast.AST) -> bool:
    """Is some code part of what a comprehension walks first?"""
    match loop:
        case ast.ListComp(generators=[first, *_]) | ast.SetComp(generators=[first, *_]):
            return holds(first.iter, node)
        case ast.DictComp(generators=[first, *_]) | ast.GeneratorExp(generators=[first, *_]):
            return holds(first.iter, node)
    return False


class Walk(NamedTuple):
    """A `for` over an iterator that stands for itself, or a call that takes all that is left of it: `list(it)`."""

    iterator: Iterator
    node: ast.AST
    """The loop, the comprehension or the call."""
    span: Span
    context: Context


class Discarded:
    """A transformation, or a function that makes one dataset of another, called as a statement: its result is lost."""

    __slots__ = ("given", "node", "span", "stage")

    def __init__(self, stage: Stage, span: Span, node: ast.Call, given: str = "") -> None:
        self.stage = stage
        """Of a function, the last one that it adds."""
        self.span = span
        """The whole statement."""
        self.node = node
        """The call."""
        self.given = given
        """The name of the dataset that a function is given; empty for a transformation."""

    @property
    def receiver(self) -> str:
        """The name or attribute that the transformation is called on, or that the function is given; empty when it is
        something else."""
        if self.given:
            return self.given
        match self.node:
            case ast.Call(func=ast.Attribute(value=ast.Name() | ast.Attribute() as receiver, attr=name)):
                return ast.unparse(receiver) if name == "apply" or not self.stage.symbol else ""
        return ""

    @property
    def called(self) -> str:
        """`batch`, or `apply(unbatch)`."""
        return f"apply({self.stage.op})" if last_name(self.node) == "apply" else self.stage.op

    @property
    def function(self) -> str:
        """The function that is called."""
        return last_name(self.node)
