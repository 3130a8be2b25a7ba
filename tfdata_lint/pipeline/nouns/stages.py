"""The nouns of a recovered pipeline: stages, joins, mapped functions, iterators."""

from __future__ import annotations

import ast
from collections.abc import Iterator as Iter, Mapping
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, TypeAlias

from tfdata_lint.pipeline.knowledge.kinds import BatchSafety, Confidence, Cost, EffectKind, Rows
from tfdata_lint.pipeline.knowledge.operations import Operation
from tfdata_lint.pipeline.nouns.conditions import Condition
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.structure import Structure
from tfdata_lint.pipeline.nouns.values import Class, Constant, Expr, Flag, Parameter, Symbol, Value, holds_element, same
from tfdata_lint.pipeline.nouns.work import Work

AUTOTUNE = -1


class Loop(NamedTuple):
    """A loop of the source: the dataset `over` which it goes, if any, and its number of `passes` at most, if known."""

    kind: Literal["for", "while", "comprehension"]
    node: ast.AST
    span: Span
    over: Dataset | None = None
    passes: int | None = None


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

    @property
    def presumed(self) -> Any:
        """As `literal`; of a parameter to which nobody is seen to give anything, or of a flag, its default."""
        if isinstance(self.value, (Parameter, Flag)):
            return Argument(self.node, self.value.default).literal
        return self.literal

    @property
    def written(self) -> str:
        """Its code; equal for what is written in the same way but for the layout."""
        return ast.unparse(self.node)

    def is_same_variable(self, other: Argument) -> bool:
        """Are both one variable with one value, as `args.size` is of one object?"""
        if not isinstance(self.node, (ast.Name, ast.Attribute)) or self.written != other.written:
            return False
        return same(*[getattr(given.value, "receiver", None) or given.value for given in (self, other)])

    def is_product_with(self, other: Argument) -> bool:
        """Is it a variable times something, neither of them known?"""
        match self.node:
            case ast.BinOp(left=left, op=ast.Mult(), right=right) if self.literal is other.literal is ...:
                variables = (part for part in (left, right) if isinstance(part, (ast.Name, ast.Attribute)))
                return any(ast.unparse(variable) == other.written for variable in variables)
        return False


class Context(NamedTuple):
    """Where a stage or consumer stands."""

    definition: str = ""
    """Qualified name of the enclosing function; empty at module level."""
    conditions: tuple[Condition, ...] = ()
    loops: tuple[Loop, ...] = ()
    """Innermost last, through the calls of project functions that led here."""
    in_tf_function: bool = False
    in_strategy_scope: bool = False
    guards: tuple[Condition, ...] = ()  # Tests around it whose outcome is known, of a constant argument; without keys.
    in_test: bool = False
    """Inside a function or class that a test runner would collect, or a test file."""
    root: int = 0
    """Which reading of a function led here: `id` of the function read by itself, 0 from the module's body."""


NOWHERE = Context()


class Iterator(Value):
    """What gives the elements of a dataset once: an iterator, or Python's `zip` or `map` over it."""

    __slots__ = ("context", "dataset", "form", "node", "restarts", "span")

    def __init__(
        self, dataset: Dataset, span: Span, node: ast.AST, context: Context, restarts: bool = False, form: str = ""
    ) -> None:
        self.dataset = dataset
        self.span = span
        """Where it is made."""
        self.node = node
        self.context = context
        self.restarts = restarts
        """Each loop over it begins anew: `tfds.as_numpy(ds)`."""
        self.form = form
        """What the elements are, by the consumer that changed them: `as_numpy`, `distribute`; empty for tensors."""


class PythonFunction(NamedTuple):
    """What is known of a function that runs as Python for every element, or beside the function of a stage."""

    nodes: tuple[ast.AST, ...]
    """Its code and that of the project functions that it calls."""
    acts: str
    """What it changes or draws from in Python, as written; empty where it does not."""
    is_known: bool
    """Every call in it is known."""
    draws: str = ""
    """What it draws from for every element, as the field writes it."""
    is_seeded: bool = False
    """From a generator of its own, which is made with a seed."""
    heavy: str = ""
    """The first call in it that is known to be expensive, as the field writes it."""
    drains: Iterator | None = None
    """An iterator from outside that it reads to its end: nothing is left for the next call."""
    is_endless: bool = False
    """What it gives never ends: a generator with `while True`, the iterator of a Keras `ImageDataGenerator`."""
    result: Value | None = None
    """What it returns, as `Stage.result`."""


class Effect(NamedTuple):
    """Something a mapped function does besides computing from its element."""

    kind: EffectKind
    what: str
    """The call as the field writes it: `tf.image.random_flip_left_right`."""
    span: Span
    seeded: bool = False
    """A seed is given; to a stateless draw one that is the same for every element. To a layer: or may be."""
    node: ast.AST | None = None
    wrapped: ast.AST | None = None
    """The Python function under `py_function`/`numpy_function`, when it is seen."""
    python: PythonFunction | None = None
    """What that one does."""
    is_guess: bool = False
    """By the name of a method alone; what has the method is not seen."""
    fails: str = ""
    """What the call raises while the function is traced."""
    sometimes: bool = False
    """Whether it happens depends on a test in the function that may come out either way."""
    settles: bool = False
    """It sets something to what depends neither on the element nor on what was there: once is enough."""


class Call(NamedTuple):
    """A call met while a mapped function is run, helpers of the project (which are entered) left out.

    `name` is the callee's full name as `knowledge.functions` has it, `compat.v1`/`compat.v2` kept; an unknown callee
    has none.
    """

    name: str
    node: ast.Call
    span: Span
    positional: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = MappingProxyType({})
    helper: bool = False
    """Not in the function itself but in a project function that it calls."""
    python: PythonFunction | None = None
    """The function of the project that is given to `py_function`."""
    sometimes: bool = False
    """Whether it is made depends on a test in the function that may come out either way."""
    receiver: Value | None = None
    """What is called, or whose method it is: a tensor, a layer, what else a library has made."""

    @property
    def arguments(self) -> tuple[Value, ...]:
        return (*self.positional, *self.keywords.values())

    @property
    def takes_element(self) -> bool:
        return any(map(holds_element, self.arguments))

    def argument(self, position: int, name: str) -> Value | None:
        if 0 <= position < len(self.positional):
            return self.positional[position]
        return self.keywords.get(name)


class Operator(NamedTuple):
    """An operator met while a mapped function is run, or an item that is taken; of tensors and their shapes."""

    expr: Expr
    span: Span
    sometimes: bool
    """A test or a loop decides whether it is met, and how often."""


class Parsed(NamedTuple):
    """A call in a mapped function that parses examples into features by name, all of which are known."""

    node: ast.Call
    span: Span
    features: tuple[str, ...]
    depth: int  # How deep in what it gives their names are: 0 in a dict, 1 in one of several dicts.


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
    unknown: str = ""
    """The first call in it of which not everything is known, as written."""
    unseen: str = ""
    """Something of outside that it reads, of which nothing is known, as written."""
    methods: frozenset[tuple[str, str, str]] = frozenset()
    """The methods that it consists of: file, class and name."""
    rows: Rows = "unknown"
    """What it does with the rows of a batch, where it is given batches."""
    reads_files: bool = False
    """It builds a dataset over record or text files (the usual function of `interleave`)."""
    is_wrapped: bool = False
    """As `Function.is_wrapped`."""
    parsed: tuple[Parsed, ...] = ()
    calls: tuple[Call, ...] = ()
    """The calls that it makes, in their order; those in functions that run as Python are left out."""
    operators: tuple[Operator, ...] = ()
    result: Value | None = None
    """What it returns, as `Stage.result`."""
    functions: tuple[ast.AST, ...] = ()  # The functions of the project that it consists of.

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
            "tf_print", "stateful_layer", "iterator",
        )  # fmt: skip

    @property
    def is_stateless(self) -> bool:
        """Known for sure: everything in it is known and nothing is stateful."""
        return self.resolved and self.stateful is None


class Given(Value):
    """What a mapped function is given: the elements that reach the stages that map it."""

    __slots__ = ("count", "exact", "names", "stages")

    def __init__(self, count: int, exact: bool, names: tuple[str, ...] = ()) -> None:
        self.count = count
        """Arguments that it was read with."""
        self.exact = exact
        """It takes so many and no more."""
        self.names = names
        """Those of the parameters, where it takes no further ones."""
        self.stages: list[Stage] = []

    def clear(self) -> None:
        """Break the circles with its stages."""
        self.stages = []


class Stage(Value):
    """One operation of a pipeline at one place of the source, in one calling context."""

    __slots__ = (
        "arguments", "cls", "confidence", "context", "depth", "detached", "function", "generator",
        "inputs", "known", "nested", "nested_in", "node", "one_of", "op", "open_arguments", "operation",
        "options", "python", "receiver", "result", "span", "structure", "surplus", "symbol", "work",
    )  # fmt: skip

    def __init__(
        self,
        op: str,
        operation: Operation,
        span: Span,
        node: ast.expr | None,
        inputs: tuple[Dataset, ...] = (),
        arguments: Mapping[str, Argument] | None = None,
        open_arguments: bool = False,
        context: Context = NOWHERE,
        confidence: Confidence = "proven",
        receiver: str = "",
    ) -> None:
        self.op = op
        """Its name in `operations.py`: `map`, `TFRecordDataset`; `parameter` and `unresolved` for unseen origins."""
        self.operation = operation
        self.span = span
        """From the operation's name to its closing parenthesis."""
        self.node = node
        """The whole call (its receiver chain included); None for a parameter."""
        self.inputs = inputs
        """The receiver first; then the other datasets of `zip`, `concatenate`, `sample_from_datasets`."""
        self.arguments: Mapping[str, Argument] = {} if arguments is None else arguments
        """By parameter name. Not to be trusted to be complete when `open_arguments`."""
        self.open_arguments = open_arguments
        """The call has `*args` or `**kwargs` whose content is not known."""
        self.surplus = 0
        """Positional arguments for which no parameter is left; of a variadic operation all after the first."""
        self.function: MappedFunction | None = None
        self.generator: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None = None
        """The Python function that a `from_generator` runs, when it is seen."""
        self.python: PythonFunction | None = None
        """What that one does."""
        self.nested: Dataset | None = None
        """The pipeline that the mapped function of `interleave`, `flat_map`, … returns."""
        self.nested_in: Stage | None = None
        """The stage whose mapped function this one is part of."""
        self.options: Mapping[str, Value] = {}
        """Options in force here, merged from upstream: dotted path to value."""
        self.context = context
        self.confidence = confidence
        self.receiver = receiver
        """The receiver's name when it is a plain variable or attribute: `dataset`, `self.ds`."""
        self.symbol = ""
        """The full name it was called by, when it is a function of a module: `tensorflow.data.TFRecordDataset`."""
        self.detached = False
        """No call on the dataset before the dot: `Dataset.map(ds, f)`, `super().map(f)`, `read = ds.map; read(f)`."""
        self.one_of: tuple[Dataset, ...] = ()
        """Of an unseen origin: what it may be, among others. It is shown, and nothing else follows from it."""
        self.cls: Class | None = None
        """Of an object of a class of the project that extends Dataset: that class."""
        self.depth = 1
        """How many stages and joins stand one behind another up to here."""
        self.result: Value | None = None
        """What its mapped function gives, or what a source makes elements of: a value as `snapshot` leaves it."""
        self.structure: Structure | None = None
        """Worked out when `structure_of` is asked for the first time."""
        self.known: dict[object, Any] = {}
        """What questions about it were answered, by what was asked."""
        self.work: Work | None = None
        """What questions about it spend from."""

    def __repr__(self) -> str:
        return f"<{self.op} at {self.span.row}>"

    def spend(self, steps: int) -> None:
        """Note that it is asked about."""
        if self.work is not None:
            self.work.spend(steps)

    def literal(self, parameter: str, default: Any = None) -> Any:
        """The Python value of an argument; `default` when absent; `...` when not known. AUTOTUNE is -1."""
        if argument := self.arguments.get(parameter):
            return argument.literal
        return ... if self.open_arguments else default

    def presumed(self, parameter: str, default: Any = None) -> Any:
        """As `literal`; the default of a parameter to which nobody is seen to give anything counts."""
        argument = self.arguments.get(parameter)
        return argument.presumed if argument else self.literal(parameter, default)

    def has(self, parameter: str) -> bool:
        """Is the argument given, or might it be (`**kwargs`)?"""
        return parameter in self.arguments or self.open_arguments

    @property
    def is_opaque(self) -> bool:
        """An origin that is not seen: what lies upstream of it is not known."""
        return self.op in ("parameter", "unresolved")

    @property
    def may_shuffle(self) -> bool:
        """Does it put elements in a random order, or might it?"""
        return (self.operation.shuffles or self.has("shuffle")) and self.literal("shuffle", True) is not False

    @property
    def is_endless(self) -> bool | None:
        """Does it never end, whatever comes before it? None when its arguments are not known."""
        if self.python is not None and self.python.is_endless:
            return True
        bound = self.operation.endless
        if not bound or bound == "always":
            return bool(bound)
        literal = self.literal(bound)
        return None if literal is ... else literal in (None, -1)

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


class Join(Value):
    """The meeting of several pipelines after a branch or loop: one of them is the dataset."""

    __slots__ = ("branches", "confidence", "depth", "known", "loop", "options", "work")

    def __init__(
        self,
        branches: tuple[JoinBranch, ...],
        loop: bool = False,
        options: Mapping[str, Value] | None = None,
        confidence: Confidence = "proven",
        depth: int = 1,
        work: Work | None = None,
    ) -> None:
        self.branches = branches
        self.loop = loop
        """First branch: before the loop; second: after a pass through it."""
        self.options: Mapping[str, Value] = {} if options is None else options
        """As `Stage.options`: those on which all branches agree; unknown where they differ."""
        self.confidence = confidence
        """`likely` when some branch is."""
        self.depth = depth  # As `Stage.depth`.
        self.known: dict[object, Any] = {}  # As `Stage.known`.
        self.work = work
        """As `Stage.work`."""

    def spend(self, steps: int) -> None:
        """As `Stage.spend`."""
        if self.work is not None:
            self.work.spend(steps)


Dataset: TypeAlias = Stage | Join


class Cut(NamedTuple):
    """Where a pipeline got too long to be seen as a whole."""

    end: Dataset
    """What was reached."""
    start: Stage
    """What stands for it from there on, as one from elsewhere."""


def tips(dataset: Dataset) -> Iter[Stage]:
    """The last stages of a dataset: itself, or those of a join's branches."""
    if not isinstance(dataset, Join):
        return iter((dataset,))
    known: tuple[Stage, ...] | None = dataset.known.get(tips)
    if known is None:
        known = tuple({id(tip): tip for branch in dataset.branches for tip in tips(branch.dataset)}.values())
        dataset.known[tips] = known
    dataset.spend(len(known))
    return iter(known)


def upstream(*datasets: Dataset) -> Iter[Stage]:
    """Every stage that datasets depend on, their own tips included, nearest first, each once; nested ones not."""
    seen: set[int] = set()
    for dataset in datasets:
        todo: list[Dataset] = [dataset]
        while todo:
            for stage in tips(todo.pop(0)):
                if id(stage) not in seen:
                    seen.add(id(stage))
                    stage.spend(1)
                    yield stage
                    todo.extend(stage.inputs)
