"""The state of one run over a module, its five steps, and the notes that all parts of the interpreter take.

The recursion of an interpreter is real: statements hold expressions, expressions call functions, functions are
statements. `Run` names the steps; the parts below it call them on the run and import nothing of one another's above.
"""

from __future__ import annotations

import ast
import itertools
import os
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence as Seq
from typing import Any, Literal, NamedTuple

from tfdata_lint.pipeline.interpreter.folding import join_of, one_library
from tfdata_lint.pipeline.interpreter.frames import Arguments, Frame, OutOfFuel, Scope, Unit
from tfdata_lint.pipeline.interpreter.limits import LIMITS, Limits
from tfdata_lint.pipeline.knowledge import operations
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.kinds import ConsumerKind
from tfdata_lint.pipeline.mapped.record import NOBODY, Recorder
from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.consumers import Consumer, Misuse, Walk
from tfdata_lint.pipeline.nouns.fold import either, one_of
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span, is_test_file
from tfdata_lint.pipeline.nouns.stages import (
    Argument,
    Cut,
    Dataset,
    Given,
    Iterator,
    Join,
    JoinBranch,
    MappedFunction,
    PythonFunction,
    Stage,
    tips,
)
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    Alternatives,
    Branch,
    Computed,
    Constant,
    Element,
    Expr,
    External,
    Function,
    Instance,
    Mapping_,
    Sequence,
    Symbol,
    Unknown,
    Value,
    kinds,
    parts_of,
    same,
)
from tfdata_lint.pipeline.nouns.work import Work
from tfdata_lint.pipeline.project.evidence import of_module
from tfdata_lint.pipeline.project.index import span_of, symbol_uses
from tfdata_lint.pipeline.project.modules import Project
from tfdata_lint.pipeline.project.reach import index_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.pipeline.project.users import introduce
from tfdata_lint.source.module import Source

#: Consumers that make an iterator; what is done with it shows what it is for.
ITERATING = ("iter", "as_numpy_iterator", "as_numpy")
#: Consumers that take no elements, or leave that to others.
_NOT_READING = ("iter", "as_numpy_iterator", "as_numpy", "cardinality", "len", "return", "yield", "stored")
_HOLDING = frozenset({Alternatives, Sequence, Mapping_, External})
_UNKNOWN = kinds(Unknown)
#: Libraries with loaders of their own, none of which is a tf.data.Dataset.
_OTHERS = ("torch.", "torchvision.", "jax.", "grain.", "mxnet.", "paddle.")


class Result(NamedTuple):
    """What a function of the project gave for its parameters."""

    given: tuple[Value, ...]
    result: Value
    entered: frozenset[int]
    """The functions that it entered."""


class Described(NamedTuple):
    """What a function does that is given to a stage, and what it returns."""

    function: MappedFunction
    nested: Dataset | None
    """The dataset that it returns."""
    result: Value | None = None
    """What it returns, as `snapshot` leaves it."""
    given: Given | None = None
    captured: tuple[tuple[Scope, str, Value], ...] = ()
    """As `Body.captured`."""


class Run(ABC):
    """One run over one module."""

    def __init__(self, source: Source, project: Project, limits: Limits = LIMITS) -> None:
        index = index_of(source, project)
        for star in index.definitions.stars:
            syntax_of(source).scopes.bring(project.made(star, source.path), star)
        self.project = project
        self.limits = limits
        work = Work(limits.asked)
        self.graph = PipelineGraph(source.path, source, tree=source.tree, uses=symbol_uses(source), work=work)
        self.graph.depends |= index.reads
        introduce(self.graph, project, source)
        self.watch: Callable[[Value, ast.Call], None] | None = None
        """Is told what is called, where somebody asks for it."""
        self.reveal: Callable[[Run, ast.Call], Value] | None = None
        """Tests ask what is known of a value: `reveal_pipeline(x)`, and its like for structures and facts."""
        self.reveals: list[tuple[int, str]] = []
        """What that says, by row."""

        # Where it stands
        self.module = Scope({"__name__": Constant("__main__")})
        self.path = os.path.abspath(source.path)
        self.main = self.module.unit = Unit(source.path, source, index, self.module)
        self.graph.keep(self.module)
        self.go_to(self.main)
        self.graph.is_test = is_test_file(source.path)
        self.frame = Frame(self.module, in_test=self.graph.is_test, evidence=of_module(source, index))
        self.recorder: Recorder = NOBODY
        self.nested_in: Stage | None = None
        """The stage whose mapped function is being run."""
        self.active: list[ast.AST] = []
        """The functions being run, the innermost last."""
        self.nesting, self.max_nesting = 0, limits.nesting
        self.fuel = limits.fuel
        self.fuel_abroad = limits.abroad
        self.row = 1
        """The statement of this module that is being read, outside of what it calls."""
        self.counter = itertools.count()
        self.writes = self.changes = 0
        """Attributes of objects written so far; items, options and names of others changed."""
        self.repeating = 0
        """Loops around this point that run any number of times."""
        self.passes = 1
        """How often this point is read for the loops around it that are walked item by item."""
        self.unsure = False
        """What a comprehension walks may be otherwise than is said of it."""
        self.relied = 0
        """Tests so far whose outcome was known from earlier ones."""

        # Which functions led to which
        self.touched: set[int] = set()
        """Functions that something called or mapped."""
        self.roots: set[int] = set()
        """Functions read by themselves, with unknown parameters."""
        self.entered: dict[int, set[int]] = {}
        """The functions that each such reading (0: the module's body) entered."""
        self.trail: list[int] = []
        """The functions that were entered, in order."""

        # What is known already: of modules by file, of names, of calls, of mapped functions, of nodes, of values
        self.units: dict[str, Unit] = {}
        self.resolved: dict[tuple[str, str], Value | None] = {}
        self.members: dict[tuple[str, str], Value] = {}
        """The names in libraries, by library and name."""
        self.results: dict[tuple[int, tuple[Any, ...]], Result] = {}
        self.pure: dict[tuple[Any, ...], Result] = {}
        """Of those calls that left no trace: whoever calls alike gets the like."""
        self.shapes: dict[tuple[Any, ...], int] = {}
        """What functions see of values that hold others, numbered."""
        self.alone: dict[tuple[int, int], Value | None] = {}
        """The functions that were read by themselves, and with which object."""
        self.described: dict[Any, tuple[Value, Described]] = {}
        self.filling = 0
        """Tables of other modules that are being filled."""
        self.disguised: set[int] = set()
        """Functions behind decorators that may do anything."""
        self.described_python: dict[Any, tuple[Value, PythonFunction]] = {}
        self.joins: dict[int, tuple[Alternatives, Dataset | None]] = {}
        self.generics: dict[object, Instance] = {}
        self.tests: dict[int, tuple[str, tuple[ast.expr, ...]]] = {}
        """The text of a test, and what its outcome depends on."""
        self.assigned: dict[int, tuple[str, ...]] = {}
        """The names that the body of a loop assigns."""
        self.handed: set[int] = set()
        """The `id`s of iterators that code which is not seen may take from."""
        self.identities: dict[int, tuple[int, Value]] = {}
        self.gone: set[tuple[int, int]] = set()
        """The datasets that go on where nothing is seen of them, by the reading that led there and `id`."""
        self.once: dict[int, tuple[Value, Iterator]] = {}
        """What gives its elements once, by the `id` of a `zip`, `map` or generator expression."""

    # ---- the five steps ---------------------------------------------------------------------------------------

    @abstractmethod
    def evaluate(self, node: ast.expr) -> Value:
        """The abstract value of an expression."""

    @abstractmethod
    def block(self, body: Seq[ast.stmt]) -> bool:
        """Execute statements. True when control does not reach their end."""

    @abstractmethod
    def call(self, callee: Value, arguments: Arguments, node: ast.Call) -> Value:
        """Call a value with evaluated arguments."""

    @abstractmethod
    def describe(self, argument: Argument, stage: Stage, parameter: str) -> Described:
        """Run a function given to a stage with elements: what it does, and what it returns."""

    @abstractmethod
    def describe_python(self, function: Value, node: ast.expr) -> PythonFunction:
        """Run a function that runs as Python for every element; nothing of that is in the graph."""

    # ---- where it stands --------------------------------------------------------------------------------------

    def go_to(self, unit: Unit) -> None:
        """From here on the code of this module is read."""
        self.unit = unit
        self.source, self.index = unit.source, unit.index
        self.file, self.lines = unit.path, unit.source.lines
        self.folder = unit.folder

    def spend(self, amount: int = 1) -> None:
        self.fuel -= amount
        if self.fuel < 0:
            raise OutOfFuel

    def enter(self, function: Function) -> None:
        """Note that a function is called or mapped from here."""
        self.touched.add(id(function.node))
        if function.scope.module is self.module:
            self.graph.called.add(function.name)
        self.trail.append(id(function.node))
        self.enter_all((id(function.node),))

    def enter_all(self, functions: Iterable[int]) -> None:
        """The same of functions that were entered before."""
        self.entered.setdefault(self.frame.root, set()).update(functions)

    def identity(self, value: Value) -> str:
        """A text that is the same for the same value only."""
        if isinstance(value, Constant):
            return repr(value.value)
        if isinstance(value, Element):
            value = ELEMENT
        known = self.identities.get(id(value))
        if known is None:
            known = self.identities[id(value)] = (len(self.identities), value)
        return f"#{known[0]}"

    def trace(self) -> tuple[int, ...]:
        """Differs where something was found, written, or decided by what is known of earlier tests."""
        graph = self.graph
        return (
            len(graph.stages), len(graph.consumers), len(graph.walks), len(graph.discarded), len(graph.options),
            len(graph.seeds), len(self.reveals), self.writes, self.changes, self.relied, len(self.roots),
        )  # fmt: skip

    # ---- datasets ---------------------------------------------------------------------------------------------

    def forget(self) -> None:
        """Functions that were read may call another one by the same name from now on."""
        self.results.clear()
        self.pure.clear()
        self.described.clear()
        self.described_python.clear()

    def consume(self, kind: ConsumerKind, dataset: Dataset, node: ast.AST, span: Span, **details: Any) -> Consumer:
        """Note that a dataset leaves the pipeline here."""
        consumer = Consumer(kind, dataset, span, node, context=self.frame.context(), **details)
        self.graph.consumers.append(consumer)
        if kind == "argument":
            self.gone.add((self.frame.root, id(dataset)))
        if self.recorder.on and kind not in _NOT_READING and not isinstance(node, ast.Attribute):
            self.recorder.consumes(dataset, node, span, consumer.iterator if kind == "next" else None)
        return consumer

    def iterator(self, dataset: Dataset, node: ast.AST, span: Span, form: str = "", restarts: bool = False) -> Iterator:
        """A new iterator."""
        iterator = Iterator(dataset, span, node, self.frame.context(), restarts, form)
        self.recorder.made(iterator)
        return iterator

    def gives_once(self, value: Value, dataset: Dataset, node: ast.expr, form: str = "") -> None:
        """Record that `value` is a one-shot iterator over `dataset`."""
        self.once[id(value)] = value, self.iterator(dataset, node, span_of(node, self.file), form)

    def misuse(
        self, kind: Literal["attribute", "item", "iterator", "list"], name: str, dataset: Dataset, node: ast.expr
    ) -> None:
        """Note that something is asked of a dataset that it does not have."""
        span = span_of(node, self.file)
        self.graph.misuses.append(Misuse(kind, name, dataset, span, node, self.frame.context()))

    def walk(self, iterator: Iterator, node: ast.AST, span: Span) -> None:
        """Note that what is left of an iterator is taken here."""
        context = self.frame.context()
        loops = tuple(loop for loop in context.loops if loop.kind != "comprehension")
        self.graph.walks.append(Walk(iterator, node, span, context._replace(loops=loops)))

    def let_go(self, dataset: Dataset) -> Consumer:
        """Note that a dataset goes on where nothing is seen of it."""
        last = next(tips(dataset))
        return self.consume("argument", dataset, last.node or ast.Pass(), last.span)

    def reclassify(self, iterator: Iterator, kind: ConsumerKind) -> None:
        """What was noted where an iterator was made turns out to be of another kind."""
        self.changes += 1
        for consumer in self.graph.consumers:
            if consumer.iterator is iterator and consumer.kind in ITERATING:
                consumer.kind = kind

    def origin(self, op: str, node: ast.expr | ast.arg | None) -> Stage:
        """A dataset that comes from where we do not see."""
        operation = operations.PARAMETER if op == "parameter" else operations.UNRESOLVED
        span = Span(self.file, 1, 0, 1, 0) if node is None else span_of(node, self.file)
        name = node.arg if isinstance(node, ast.arg) else node.id if isinstance(node, ast.Name) else ""
        stage = Stage(op, operation, span, None, context=self.frame.context(), confidence="likely", receiver=name)
        stage.nested_in, stage.work = self.nested_in, self.graph.work
        self.graph.stages.append(stage)
        return stage

    def followed(self, dataset: Dataset, node: ast.expr | None) -> Dataset:
        """A dataset as it goes on: where its pipeline is too long, one of which only the nearest past is seen.

        What is asked of a stage is asked of all before and behind it, so this bounds the work for each of them.
        """
        if dataset.depth < self.limits.pipeline:
            return dataset
        known = self.graph.cuts.get(id(dataset))
        if known is None:
            start = self.origin("unresolved", node)
            start.options, start.confidence = dataset.options, dataset.confidence
            start.span = self.let_go(dataset).span
            known = self.graph.cuts[id(dataset)] = Cut(dataset, start)
        return known.start

    def dataset(self, value: Value | None) -> Dataset | None:
        """The dataset that a value is, if it is one on some path."""
        if not isinstance(value, Alternatives):
            return value if isinstance(value, (Stage, Join)) else None
        known = self.joins.get(id(value))
        if known is not None:
            return known[1]
        result = self._join_of(value)
        self.joins[id(value)] = (value, result)
        return result

    def _join_of(self, value: Alternatives) -> Dataset | None:
        # Another library has loaders of its own, without stages.
        found = [(branch, self.dataset(branch.value)) for branch in value.branches if not _is_other(branch.value)]
        if not [dataset for _, dataset in found if dataset is not None]:
            return None
        branches: list[JoinBranch] = []
        for branch, dataset in found:
            if dataset is None and isinstance(branch.value, (Unknown, External, Iterator)):
                dataset = self.origin("unresolved", None)
                first = next(d for _, d in found if d is not None)
                dataset.span = next(tips(first)).span
            if dataset is not None:
                branches.append(JoinBranch(branch.conditions, self.followed(dataset, None)))
        if len(branches) == 1:
            return branches[0].dataset
        return join_of(tuple(branches), value.loop)

    def datasets_in(self, value: Value | None, seen: dict[int, int] | None = None) -> list[Dataset]:
        """The datasets a value is or holds; given what has been `seen`, those of no container twice."""
        if type(value) not in _HOLDING:
            return [value] if isinstance(value, (Stage, Join)) else []
        return self._datasets_in(value, 0, {} if seen is None else seen, once=2 if seen is None else 0)

    def _datasets_in(self, value: Value | None, depth: int, seen: dict[int, int], once: int) -> list[Dataset]:
        if type(value) not in _HOLDING:
            return [value] if isinstance(value, (Stage, Join)) else []
        if depth > 4:
            return []
        if depth >= once:
            # Containers may be held by many others, each in turn held by many.
            if seen.get(id(value), depth + 1) <= depth:
                return []
            seen[id(value)] = depth
        if isinstance(value, Alternatives):
            dataset = self.dataset(value)
            if dataset is not None:
                return [dataset]
            return [d for branch in value.branches for d in self._datasets_in(branch.value, depth + 1, seen, once)]
        inner: Iterable[Value] = ()
        if isinstance(value, (Sequence, Mapping_)):
            inner = parts_of(value)
        elif isinstance(value, External) and known(value.symbol).role == "walks":
            inner = value.arguments
        found: list[Dataset] = []
        for item in inner:
            found += self._datasets_in(item, depth + 1, seen, once)
        return found

    # ---- values -----------------------------------------------------------------------------------------------

    @property
    def here(self) -> tuple[object, int]:
        """Equal at two points that are reached together: the one is never passed without the other."""
        return self.frame.facts, self.repeating

    def element(self, expr: Expr) -> Element:
        """A tensor that depends on the element, made here."""
        return Element(expr, self.here)

    def join(
        self,
        yes: Seq[Condition],
        a: Value,
        no: Seq[Condition],
        b: Value,
        before: Value | None = None,
        loop: bool = False,
    ) -> Value:
        """One of two values. Chains of elif become one flat choice."""
        if same(a, b):
            return a
        if (library := one_library(a, b)) is not None:
            return library
        if isinstance(a, Unknown) and isinstance(b, Unknown):
            is_known = isinstance(a, Computed) or isinstance(b, Computed)
            return Computed(one_of((a, b), self.tests_in(yes))) if is_known else Unknown()
        if isinstance(a, (Unknown, Element)) and isinstance(b, (Unknown, Element)):
            return either((a, b), self.tests_in(yes))
        branches = [Branch(tuple(yes), a)]
        if isinstance(b, Alternatives) and b is not before and not b.loop and not loop:
            branches += [Branch((*no, *branch.conditions), branch.value) for branch in b.branches]
        else:
            branches.append(Branch(tuple(no), b))
        size = sum([branch.value.size if isinstance(branch.value, Alternatives) else 1 for branch in branches])
        result = Alternatives(tuple(branches), loop, size)
        if size <= self.limits.alternatives:
            return result
        # Too many to tell apart: a dataset stays a join of its pipelines, anything else is unknown.
        return self.dataset(result) or Unknown()

    def tests_in(self, conditions: Iterable[Condition]) -> list[Value]:
        """What those of these conditions ask that a mapped function tests."""
        asked = self.recorder.body.asked
        return [asked[key] for key in dict.fromkeys([condition.key for condition in conditions]) if key in asked]

    def choose(self, alternatives: Alternatives, values: Seq[Value]) -> Value:
        """Alternatives with the same conditions and other values."""
        first = values[0]
        if not [value for value in values if not same(value, first)]:
            return first
        met = set(map(type, values))
        if met <= _UNKNOWN:
            return Unknown()
        if met == {Element}:
            return either(values, self.tests_in(c for branch in alternatives.branches for c in branch.conditions))
        branches = [
            Branch(branch.conditions, value) for branch, value in zip(alternatives.branches, values, strict=True)
        ]
        return Alternatives(tuple(branches), alternatives.loop, alternatives.size)

    def is_dataset_annotation(self, node: ast.expr | None) -> bool:
        """`tf.data.Dataset`, `Optional[tf.data.Dataset]`, `"tf.data.Dataset"`, …"""
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and "ataset" in node.value:
            try:
                node = ast.parse(node.value, mode="eval").body
            except (SyntaxError, ValueError, MemoryError, RecursionError):
                return False
        match node:
            case ast.BinOp(left=left, op=ast.BitOr(), right=right):
                return self.is_dataset_annotation(left) or self.is_dataset_annotation(right)
            case ast.Subscript(value=ast.Name(id="Optional") | ast.Attribute(attr="Optional"), slice=inner):
                return self.is_dataset_annotation(inner)
            case ast.Name() | ast.Attribute():
                value = self.evaluate(node)
                return isinstance(value, Symbol) and operations.is_dataset_class(value.name)
        return False

    # ---- text -------------------------------------------------------------------------------------------------

    def text(self, node: ast.expr) -> str:
        """An expression as written, on one line, shortened."""
        text = self.whole_text(node)
        return text if len(text) <= 60 else text[:57] + "..."

    def whole_text(self, node: ast.expr) -> str:
        """An expression as written, on one line."""
        row = getattr(node, "lineno", 0)
        if row and row == node.end_lineno and row <= len(self.lines):
            line = self.lines[node.lineno - 1]
            if line.isascii():
                return line[node.col_offset : node.end_col_offset]
        return ast.unparse(node).replace("\n", " ")


def _is_other(value: Value) -> bool:
    return isinstance(value, External) and value.symbol.startswith(_OTHERS)
