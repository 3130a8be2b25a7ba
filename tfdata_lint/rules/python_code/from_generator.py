"""TFD201 from-generator."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.graph import DRIVING, Consumer, PipelineGraph, Stage, paths
from tfdata_lint.pipeline.values import Function, Instance, Partial, Value
from tfdata_lint.rules.base import Finding, Fix, Rule
from tfdata_lint.rules.python_code.common import outermost

_FEW = 16
#: What a generator calls that makes its values up, or only plays at reading.
_MAKING_UP = re.compile(r"^(time|random|(np|numpy)\.random|tf\.random)\.|^(range|print|float|int|str|len)$")
FunctionNode = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda

#: What the generator calls (or reads), and the reader of tf.data that does the same.
_READERS = (
    (r"TFRecord|tf_record_iterator|tf\.train\.Example", "Read the records with `tf.data.TFRecordDataset`"),
    (
        r"imread|Image\.open|load_img|decode_(image|jpeg|png)|load_wav|wavfile\.read|soundfile\.read",
        "List the files with `tf.data.Dataset.list_files`, then read and decode them in a parallel `map`",
    ),
    (r"csv\.(DictR|r)eader|read_csv", "Read the files with `tf.data.experimental.make_csv_dataset`"),
    (r"np\.load|h5py|librosa\.load|pickle\.load", "Write the examples to TFRecord files once, and read those"),
    (r"^open$|GFile|\.open$", "Read the lines with `tf.data.TextLineDataset`"),
)
_ARRAY = re.compile(
    r"(np|numpy|jnp|pd|pandas)\.|\.(numpy|to_numpy|tolist|values)(\(\))?$|\.load_data\(|^(list|sorted)\("
)


class FromGenerator(Rule):
    """A Python generator is where the pipeline starts."""

    code = "TFD201"
    name = "from-generator"
    group = "performance"
    summary = "A Python generator makes the elements, one at a time, under the interpreter lock"

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            if stage.op != "from_generator":
                continue
            users = [consumer for consumer in graph.reached(outermost(stage)) if _counts(consumer)]
            if not any(_runs_each_epoch(outermost(stage), consumer) for consumer in users):
                continue
            finding = self._judge(graph, stage)
            argument = stage.arguments.get("generator")
            # What is made up for a demonstration is read from nowhere: no advice would fit.
            if finding.severity == "advice" and argument and _is_made_up(_function(argument.value, graph)):
                continue
            yield finding

    def _judge(self, graph: PipelineGraph, stage: Stage) -> Finding:
        argument = stage.arguments.get("generator")
        function = _function(argument.value, graph) if argument else None
        name = _name(function, argument.node if argument else None)
        batched = any(user.operation.batches for user in graph.downstream(stage))
        arrays = _arrays(function, stage, graph) if function else []
        in_batches = function is not None and _yields_batches(function)
        rows = not in_batches and (batched or bool(arrays))
        if rows and arrays:
            cost = "Every row goes through the Python interpreter: `from_tensor_slices` was measured 120 times faster"
            advice = f"Give {_written(arrays)} to `tf.data.Dataset.from_tensor_slices`"
            if _varies_in_length(stage):
                advice += ", as a ragged tensor where the rows differ in length"
        elif rows:
            cost = "Every row goes through the Python interpreter: yielding batches was measured 55 times faster"
            advice = (_reader(function) if function else "") or f"Yield whole batches from `{name}`, or read natively"
        else:
            cost = "All of them are made by one Python thread under the interpreter lock and then copied"
            advice = (_reader(function) if function else "") or (
                "Where the data is in files or arrays, start from `TFRecordDataset`, `TextLineDataset`, `list_files` "
                "or `from_tensor_slices`"
            )
        return self.finding(
            stage.span,
            f"`from_generator` runs the Python generator `{name}` for every element",
            cost=cost,
            advice=advice,
            severity="warning" if rows else "advice",
            confidence=stage.confidence if rows else "likely",
            fix=Fix("display-only", advice, "what the generator does beyond that has to be moved by hand"),
        )


def _counts(consumer: Consumer) -> bool:
    """Training, or somebody else's: what tests iterate is made up for them."""
    if consumer.context.in_test:
        return consumer.kind == "fit"
    return consumer.kind in DRIVING or consumer.kind == "return"


def _runs_each_epoch(stage: Stage, consumer: Consumer) -> bool:
    return any(
        stage in path.stages and not _is_read_once(path.after(stage))
        for path in paths(consumer.dataset, consumer.context.conditions)
    )


def _is_read_once(later: Sequence[Stage]) -> bool:
    """Behind a cache the generator runs once; that is what one would do about it. `take(3)` only looks at it."""
    for stage in later:
        count = stage.literal("count") if stage.op == "take" else None
        if stage.op in ("cache", "snapshot") or (isinstance(count, int) and 0 <= count <= _FEW):
            return True
        if stage.op == "shuffle":
            # Its buffer is filled all the same.
            return any(after.op in ("cache", "snapshot") for after in later)
    return False


def _function(value: Value, graph: PipelineGraph) -> FunctionNode | None:
    """The generator function: the one given, or the one that the given lambda calls."""
    match value:
        case Partial(function=inner):
            return _function(inner, graph)
        case Instance(cls=cls):
            call = cls.attributes.get("__call__")
            return call.node if isinstance(call, Function) else None
        case Function(node=ast.Lambda(body=ast.Call(func=ast.Name(id=name) | ast.Attribute(attr=name))) as node):
            return _definition(name, graph) or node
        case Function(node=node):
            return node
    return None


def _definition(name: str, graph: PipelineGraph) -> FunctionNode | None:
    nodes = ast.walk(graph.tree) if graph.tree else ()
    return next((node for node in nodes if isinstance(node, ast.FunctionDef) and node.name == name), None)


def _name(function: FunctionNode | None, node: ast.expr | None) -> str:
    if isinstance(function, ast.Lambda) or isinstance(node, ast.Lambda):
        return "lambda"
    if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)) and function.name != "__call__":
        return function.name
    if isinstance(node, ast.Call):
        node = node.func
    text = ast.unparse(node) if node is not None else "generator"
    return text if len(text) <= 40 else text[:37] + "..."


def _own(function: FunctionNode) -> Iterator[ast.AST]:
    """The nodes of a function, those of functions inside it left out."""
    todo: list[ast.AST] = [function.body] if isinstance(function, ast.Lambda) else list(function.body)
    while todo:
        node = todo.pop(0)
        yield node
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)):
            todo.extend(ast.iter_child_nodes(node))


def _yields_batches(function: FunctionNode) -> bool:
    """It steps by a batch size, or calls what it yields a batch."""
    for node in _own(function):
        match node:
            case ast.Call(func=ast.Name(id="range"), args=[_, _, _]):
                return True
            case ast.Yield(value=value) if value is not None and "batch" in ast.unparse(value).lower():
                return True
            case ast.For(target=target) if "batch" in ast.unparse(target).lower():
                return True
    return False


def _arrays(function: FunctionNode, stage: Stage, graph: PipelineGraph) -> list[str]:
    """The arrays or lists in memory that the generator walks row by row, as written; none when not sure of all."""
    indexed: list[ast.expr] = []
    if isinstance(function, ast.Lambda):
        walked = _walked(function.body)
    else:
        loops = [node for node in _own(function) if isinstance(node, ast.For) and _yields(node)]
        # A loop inside the loop, or a call on the way, makes other elements than the rows.
        walked = _walked(loops[0].iter) if len(loops) == 1 and _only_hands_on(loops[0]) else []
        indexed = _indexed(loops[0]) if walked else []
    parameters = {a.arg for a in function.args.args} if "args" in stage.arguments else set()
    if not all(_is_array(node, parameters, graph) for node in walked):
        return []
    return list(dict.fromkeys(ast.unparse(node) for node in (*walked, *indexed)))


def _yields(loop: ast.For) -> bool:
    return any(isinstance(node, (ast.Yield, ast.YieldFrom)) for node in ast.walk(loop))


def _only_hands_on(loop: ast.For) -> bool:
    """It yields what it walks, or casts, and calls nothing else."""
    calls = (node for part in loop.body for node in ast.walk(part) if isinstance(node, ast.Call))
    return all(
        re.search(r"(^|\.)(astype|float|int|str|array|asarray|float32|int32|int64)$", ast.unparse(c.func))
        for c in calls
    )


def _indexed(loop: ast.For) -> list[ast.expr]:
    """What the loop reads at the place it has come to: `labels` in `labels[i]`."""
    places = {node.id for node in ast.walk(loop.target) if isinstance(node, ast.Name)}
    return [
        node.value
        for part in loop.body
        for node in ast.walk(part)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Name) and node.slice.id in places
    ]


def _written(arrays: list[str]) -> str:
    if len(arrays) > 3:
        return f"`{arrays[0]}` and the others that it reads"
    return f"`{arrays[0]}`" if len(arrays) == 1 else f"`({', '.join(arrays)})`"


def _walked(node: ast.expr) -> list[ast.expr]:
    """`zip(x, y)` walks `x` and `y`; so do `enumerate`, and `range(len(x))`."""
    match node:
        case ast.Call(func=ast.Name(id="zip" | "enumerate" | "tqdm" | "iter" | "reversed"), args=args):
            return [found for argument in args for found in _walked(argument)]
        case ast.Call(func=ast.Name(id="range"), args=[ast.Call(func=ast.Name(id="len"), args=[inner])]):
            return _walked(inner)
        case ast.Call(
            func=ast.Name(id="range"),
            args=[ast.Subscript(value=ast.Attribute(value=inner, attr="shape"), slice=ast.Constant(value=0))],
        ):
            return _walked(inner)
        case ast.Name() | ast.Attribute():
            return [node]
    return []


def _is_array(node: ast.expr, parameters: set[str], graph: PipelineGraph) -> bool:
    """Is it certainly in memory? What `args=` hands to the generator is, as is what NumPy or a literal made."""
    if isinstance(node, ast.Name) and node.id in parameters:
        return True
    name = ast.unparse(node)
    found = False
    for assignment in ast.walk(graph.tree) if graph.tree else ():
        if isinstance(assignment, ast.Assign) and any(name in _targets(target) for target in assignment.targets):
            value = assignment.value
            if not (isinstance(value, (ast.List, ast.Tuple, ast.ListComp)) or _ARRAY.search(ast.unparse(value))):
                return False
            found = True
    return found


def _targets(target: ast.expr) -> list[str]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [name for part in target.elts for name in _targets(part)]
    return [ast.unparse(target)]


def _reader(function: FunctionNode) -> str:
    """The reader of tf.data for what the generator reads."""
    calls = [ast.unparse(node.func) for node in _own(function) if isinstance(node, ast.Call)]
    return next((advice for pattern, advice in _READERS if any(re.search(pattern, call) for call in calls)), "")


def _is_made_up(function: FunctionNode | None) -> bool:
    """It yields random numbers or the numbers of a range, and reads nothing."""
    if not isinstance(function, ast.FunctionDef):
        return False
    nodes = list(_own(function))
    calls = [ast.unparse(node.func) for node in nodes if isinstance(node, ast.Call)]
    reads = any(isinstance(node, ast.Subscript) for node in nodes)
    reads = reads or any(isinstance(node, ast.For) and not isinstance(node.iter, ast.Call) for node in nodes)
    return bool(calls) and not reads and all(map(_MAKING_UP.search, calls))


def _varies_in_length(stage: Stage) -> bool:
    """A dimension of the declared elements is open."""
    given = [stage.arguments[name].node for name in ("output_signature", "output_shapes") if name in stage.arguments]
    return any(isinstance(part, ast.Constant) and part.value is None for node in given for part in ast.walk(node))
