"""What a training loop, or a callback, does on the host in every step."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.knowledge.words import TENSORBOARD
from tfdata_lint.pipeline.nouns.code import (
    given_to,
    last_name,
    made_of,
    names,
    nodes_on,
    own_nodes,
    parameters_of,
    rows_with,
    statements_in,
)
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.project.switches import calls_named
from tfdata_lint.pipeline.project.syntax import Syntax, syntax_of, syntax_there
from tfdata_lint.pipeline.python.origins import Place, argument, origins
from tfdata_lint.pipeline.python.values import value_at
from tfdata_lint.rules.device.passes import Function, calls_each_time, functions_run, is_each
from tfdata_lint.rules.device.steps import always_in, callee, calls_in_every_pass, defined, is_made_by
from tfdata_lint.source.trees import walk

_METRICS = frozenset({
    "AUC", "Accuracy", "BinaryAccuracy", "BinaryCrossentropy", "CategoricalAccuracy", "CategoricalCrossentropy",
    "KLDivergence", "Mean", "MeanAbsoluteError", "MeanSquaredError", "Precision", "Recall", "RootMeanSquaredError",
    "SparseCategoricalAccuracy", "SparseCategoricalCrossentropy", "SparseTopKCategoricalAccuracy", "Sum",
    "TopKCategoricalAccuracy",
})  # fmt: skip
_READING = ("numpy", "item", "tolist")
_GRADIENTS = ("GradientTape", "grad", "value_and_grad", "apply_gradients")
#: What is known of weights without their values.
_ABOUT = ("shape", "name", "dtype", "size")
_COMPILERS = ("tensorflow.function", "jax.jit", "jax.pmap", "flax.nnx.jit", "equinox.filter_jit")
_WRITERS = frozenset({"create_file_writer"})
#: Methods of files, and of who writes tables into them.
_WRITING = frozenset({"write", "writelines", "writerow", "writerows"})
_LOGGING = ("info", "warning", "add_scalar", "log_metric", "log_metrics")
#: Modules that take numbers of the host.
_ON_HOST = ("numpy", "math", "wandb", "mlflow")
_SUMMARIES = re.compile(r"tensorflow\.summary\.(?:scalar|histogram|image|text|audio|write)")
#: These let summaries through every so many steps.
_SPARING = ("record_if", "record_summaries_every", "should_record_summaries")
_CALLBACK = "tensorflow.keras.callbacks."
_CHECKPOINT = f"{_CALLBACK}ModelCheckpoint"
_OF_MODEL = ("evaluate", "predict", "predict_on_batch", "test_on_batch", "get_weights")
#: Code that may ask for the value of a tensor, or write it.
_WORKING = (ast.Call, ast.JoinedStr, ast.DictComp, ast.ListComp)
#: A checkpoint after so few batches is one in every step for nearly all of the time.
_OFTEN = 10
#: A loop that ends after so many steps is a look at the first of them.
_SHORT = 100
#: The methods of a callback that run for every batch.
_PER_BATCH = ("on_train_batch_end", "on_batch_end", "on_train_batch_begin", "on_batch_begin")
#: How deep functions that a step calls are followed.
_DEEP = 3


class _Trained(NamedTuple):
    """A call of a loop that trains, and whether tensors come out of it: Keras gives numbers."""

    call: ast.Call
    gives_tensors: bool


def host_work(graph: PipelineGraph, loop: ast.For | ast.While) -> list[ast.expr]:
    """Return the code that waits for tensors, or writes them, in every pass of a loop that trains in a graph."""
    if _is_short(loop):
        return []
    trained = list(_training_calls(graph, loop))
    if not trained:
        return []
    end = _first_continue(loop)
    # Names, and the training calls themselves by `id`.
    tensors: set[str | int] = {id(call) for call, gives_tensors in trained if gives_tensors}
    found: list[ast.expr] = []
    for statement in _in_order(loop.body):
        nodes = [(node, known) for node, known in _for_each([statement], tensors) if node.lineno < end]
        found += [node for node, known in nodes if _works(graph, node, known) or _is_read_by(graph, node, known)]
        if isinstance(statement, ast.Assign):
            targets = names(*statement.targets)
            tensors = tensors | targets if _gives_tensors(statement.value, tensors) else tensors - targets
    inner = {id(part) for node in found for part in walk(node) if part is not node}
    return [node for node in found if id(node) not in inner]


def _in_order(body: list[ast.stmt]) -> Iterator[ast.stmt | ast.expr]:
    """The statements that run in each pass, one after the other, those of `with` blocks among them."""
    for statement in body:
        if isinstance(statement, ast.With):
            yield from (item.context_expr for item in statement.items)
            yield from _in_order(statement.body)
        elif isinstance(statement, ast.For) and isinstance(statement.target, ast.Name):
            # `for hook in hooks: hook.after_step(loss)`
            yield from (part for part in statement.body if _is_call_of(part, statement.target.id))
        else:
            yield statement


def _for_each(body: Sequence[ast.AST], tensors: set[str | int]) -> Iterator[tuple[ast.expr, set[str | int]]]:
    """The code that a pass runs that may work so, be it for each of several tensors, and which names are tensors."""
    for node in always_in(body):
        if isinstance(node, ast.For) and names(node.iter) & tensors:
            # `for name, value in losses.items()`
            last_one = node.target.elts[-1] if isinstance(node.target, ast.Tuple) else node.target
            yield from _for_each(node.body, tensors | names(last_one))
        elif isinstance(node, _WORKING):
            yield node, tensors
        elif isinstance(node, (ast.If, ast.While, ast.Assert)) and isinstance(node.test, ast.Compare):
            yield node.test, tensors


def _is_call_of(statement: ast.stmt, name: str) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id=called) | ast.Attribute(value=ast.Name(id=called)))):
            return called == name
    return False


def _gives_tensors(value: ast.expr, tensors: set[str | int]) -> bool:
    """Tell whether a value is what a training step gives, or is computed from that."""
    if id(value) in tensors:
        return True
    return isinstance(value, (ast.BinOp, ast.Name, ast.Subscript)) and bool(names(value) & tensors)


def _works(graph: PipelineGraph, node: ast.expr, tensors: set[str | int]) -> bool:
    tree, text = graph.tree, graph.source.text
    match node:
        case ast.DictComp(value=value, generators=[part]) | ast.ListComp(elt=value, generators=[part]):
            reads = any(
                last_name(call) in ("numpy", "item", "float") for call in walk(value) if isinstance(call, ast.Call)
            )
            return reads and bool(names(part.iter) & tensors and names(part.target) & names(value))
        case ast.JoinedStr():
            return _reads_whole(node, tensors)
        case ast.Compare(left=left, ops=ops, comparators=others):
            # Python asks for the value: `if loss < best`.
            is_asked = not any(isinstance(op, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for op in ops)
            return is_asked and any(_reads_whole(side, tensors) for side in (left, *others))
        case ast.Call(func=ast.Attribute(value=of, attr=name), args=[], keywords=[]) if name in _READING:
            # What has a result that is a tensor counts.
            is_result = name == "numpy" and isinstance(of, ast.Call) and last_name(of) == "result"
            return is_result or id(of) in tensors or bool(names(of) & tensors) or _counts_steps(of)
        case (
            ast.Call(func=ast.Name(id="float" | "int" | "print"), args=args)
            | ast.Call(func=ast.Attribute(attr="device_get" | "block_until_ready"), args=args)
        ):
            return any(_reads_whole(argument, tensors) or _counts_steps(argument) for argument in args)
        case ast.Call(func=ast.Attribute(attr="result"), args=[], keywords=[]):
            return is_made_by(tree, node, _METRICS)
        case ast.Call(func=ast.Attribute(attr="flush"), args=[]):
            return is_made_by(tree, node, _WRITERS)
        case ast.Call():
            syntax = syntax_of(graph.source)
            if _reads_arrays(syntax, node) and any(_reads_whole(argument, tensors) for argument in node.args):
                return True
            return not any(word in text for word in _SPARING) and _is_summary(syntax, node)
    return False


def _reads_arrays(syntax: Syntax, call: ast.Call) -> bool:
    """Does a call compute with numbers of the host, or write them: NumPy, a log, a service that keeps metrics?"""
    full = syntax.scopes.full_name(call.func)
    return full.partition(".")[0] in _ON_HOST or last_name(call) in _LOGGING


def _is_read_by(graph: PipelineGraph, node: ast.expr, tensors: set[str | int]) -> bool:
    """Tell whether a function of the module works so, be it with a tensor that it is given: `check_finite(loss)`."""
    if not isinstance(node, ast.Call):
        return False
    is_given = [_reads_whole(given, tensors) for given in node.args]
    named = [word.arg for word in node.keywords if _reads_whole(word.value, tensors)]
    functions = functions_run(graph, node)
    if any(not isinstance(one, ast.FunctionDef) or one.decorator_list for one in functions):
        return False
    found = [_works_with(graph, one, is_given, named) for one in functions if isinstance(one, ast.FunctionDef)]
    # Of the functions of a list each is called.
    return any(found) if is_each(graph, node.func) else bool(found) and all(found)


def _works_with(graph: PipelineGraph, function: ast.FunctionDef, is_given: list[bool], named: list[str | None]) -> bool:
    """Tell whether a function does so before it may return, with the arguments that are tensors."""
    parameters = parameters_of(function)
    tensors: set[str | int] = {name for name, given in zip(parameters, is_given, strict=False) if given}
    words, rest = {*parameters, *(one.arg for one in function.args.kwonlyargs)}, function.args.kwarg
    tensors |= {name if name in words else rest.arg if rest is not None else "" for name in named if name}
    leaving = (node.lineno for node in own_nodes(function.body) if isinstance(node, (ast.Return, ast.Raise)))
    end = min(leaving, default=float("inf"))
    tests = (part.test for part in function.body if isinstance(part, ast.If))
    found = _for_each([*function.body, *tests], tensors)
    return any(node.lineno <= end and _works(graph, node, known) for node, known in found)


def _counts_steps(node: ast.AST) -> bool:
    """Is it `optimizer.iterations`, which the step changes?"""
    return isinstance(node, ast.Attribute) and node.attr == "iterations"


def _reads_whole(node: ast.AST, tensors: set[str | int]) -> bool:
    """Tell whether some code reads a tensor as such, not its shape or another attribute."""
    todo = [node]
    while todo:
        part = todo.pop()
        match part:
            case ast.Name(id=name) if name in tensors:
                return True
            case ast.Call() if id(part) in tensors:
                return True
            case ast.JoinedStr(values=parts) | ast.Tuple(elts=parts) | ast.Dict(values=parts):
                todo += parts
            case ast.FormattedValue(value=value) | ast.Subscript(value=value):
                todo.append(value)
            case ast.BinOp(left=left, right=right):
                todo += [left, right]
            case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="format"), args=parts):
                todo += parts
    return False


def _is_summary(syntax: Syntax, call: ast.Call) -> bool:
    return _SUMMARIES.fullmatch(plain(syntax.scopes.full_name(call.func))) is not None


def _is_short(loop: ast.For | ast.While) -> bool:
    """Tell whether a loop is left after a few steps: `if step == 10: break`."""
    for node in own_nodes(loop.body, ast.For, ast.While):
        if isinstance(node, ast.If) and any(isinstance(part, ast.Break) for part in node.body):
            limits = [part.value for part in walk(node.test) if isinstance(part, ast.Constant)]
            if any(isinstance(limit, int) and limit <= _SHORT for limit in limits):
                return True
    return False


def _first_continue(loop: ast.For | ast.While) -> float:
    """The row behind which a pass may be over: `if step % 100: continue`."""
    nodes = own_nodes(loop.body, ast.For, ast.While)
    return min((node.lineno for node in nodes if isinstance(node, ast.Continue)), default=float("inf"))


def _training_calls(graph: PipelineGraph, loop: ast.For | ast.While) -> Iterator[_Trained]:
    # Who asks for the steps of the optimizer trains, wherever the gradients are taken.
    counts = any(map(_counts_steps, own_nodes(loop.body, ast.FunctionDef)))
    for call in calls_in_every_pass(loop):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "train_on_batch":
            yield _Trained(call, False)
        elif (function := compiled(graph, callee(call))) is not None and (counts or _trains(graph, function[0], 0)):
            # What `strategy.run` gives, and a graph, are tensors.
            yield _Trained(call, True)


def compiled(graph: PipelineGraph, called: ast.expr) -> tuple[ast.FunctionDef, ast.expr] | None:
    """The function of this module that a name or a method stands for, and what makes a graph of it."""
    name = last_name(called) if isinstance(called, (ast.Name, ast.Attribute)) else ""
    function = defined(graph.tree, ast.Name(name)) if name else None
    if function is not None:
        makers = [decorator for decorator in function.decorator_list if _compiles(graph, decorator)]
        return (function, makers[0]) if makers else None
    # `train_step = tf.function(step)`
    made = [
        node.value
        for node in statements_in(graph.tree.body if name else [])
        if isinstance(node, ast.Assign) and any(last_name(target) == name for target in node.targets)
    ]
    match made:
        case [ast.Call(args=[ast.Name() | ast.Attribute() as given, *_]) as maker] if _compiles(graph, maker):
            function = defined(graph.tree, ast.Name(last_name(given)))
            return (function, maker) if function is not None else None
    return None


def _compiles(graph: PipelineGraph, maker: ast.expr) -> bool:
    """`tf.function` or `jax.jit`, also with arguments."""
    function = maker.func if isinstance(maker, ast.Call) else maker
    if isinstance(maker, ast.Call) and last_name(function) == "partial" and maker.args:
        function = maker.args[0]
    return plain(syntax_of(graph.source).scopes.full_name(function)) in _COMPILERS


def _trains(graph: PipelineGraph, function: ast.FunctionDef, depth: int) -> bool:
    """Tell whether a function, or one that it calls, has a `GradientTape`, or takes gradients in JAX."""
    calls = [node for node in walk(function) if isinstance(node, ast.Call)]
    if any(last_name(call) in _GRADIENTS for call in calls):
        return True
    inner = (defined(graph.tree, callee(call)) for call in calls if depth < _DEEP)
    return any(other is not None and other is not function and _trains(graph, other, depth + 1) for other in inner)


# ---- callbacks ---------------------------------------------------------------------------------------------------


def batch_methods(graph: PipelineGraph) -> Iterator[Function]:
    """What callbacks of Keras do around every batch of a training."""
    rows = rows_with(graph.source.text, *_PER_BATCH)
    for node in nodes_on(graph.tree, rows):
        if isinstance(node, ast.ClassDef) and _is_callback(graph, Place(node, graph.source)):
            yield from (part for part in node.body if isinstance(part, ast.FunctionDef) and part.name in _PER_BATCH)
    for _, call in calls_named(graph, f"{_CALLBACK}LambdaCallback") if rows else ():
        given = [word.value for word in call.keywords if word.arg in _PER_BATCH]
        found = [one for part in given for one in origins(graph, part) if one.source is graph.source]
        yield from (one.node for one in found if isinstance(one.node, (ast.FunctionDef, ast.Lambda)))


def _is_callback(graph: PipelineGraph, cls: Place, left: int = _DEEP) -> bool:
    """Does a class extend the one of Keras, itself or by other classes of the project?"""
    scopes = syntax_there(cls.source, graph.source).scopes
    if any(plain(scopes.full_name(base)) == f"{_CALLBACK}Callback" for base in cls.node.bases):
        return True
    bases = [one for base in cls.node.bases for one in origins(graph, base, cls.source)] if left else []
    return any(isinstance(one.node, ast.ClassDef) and _is_callback(graph, one, left - 1) for one in bases)


def saving_often(graph: PipelineGraph) -> Iterator[tuple[ast.Call, int]]:
    """The calls of `ModelCheckpoint` that are told to save every few batches, and how many."""
    for _, call in calls_named(graph, _CHECKPOINT):
        every = _given(graph, call, "save_freq")
        if isinstance(every, int) and 0 < every <= _OFTEN:
            yield call, every


def callback_work(graph: PipelineGraph) -> Iterator[tuple[ast.expr, str]]:
    """The code of callbacks that does so after every batch, and what `fit` is told by it."""
    for _, call in calls_named(graph, TENSORBOARD):
        if _given(graph, call, "update_freq") in (1, "batch"):
            yield call, "`TensorBoard` writes summaries after every batch"
    syntax = syntax_of(graph.source)
    for method in batch_methods(graph):
        found = _in_method(graph, syntax, method, {*parameters_of(method)[1:2]}, _DEEP)
        if found is not None:
            yield found, f"`{last_name(found)}` is called after every batch"


def _in_method(graph: PipelineGraph, syntax: Syntax, method: Function, given: set[str], left: int) -> ast.Call | None:
    """The first call of a method, or of one that it calls, that reads the model or shows what it is told."""
    logs = _taken_from(method, made_of(method, given))
    weights = _taken_from(method, set(), _of_model)
    for node in calls_each_time(graph, method, follow=False):
        asks_model = last_name(node) in _OF_MODEL and _of_model(node.func)
        is_read = last_name(node) in ("numpy", "item") and not node.args
        if asks_model or is_read or _is_summary(syntax, node) or _shows_logs(syntax, node, logs):
            return node
        if _reads_weights(syntax, node, weights):
            return node
        is_told = bool(names(*node.args) & logs)
        is_own = isinstance(node.func, ast.Attribute) and ast.unparse(node.func.value) == "self"
        for other in functions_run(graph, node) if left and (is_told or is_own) else ():
            takes = {name for name, part in given_to(other, node).items() if names(part) & logs}
            if (found := _in_method(graph, syntax, other, takes, left - 1)) is not None:
                return found
    return None


def _of_model(node: ast.AST) -> bool:
    return ast.unparse(node).startswith("self.model.")


def _taken_from(
    method: Function, known: set[str], is_source: Callable[[ast.expr], bool] = lambda read: False
) -> set[str]:
    """These names, and those of what a loop or a comprehension over them takes: `for k, v in logs.items()`."""
    found = set(known)
    for part in walk(method):
        if isinstance(part, (ast.For, ast.comprehension)) and (names(part.iter) & found or is_source(part.iter)):
            found |= names(part.target)
    return found


def _reads_weights(syntax: Syntax, call: ast.Call, weights: set[str]) -> bool:
    """Does the host get the values of some weights: `float(tf.norm(w))`, `layer.get_weights()`?"""
    if last_name(call) == "get_weights":
        return bool(names(call.func) & weights)
    is_host = (isinstance(call.func, ast.Name) and call.func.id == "float") or _reads_arrays(syntax, call)
    parts = [part for given in call.args for part in walk(given)]
    is_about = any(isinstance(part, ast.Attribute) and part.attr in _ABOUT for part in parts)
    return is_host and not is_about and bool(names(*call.args) & weights)


def _shows_logs(syntax: Syntax, call: ast.Call, logs: set[str]) -> bool:
    """Is a value of `logs` printed or written, or made a number of Python?"""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    is_shown = name in ("print", "float") or (not name and last_name(call) in _WRITING) or _reads_arrays(syntax, call)
    return is_shown and bool(names(*call.args) & logs)


def _given(graph: PipelineGraph, call: ast.Call, name: str) -> object:
    """The value of an argument of a callback; None where there is none."""
    place = argument(graph, call, -1, name, graph.source)
    return value_at(graph, *place) if place is not None else None
