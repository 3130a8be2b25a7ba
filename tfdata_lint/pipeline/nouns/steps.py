"""What a loop over elements does in each of its passes: trains, predicts, saves."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.code import last_name, names, nodes_on, own_nodes, rows_with, statements_in, way
from tfdata_lint.source.trees import children, walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_SCOPES = (*_FUNCTIONS, ast.Lambda, ast.ClassDef)
#: Under these a piece of code does not run in every pass.
_GUARDS = (ast.If, ast.IfExp, ast.BoolOp, ast.ExceptHandler, ast.Match, ast.Break, ast.Return)
#: What changes the variables of a model.
_UPDATES = frozenset({"apply_gradients", "minimize", "assign_sub"})
#: Who runs a function that it is given as it is: `strategy.run(step, args=(batch,))`.
_RUNNERS = frozenset({"run", "experimental_run_v2", "experimental_run"})
#: Functions that somebody makes run step by step say so with one of these.
_EAGER_ON_PURPOSE = ("run_functions_eagerly", "run_eagerly", "disable_eager_execution", "disable_v2_behavior")
#: What works with values of Python, which a graph does not have.
_OF_PYTHON = frozenset({"numpy", "item", "tolist", "append", "print", "float"})
_ARRAYS = frozenset({"np", "numpy", "random"})
_MODELS = frozenset({"Sequential", "Model", "load_model", "clone_model", "model_from_json"})
#: Methods of models of Keras, which other libraries' models do not have.
_OF_MODELS = frozenset({"compile", "load_weights", "save_weights", "summary", "get_layer"})
#: Arguments of `tf.function` that leave open what it is called with.
_INDIFFERENT = frozenset({"jit_compile", "experimental_compile", "autograph", "reduce_retracing",
                          "experimental_relax_shapes"})  # fmt: skip
_CHECKPOINTS = frozenset({"Checkpoint", "CheckpointManager"})
#: How deep functions that a step calls are followed.
_DEEP = 3


@dataclass(frozen=True)
class Step:
    """One training step as a loop makes it, which no `tf.function` is around."""

    tape: ast.With
    function: ast.FunctionDef | None
    """The function that the loop calls for it; None where it stands in the loop."""
    is_plain: bool
    """All that it does a graph can do, too."""


def eager_step(tree: ast.Module, text: str, loop: ast.AST) -> Step | None:
    """The training step that runs operation by operation in every pass of a loop."""
    if "GradientTape" not in text or any(word in text for word in _EAGER_ON_PURPOSE):
        return None
    if not isinstance(loop, (ast.For, ast.While)) or _ends_early(loop):
        return None
    functions = [step for step in way(tree, loop) if isinstance(step, _FUNCTIONS)]
    if not all(_is_plain_function(tree, text, function) for function in functions):
        return None
    tape = _tape_in(loop)
    if tape is not None:
        return Step(tape, None, _is_plain(loop)) if _updates(loop) else None
    return next(_steps_called(tree, text, loop, 0), None)


def _steps_called(tree: ast.Module, text: str, code: ast.AST, depth: int) -> Iterator[Step]:
    """The functions that code calls, in every pass where it is a loop, and that train."""
    for call in _own_calls(code):
        function = _called(tree, call)
        if function is None or not _is_plain_function(tree, text, function):
            continue
        tape = _tape_in(function)
        if tape is not None and _updates(function):
            yield Step(tape, function, _is_plain(function))
        elif tape is None and depth < _DEEP:
            yield from _steps_called(tree, text, function, depth + 1)


def _own(code: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a loop or function, without those of functions that are defined in it."""
    todo = list(children(code))
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, _SCOPES):
            todo += children(node)


def _own_calls(code: ast.AST) -> Iterator[ast.Call]:
    return (node for node in _own(code) if isinstance(node, ast.Call))


def _tape_in(code: ast.AST) -> ast.With | None:
    for node in _own(code):
        if isinstance(node, ast.With) and any(last_name(item.context_expr) == "GradientTape" for item in node.items):
            return node
    return None


def _updates(code: ast.AST) -> bool:
    return any(last_name(call) in _UPDATES for call in _own_calls(code))


def _is_plain(code: ast.AST) -> bool:
    if any(last_name(call) in _OF_PYTHON for call in _own_calls(code)):
        return False
    return not any(isinstance(node, ast.Name) and node.id in _ARRAYS for node in _own(code))


def _ends_early(loop: ast.For | ast.While) -> bool:
    """`break` in every pass: a look at one element."""
    return any(isinstance(statement, (ast.Break, ast.Return)) for statement in loop.body)


def _called(tree: ast.Module, call: ast.Call) -> ast.FunctionDef | None:
    """The one function of the module that a call runs, if that is certain."""
    called: ast.expr = call.func
    if isinstance(called, ast.Attribute) and called.attr in _RUNNERS and call.args:
        called = call.args[0]
    return _defined(tree, called)


def _defined(tree: ast.Module, called: ast.expr) -> ast.FunctionDef | None:
    """The one function or method of the module that a name, or an attribute of `self`, stands for."""
    match called:
        case ast.Name(id=name) | ast.Attribute(value=ast.Name(id="self"), attr=name):
            pass
        case _:
            return None
    definitions = (node for node in statements_in(tree.body) if isinstance(node, (*_FUNCTIONS, ast.ClassDef)))
    match [node for node in definitions if node.name == name]:
        case [ast.FunctionDef() as function]:
            return function
    return None


def _is_plain_function(tree: ast.Module, text: str, function: ast.AST) -> bool:
    """Is a function what its `def` says: nothing is around it, and nobody may put something around it?"""
    if not isinstance(function, ast.FunctionDef) or function.decorator_list:
        return False
    near = list(nodes_on(tree, rows_with(text, rf"\b{function.name}\b")))
    called: set[int] = set()
    handed: set[int] = set()
    for node in near:
        match node:
            case ast.Call(func=func, args=[first, *_]) if last_name(func) in _RUNNERS:
                called |= {id(func), id(first)}
            case ast.Call(func=func):
                called.add(id(func))
        match node:
            case ast.Call(args=args, keywords=keywords):
                handed |= {id(argument) for argument in (*args, *(keyword.value for keyword in keywords))}
            case ast.Assign(targets=targets, value=value):
                handed |= {id(value), *map(id, targets)}
    for node in near:
        match node:
            case ast.Name(id=name) if name == function.name and id(node) not in called:
                return False
            case ast.Attribute(attr=name) if name == function.name and id(node) in handed - called:
                return False
    return True


# ---- functions that are traced again -----------------------------------------------------------------------------


@dataclass(frozen=True)
class Retraced:
    """A call of a `tf.function` in every pass of a loop, with a number of Python that is another one each time."""

    call: ast.Call
    number: ast.Name
    function: str


def retraced_call(tree: ast.Module, text: str, loop: ast.AST, full_name: Callable[[ast.expr], str]) -> Retraced | None:
    """The first call of the kind in a loop."""
    if "function" not in text or "type_hints" in text or any(word in text for word in _EAGER_ON_PURPOSE):
        return None
    counters = _counters(loop)
    if not counters or not isinstance(loop, (ast.For, ast.While)) or _ends_early(loop):
        return None
    for call in _calls_in_every_pass(loop):
        function = _compiled(tree, call, full_name)
        given = [*call.args, *(keyword.value for keyword in call.keywords)]
        number = next((value for value in given if isinstance(value, ast.Name) and value.id in counters), None)
        if function and number is not None:
            return Retraced(call, number, function)
    return None


def _counters(loop: ast.AST) -> set[str]:
    """The names of what counts the passes, as numbers of Python that nothing else is made of in the loop."""
    found: set[str] = set()
    match loop:
        case ast.For(
            target=ast.Tuple(elts=[ast.Name(id=name), _]), iter=ast.Call(func=ast.Name(id="enumerate"), args=[_, *_])
        ):
            found.add(name)
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range" | "trange"))):
            found.add(name)
    for node in _own(loop):
        match node:
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.Constant(value=1)):
                found.discard(name)
            case ast.Assign(targets=targets):
                found -= {name for target in targets for name in names(target)}
    return found


def _compiled(tree: ast.Module, call: ast.Call, full_name: Callable[[ast.expr], str]) -> str:
    """The name of the `tf.function` of the module that a call runs, if it is traced for each number of Python."""
    function = _defined(tree, call.func)
    if function is None or len(function.decorator_list) != 1 or not _compiles(function.decorator_list[0], full_name):
        return ""
    others = (node for node in walk(tree) if isinstance(node, (ast.Name, ast.Attribute)))
    return "" if any(_is_bound(node, function.name) for node in others) else function.name


def _is_bound(node: ast.Name | ast.Attribute, name: str) -> bool:
    return isinstance(node.ctx, ast.Store) and (node.id if isinstance(node, ast.Name) else node.attr) == name


def _compiles(decorator: ast.expr, full_name: Callable[[ast.expr], str]) -> bool:
    """`@tf.function`, also with arguments; none that says what it is called with."""
    match decorator:
        case ast.Call(func=func, args=[], keywords=keywords):
            is_plain = all(keyword.arg in _INDIFFERENT for keyword in keywords)
            return is_plain and plain(full_name(func)) == "tensorflow.function"
    return plain(full_name(decorator)) == "tensorflow.function"


# ---- what is done with a model in every pass ---------------------------------------------------------------------


def calls_in_every_pass(loop: ast.AST, *wanted: str) -> Iterator[ast.Call]:
    """The calls of methods with these names that a loop makes in every pass."""
    if isinstance(loop, (ast.For, ast.While)) and not _ends_early(loop):
        for call in _calls_in_every_pass(loop):
            if isinstance(call.func, ast.Attribute) and call.func.attr in wanted:
                yield call


def _calls_in_every_pass(loop: ast.For | ast.While) -> Iterator[ast.Call]:
    nodes = own_nodes(loop.body, *_GUARDS, ast.For, ast.While)
    return (node for node in nodes if isinstance(node, ast.Call))


def takes_element(loop: ast.AST, call: ast.Call) -> bool:
    """Is a call given what the loop got in this pass?"""
    if not isinstance(loop, ast.For):
        return False
    given = names(loop.target)
    for node in walk(loop):
        if isinstance(node, ast.Assign) and node.lineno < call.lineno and names(node.value) & given:
            given |= {name for target in node.targets for name in names(target)}
    return any(names(argument) & given for argument in call.args)


def is_keras_model(tree: ast.Module, call: ast.Call) -> bool:
    """Is what a method is called on a model of Keras, by how it is made or by what else is done with it?"""
    return _is_made_by(tree, call, _MODELS) or any(
        isinstance(other.func, ast.Attribute) and other.func.attr in _OF_MODELS and _receiver(other) == _receiver(call)
        for other in walk(tree)
        if isinstance(other, ast.Call)
    )


def is_checkpoint(tree: ast.Module, call: ast.Call) -> bool:
    """Is what a method is called on a checkpoint, or a manager of some that saves whenever it is asked?"""
    return _is_made_by(tree, call, _CHECKPOINTS) and all(keyword.arg != "check_interval" for keyword in call.keywords)


def _is_made_by(tree: ast.Module, call: ast.Call, makers: frozenset[str]) -> bool:
    """Are all things that have the name of what a method is called on made by one of these?"""
    receiver = _receiver(call)
    made = [
        node.value
        for node in statements_in(tree.body)
        if isinstance(node, ast.Assign) and any(ast.unparse(target) == receiver for target in node.targets)
    ]
    return bool(made) and all(isinstance(value, ast.Call) and last_name(value) in makers for value in made)


def _receiver(call: ast.Call) -> str:
    return ast.unparse(call.func.value) if isinstance(call.func, ast.Attribute) else ""
