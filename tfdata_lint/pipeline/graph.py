"""The nouns of a recovered pipeline: stages, joins, consumers, mapped functions, and the graph that holds them.

Nothing here decides anything; it is walked and asked. Rules read nothing else.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator as Iter, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias

from tfdata_lint.pipeline.operations import Operation
from tfdata_lint.pipeline.values import Condition, Constant, Facts, Options, Symbol, Value

if TYPE_CHECKING:
    from tfdata_lint.pipeline.syntax import Syntax
    from tfdata_lint.source.module import Source

Confidence = Literal["proven", "likely"]
Cost = Literal["trivial", "light", "heavy", "unknown"]

#: Above this many ways through the conditions a pipeline is not enumerated further (`Paths.complete` is false).
MAX_PATHS = 64

AUTOTUNE = -1


class Span(NamedTuple):
    """A range of a file. Rows count from 1, columns from 0 in UTF-8 bytes, as `ast` has them."""

    file: str
    row: int
    column: int
    end_row: int
    end_column: int


class Loop(NamedTuple):
    """A loop of the source: `for`, `while` or `comprehension`; `over` is the dataset it walks, if it walks one."""

    kind: Literal["for", "while", "comprehension"]
    node: ast.AST
    span: Span
    over: Dataset | None = None


class Argument(NamedTuple):
    """One argument of a stage or consumer, as written and as understood."""

    node: ast.expr
    value: Value

    @property
    def literal(self) -> Any:
        """The Python value, or `...` when it is not known. `tf.data.AUTOTUNE` is -1."""
        match self.value:
            case Constant(value):
                return value
            case Symbol(name) if name.endswith(".AUTOTUNE"):
                return AUTOTUNE
        return ...


class Context(NamedTuple):
    """Where a stage or consumer stands."""

    definition: str = ""
    """Qualified name of the enclosing function; empty at module level."""
    conditions: tuple[Condition, ...] = ()
    loops: tuple[Loop, ...] = ()
    """Innermost last, through the calls of project functions that led here."""
    in_tf_function: bool = False
    in_strategy_scope: bool = False
    guards: tuple[Condition, ...] = ()
    """Tests around it whose outcome is known, from a constant argument of this call, say; without keys."""
    in_test: bool = False
    """Inside a function or class that a test runner would collect, or a test file."""
    root: int = 0
    """Which reading of a function led here: `id` of the function read by itself, 0 from the module's body."""


EffectKind = Literal[
    "random",  # tf.random.*, tf.image.random_*: stateful, `seeded` says whether an op seed is given
    "stateless_random",  # tf.random.stateless_*, tf.image.stateless_*
    "generator",  # tf.random.Generator methods
    "random_layer",  # Keras random layers
    "python_random",  # random.*, np.random.*, time.*, uuid.*, datetime.now: once, at tracing
    "side_effect",  # print, append, logging of element values, global/nonlocal/attribute mutation: once, at tracing
    "eager_only",  # .numpy(), open(x), cv2/PIL on the element
    "py_function",  # tf.py_function, tf.numpy_function, tf.compat.v1.py_func
    "variable_read",
    "variable_assign",
    "lookup",  # StaticHashTable.lookup and friends
    "tf_print",
    "stateful_layer",  # Keras layers that hold variables or tables
]


class Effect(NamedTuple):
    """Something a mapped function does besides computing from its element."""

    kind: EffectKind
    what: str
    """The call as the field writes it: `tf.image.random_flip_left_right`."""
    span: Span
    seeded: bool = False
    node: ast.AST | None = None
    wrapped: ast.AST | None = None
    """The Python function under `py_function`/`numpy_function`, when it is seen."""


BatchSafety = Literal[
    "elementwise",  # bit-equal on a batch, any rank: the swap is proven
    "approximate",  # equal to float rounding (exp, sigmoid, …)
    "parse",  # exactly one parse_single_example: becomes parse_example
    "shape-bound",  # bit-equal when all elements have one shape (image ops that accept batches)
    "unsafe",
    "unknown",
]


class MappedFunction(NamedTuple):
    """What a function given to `map`, `filter`, `interleave`, … does."""

    name: str
    """Its name; `lambda` for a lambda."""
    span: Span | None
    node: ast.AST | None
    resolved: bool
    """Every call in it, and in the project functions it calls, is known."""
    effects: tuple[Effect, ...] = ()
    operations: tuple[str, ...] = ()
    """Full names of the library calls it makes, in order, helpers included."""
    cost: Cost = "unknown"
    heavy: str = ""
    """The most expensive call, as the field writes it, when `cost` is heavy."""
    batch_safety: BatchSafety = "unknown"
    batch_reason: str = ""
    """Why not, in a few words."""
    reads_files: bool = False
    """It builds a dataset over record or text files (the usual function of `interleave`)."""

    def has(self, *kinds: EffectKind) -> Effect | None:
        """The first effect of one of these kinds."""
        return next((effect for effect in self.effects if effect.kind in kinds), None)

    @property
    def is_random(self) -> bool:
        return self.has("random", "stateless_random", "generator", "random_layer") is not None

    @property
    def stateful(self) -> Effect | None:
        """Why the runtime will not parallelise it by itself (observed on 2.12 to 2.21), if that is known."""
        return self.has(
            "random", "generator", "random_layer", "py_function", "variable_read", "variable_assign", "lookup",
            "tf_print", "stateful_layer",
        )  # fmt: skip

    @property
    def is_stateless(self) -> bool:
        """Known for sure: everything in it is known and nothing is stateful."""
        return self.resolved and self.stateful is None


@dataclass(slots=True, eq=False)
class Stage(Value):
    """One operation of a pipeline at one place of the source, in one calling context."""

    op: str
    """Its name in `operations.py`: `map`, `TFRecordDataset`; `parameter` and `unresolved` for unseen origins."""
    operation: Operation
    span: Span
    """From the operation's name to its closing parenthesis."""
    node: ast.expr | None
    """The whole call (its receiver chain included); None for a parameter."""
    inputs: tuple[Dataset, ...] = ()
    """The receiver first; then the other datasets of `zip`, `concatenate`, `sample_from_datasets`."""
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    """By parameter name. Not to be trusted to be complete when `open_arguments`."""
    open_arguments: bool = False
    """The call has `*args` or `**kwargs` whose content is not known."""
    function: MappedFunction | None = None
    nested: Dataset | None = None
    """The pipeline that the mapped function of `interleave`, `flat_map`, … returns."""
    nested_in: Stage | None = None
    """The stage whose mapped function this one is part of."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """Options in force here, merged from upstream: dotted path to value."""
    context: Context = Context()
    confidence: Confidence = "proven"
    receiver: str = ""
    """The receiver's name when it is a plain variable or attribute: `dataset`, `self.ds`."""
    symbol: str = ""
    """The full name it was called by, when it is a function of a module: `tensorflow.data.TFRecordDataset`."""

    def __repr__(self) -> str:
        return f"<{self.op} at {self.span.row}>"

    def literal(self, parameter: str, default: Any = None) -> Any:
        """The Python value of an argument; `default` when absent; `...` when not known. AUTOTUNE is -1."""
        if argument := self.arguments.get(parameter):
            return argument.literal
        return ... if self.open_arguments else default

    def has(self, parameter: str) -> bool:
        """Is the argument given, or might it be (`**kwargs`)?"""
        return parameter in self.arguments or self.open_arguments

    @property
    def is_opaque(self) -> bool:
        """An origin that is not seen: what lies upstream of it is not known."""
        return self.op in ("parameter", "unresolved")

    @property
    def parallelism(self) -> Any:
        """`num_parallel_calls` (or `num_parallel_reads`): None, an int, AUTOTUNE (-1), or `...` when not known."""
        return self.literal("num_parallel_reads" if "num_parallel_reads" in self.arguments else "num_parallel_calls")

    @property
    def is_parallel(self) -> bool:
        """Asked to run in parallel, or possibly (an argument that is not known)."""
        return self.parallelism is ... or self.parallelism not in (None, 0, 1)


class JoinBranch(NamedTuple):
    conditions: tuple[Condition, ...]
    dataset: Dataset


@dataclass(slots=True, eq=False)
class Join(Value):
    """The meeting of several pipelines after a branch or loop: one of them is the dataset."""

    branches: tuple[JoinBranch, ...]
    loop: bool = False
    """First branch: before the loop; second: after a pass through it."""
    options: Mapping[str, Value] = field(default_factory=dict)
    """As `Stage.options`: those on which all branches agree; unknown where they differ."""
    confidence: Confidence = "proven"
    """`likely` when some branch is."""


Dataset: TypeAlias = Stage | Join


ConsumerKind = Literal[
    "for",  # for x in ds, also through enumerate/zip/tqdm
    "comprehension",
    "iter",
    "next",  # next(iterator), `iterator` says which
    "as_numpy_iterator",
    "as_numpy",  # tfds.as_numpy
    "fit", "evaluate", "predict", "adapt", "train_on_batch",
    "validation",  # fit(validation_data=…)
    "distribute",
    "input_fn",  # returned to an Estimator
    "make_iterator",  # TF 1 make_one_shot_iterator, make_initializable_iterator
    "reduce", "save", "get_single_element", "list", "len", "cardinality",
    "inspection",  # element_spec, take(small k) in a print or plot, next(iter(ds)) outside loops
    "return", "yield",
    "argument",  # handed to code that is not seen
    "stored",  # kept in an attribute or container that is not followed
]  # fmt: skip

#: Consumers that pull elements as fast as they can: what waits for the pipeline.
DRIVING: frozenset[str] = frozenset(
    {"for", "iter", "as_numpy_iterator", "as_numpy", "fit", "evaluate", "predict", "validation", "distribute",
     "input_fn", "make_iterator"}
)  # fmt: skip


@dataclass(slots=True, eq=False)
class Consumer:
    """Where a dataset leaves the pipeline: it is iterated, fitted, returned, handed on."""

    kind: ConsumerKind
    dataset: Dataset
    span: Span
    node: ast.AST
    """The loop, the call or the return statement."""
    arguments: Mapping[str, Argument] = field(default_factory=dict)
    """Of `fit`, `evaluate`, `predict`: by parameter name."""
    open_arguments: bool = False
    context: Context = Context()
    iterator: Any = None
    """The `values.Iterator` behind `iter` and `next`."""
    target: str = ""
    """Name of the called function or method, as written."""

    def literal(self, parameter: str, default: Any = None) -> Any:
        """As `Stage.literal`."""
        if argument := self.arguments.get(parameter):
            return argument.literal
        return ... if self.open_arguments else default

    def has(self, parameter: str) -> bool:
        """As `Stage.has`."""
        return parameter in self.arguments or self.open_arguments


@dataclass(frozen=True, slots=True, eq=False)
class Discarded:
    """A transformation called as a statement: its result is lost."""

    stage: Stage
    span: Span
    """The whole statement."""


@dataclass(frozen=True, slots=True, eq=False)
class SymbolUse:
    """A name of TensorFlow (or a `.method` of interest) in the source, called or not."""

    name: str
    """Full name, `compat.v1`/`compat.v2` removed: `tensorflow.data.experimental.map_and_batch`."""
    node: ast.expr
    span: Span
    call: ast.Call | None
    """The call it is the function of."""
    apply: ast.Call | None = None
    """The `.apply(…)` call that `call` is the argument of."""
    definition: str = ""


@dataclass(frozen=True, slots=True)
class Path:
    """One way through the conditions, from a source to a dataset."""

    stages: tuple[Stage, ...]
    """Source first."""
    conditions: tuple[Condition, ...]

    @property
    def when(self) -> str:
        """`when training` or an empty string, for messages."""
        return "when " + " and ".join(map(str, self.conditions)) if self.conditions else ""

    @property
    def is_open(self) -> bool:
        """Its origin is not seen."""
        return bool(self.stages) and self.stages[0].is_opaque

    def find(self, *ops: str) -> Stage | None:
        """The stage nearest to the end with one of these operations."""
        return next((stage for stage in reversed(self.stages) if stage.op in ops), None)

    def after(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages downstream of one."""
        return self.stages[self.stages.index(stage) + 1 :]

    def before(self, stage: Stage) -> tuple[Stage, ...]:
        """The stages upstream of one."""
        return self.stages[: self.stages.index(stage)]


@dataclass(frozen=True, slots=True)
class Paths:
    paths: tuple[Path, ...]
    complete: bool

    def __iter__(self) -> Iter[Path]:
        return iter(self.paths)

    def __len__(self) -> int:
        return len(self.paths)


@dataclass(slots=True, eq=False)
class PipelineGraph:
    """Everything recovered from one module or notebook."""

    file: str
    stages: list[Stage] = field(default_factory=list)
    """All, in source order; one call in two contexts is two stages."""
    consumers: list[Consumer] = field(default_factory=list)
    discarded: list[Discarded] = field(default_factory=list)
    options: list[Options] = field(default_factory=list)
    """Every `tf.data.Options()` made, and `ds.options()` taken."""
    uses: list[SymbolUse] = field(default_factory=list)
    """Uses of the names that rules ask about (`index.WATCHED`)."""
    seeds: list[Span] = field(default_factory=list)
    """Calls of `tf.random.set_seed`, `keras.utils.set_random_seed` and their TF 1 form."""
    called: set[str] = field(default_factory=set)
    """Qualified names of the functions that this module itself calls."""
    tree: ast.Module | None = None
    source: Source | None = None
    depends: set[str] = field(default_factory=set)
    """Other files that were read."""
    _users: dict[int, list[Stage]] | None = None
    _by_tip: dict[int, list[Consumer]] | None = None
    """The consumers by the last stages of their datasets."""
    _order: dict[int, int] = field(default_factory=dict)
    _syntax: Syntax | None = None

    @property
    def is_empty(self) -> bool:
        """Nothing was found that a rule could speak about."""
        return not (self.stages or self.uses or self.options)

    @property
    def syntax(self) -> Syntax:
        """The text that it was recovered from, for those who rewrite it."""
        if self._syntax is None:
            from tfdata_lint.pipeline.syntax import Syntax
            from tfdata_lint.source.module import Source

            self._syntax = Syntax(self.source or Source(self.file, "module", ""))
        return self._syntax

    def users(self, stage: Stage) -> list[Stage]:
        """The stages that have this one as an input, directly or through joins."""
        if self._users is None:
            self._users = {}
            for user in self.stages:
                for origin in {id(o): o for dataset in user.inputs for o in tips(dataset)}.values():
                    self._users.setdefault(id(origin), []).append(user)
        return self._users.get(id(stage), [])

    def downstream(self, stage: Stage) -> list[Stage]:
        """All stages that depend on this one, nearest first."""
        found: dict[int, Stage] = {}
        todo = [stage]
        while todo:
            for user in self.users(todo.pop(0)):
                if id(user) not in found:
                    found[id(user)] = user
                    todo.append(user)
        return list(found.values())

    def consumers_of(self, stage: Stage) -> list[Consumer]:
        """The consumers whose dataset has this stage as its last one (on some path)."""
        return self._consumers_by_tip().get(id(stage), [])

    def reached(self, stage: Stage) -> list[Consumer]:
        """The consumers that this stage feeds, near or far."""
        by_tip = self._consumers_by_tip()
        found = {id(c): c for s in (stage, *self.downstream(stage)) for c in by_tip.get(id(s), ())}
        return sorted(found.values(), key=lambda consumer: self._order[id(consumer)])

    def _consumers_by_tip(self) -> dict[int, list[Consumer]]:
        if self._by_tip is None:
            self._by_tip = {}
            self._order = {id(consumer): number for number, consumer in enumerate(self.consumers)}
            for consumer in self.consumers:
                for tip in tips(consumer.dataset):
                    self._by_tip.setdefault(id(tip), []).append(consumer)
        return self._by_tip

    def option(self, stage: Stage, path: str) -> Any:
        """An option's literal value for the pipelines this stage is part of; None when unset, `...` when not known.

        Options merge along the pipeline and the last dataset's decide for the whole of it, so they count wherever
        they are set, before or after the stage.
        """
        values = [s.options[path] for s in [stage, *self.downstream(stage)] if path in s.options]
        if not values:
            return None
        return values[-1].value if isinstance(values[-1], Constant) else ...


def tips(dataset: Dataset) -> Iter[Stage]:
    """The last stages of a dataset: itself, or those of a join's branches."""
    seen: set[int] = set()
    todo: list[Dataset] = [dataset]
    while todo:
        node = todo.pop()
        if id(node) in seen:
            continue
        seen.add(id(node))
        if isinstance(node, Join):
            todo.extend(branch.dataset for branch in reversed(node.branches))
        else:
            yield node


def upstream(dataset: Dataset) -> Iter[Stage]:
    """Every stage that a dataset depends on, its own tips included, nearest first, each once; nested ones not."""
    seen: set[int] = set()
    todo: list[Dataset] = [dataset]
    while todo:
        for stage in tips(todo.pop(0)):
            if id(stage) not in seen:
                seen.add(id(stage))
                yield stage
                todo.extend(stage.inputs)


def paths(dataset: Dataset, conditions: tuple[Condition, ...] = ()) -> Paths:
    """Every way through the conditions from a source to this dataset.

    Two tests with one key take the same arm. Each input of `zip`, `concatenate`, … gives its own paths.
    `conditions` are known to hold (those of a consumer, say).
    """
    found: list[Path] = []
    todo: list[tuple[Dataset, tuple[Stage, ...], tuple[Condition, ...], Facts]] = [(dataset, (), (), Facts(conditions))]
    while todo:
        node, tail, taken, facts = todo.pop()
        if isinstance(node, Join):
            for branch in reversed(node.branches):
                if not facts.allow(branch.conditions):
                    continue
                new = tuple(c for c in branch.conditions if facts.outcome(c) is None)
                todo.append((branch.dataset, tail, taken + new, facts.given(new) if new else facts))
            continue
        if not facts.allow(node.context.conditions):
            continue
        stages = (node, *tail)
        if not node.inputs:
            found.append(Path(stages, tuple(reversed(taken))))
            if len(found) >= MAX_PATHS:
                return Paths(tuple(found), complete=not todo)
        for origin in reversed(node.inputs):
            todo.append((origin, stages, taken, facts))
    return Paths(tuple(found), complete=True)
