"""Questions about a loop, of which rules hold no more than its node."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator

from tfdata_lint.pipeline.nouns.code import calls_of, caught, holds, last_name, names, way
from tfdata_lint.source.trees import children, walk

#: Under these a piece of code need not run in every pass.
_GUARDS = (ast.If, ast.IfExp, ast.BoolOp, ast.ExceptHandler, ast.Match,
           ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)  # fmt: skip
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
#: Calls that put what they are given away, and calls that give what they are given.
_KEEPING = frozenset({"append", "extend", "add", "put", "update", "print"})
_PICKING = frozenset({"numpy", "len", "int", "list", "tuple", "dict", "items", "values", "decode", "to_list", "tolist"})
#: Names of models, and of their methods that are given a batch.
_MODEL = r"(.*_)?(model|net|network|encoder|classifier|extractor|detector|backbone)|predict|predict_on_batch"
#: Calls that are made for single elements.
_ONE_BY_ONE = frozenset({"imshow", "show", "plot", "subplot", "savefig", "imsave", "save_img", "imwrite", "save",
                         "write_file", "display", "GradientTape", "train_on_batch", "input", "sleep"})  # fmt: skip
#: Calls that leave what they are given as it is.
_READING = frozenset({"len", "print", "range", "int", "float", "str", "isinstance", "format"})
#: Passes up to which a loop is no work to speak of.
_FEW = 16
#: What is raised where there are no more elements.
_ENDS = ("StopIteration", "OutOfRangeError")
#: Calls that may end a loop, with the program or with an exception.
_LEAVING = frozenset({"exit", "_exit", "quit", "next", "get_next", "send", "throw"})


def passes(loop: ast.AST) -> int | None:
    """How often it runs, where it says so: `for _ in range(3)`."""
    match loop:
        case ast.For(iter=ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))])):
            return count
        case ast.For(iter=ast.List(elts=items) | ast.Tuple(elts=items)):
            return len(items)
    return None


def counts(loop: ast.AST) -> bool:
    """`for epoch in range(n)`, also under tqdm, or `while`; a loop over several datasets does not."""
    match loop:
        case ast.While():
            return True
        case ast.For(iter=walked):
            return any(next(calls_of(walked, name), None) for name in ("range", "trange", "count"))
    return False


def is_for(node: ast.AST) -> bool:
    return isinstance(node, (ast.For, ast.AsyncFor))


def walks_several(loop: ast.AST) -> bool:
    """Does it walk several datasets at once: `for x, y in zip(one, other)`?"""
    return isinstance(loop, ast.For) and next(calls_of(loop.iter, "zip"), None) is not None


def only_keeps(loop: ast.AST) -> bool:
    """Does it only count what it is given, or put it into a container?"""
    return isinstance(loop, (ast.For, ast.AsyncFor)) and all(map(_keeps, loop.body))


def filling_loop(tree: ast.Module, given: ast.AST) -> ast.For | ast.ListComp | None:
    """The loop around here that fills a list of what is given: `for p in paths: images.append(load(p))`."""
    wanted = names(given)
    scope = next((step for step in way(tree, given)[1:] if isinstance(step, _FUNCTIONS)), tree)
    for node in walk(scope):
        match node:
            case ast.For(iter=walked) if not _is_handful(walked):
                appended = (
                    call.func.value for call in calls_of(node, "append") if isinstance(call.func, ast.Attribute)
                )
                if any(isinstance(kept, ast.Name) and kept.id in wanted for kept in appended):
                    return node
            case ast.Assign(
                targets=[ast.Name(id=name)], value=ast.ListComp(generators=[ast.comprehension(iter=walked)]) as made
            ) if name in wanted and not _is_handful(walked):
                return made
    return None


def _is_handful(walked: ast.expr) -> bool:
    """A written list, or a written number of something."""
    match walked:
        case ast.List() | ast.Tuple() | ast.Set() | ast.Dict():
            return True
        case ast.Call(func=ast.Name(id="range"), args=[ast.Constant(value=int(count))]):
            return count <= _FEW
        case ast.Subscript(slice=ast.Slice(upper=ast.Constant(value=int(count)))):
            return count <= _FEW
    return False


def called_in(tree: ast.Module, loop: ast.AST) -> list[ast.expr]:
    """The functions that a loop calls, with those that functions of the module call for it."""
    defined = {node.name: node for node in walk(tree) if isinstance(node, ast.FunctionDef)}
    found: list[ast.expr] = []
    todo, entered = [loop], {id(loop)}
    while todo:
        for call in (part for part in walk(todo.pop()) if isinstance(part, ast.Call)):
            found.append(call.func)
            helper = defined.get(call.func.id) if isinstance(call.func, ast.Name) else None
            if helper is not None and id(helper) not in entered:
                entered.add(id(helper))
                todo.append(helper)
    return found


def model_called_on_one(loop: ast.AST) -> str:
    """The model that a loop calls with batches of the one element it has: `model(x[None])`; as written."""
    match loop:
        case ast.For(target=target, body=body):
            code: list[ast.AST] = list(body)
        case ast.ListComp(elt=value, generators=[ast.comprehension(target=target)]):
            code = [value]
        case _:
            return ""
    elements, parts = names(target), [part for node in code for part in walk(node)]
    ones: set[str] = set()
    for part in parts:
        match part:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) if any(
                _is_batch_of_one(inner, elements) for inner in walk(value)
            ):
                ones.add(name)
    for part in parts:
        if isinstance(part, ast.Call) and re.fullmatch(_MODEL, last_name(part)):
            given = [inner for argument in part.args for inner in walk(argument)]
            if any(_is_batch_of_one(inner, elements) or (names(inner) & ones) for inner in given):
                return ast.unparse(part.func)
    return ""


def _is_batch_of_one(node: ast.AST, elements: set[str]) -> bool:
    """`x[None]`, `x[tf.newaxis, ...]`, `tf.expand_dims(x, 0)`."""
    match node:
        case ast.Subscript(value=value, slice=ast.Tuple(elts=[first, *_]) | first):
            is_new = (isinstance(first, ast.Constant) and first.value is None) or last_name(first) == "newaxis"
            return is_new and bool(names(value) & elements)
        case (
            ast.Call(args=[value, ast.Constant(value=0)])
            | ast.Call(args=[value], keywords=[ast.keyword(arg="axis", value=ast.Constant(value=0))])
        ):
            return last_name(node) == "expand_dims" and bool(names(value) & elements)
    return False


def shows_or_trains(loop: ast.AST) -> bool:
    """Does it plot or save what it is given one by one, stop early, or train with it?"""
    for part in walk(loop):
        if isinstance(part, (ast.Break, ast.Return, ast.Yield)) or last_name(part) in _ONE_BY_ONE:
            return True
    return False


def counts_elements(tree: ast.Module, node: ast.AST) -> str:
    """The code that only counts elements, by the node that reads them: `len(list(ds))`; nothing where it does more."""
    match node:
        case ast.For(body=[ast.AugAssign(op=ast.Add(), value=ast.Constant(value=1)) as counted], orelse=[]):
            return f"for …: {ast.unparse(counted)}"
        case ast.Call(args=[_, ast.Lambda(args=ast.arguments(args=[first, _]), body=body)]) if _adds_one(
            body, first.arg
        ):
            return "reduce"
        case (
            ast.Call(func=ast.Name(id="list"), args=[_], keywords=[])
            | ast.ListComp(generators=[ast.comprehension(ifs=[])])
        ):
            counter = "len"
        case ast.GeneratorExp(elt=ast.Constant(value=1), generators=[ast.comprehension(ifs=[])]):
            counter = "sum"
        case _:
            return ""
    match way(tree, node)[1:2]:
        case [ast.Call(func=ast.Name(id=name), args=[given]) as call] if name == counter and given is node:
            return ast.unparse(call)
    return ""


def _adds_one(body: ast.expr, name: str) -> bool:
    match body:
        case ast.BinOp(left=ast.Name(id=found), op=ast.Add(), right=ast.Constant(value=1)):
            return found == name
    return False


def is_timed(tree: ast.Module, node: ast.AST) -> bool:
    """Does the code around ask for the time?"""
    scope = next((step for step in way(tree, node)[1:] if isinstance(step, _FUNCTIONS)), tree)
    return any(next(calls_of(scope, name), None) for name in ("time", "perf_counter", "monotonic", "timeit"))


def _keeps(statement: ast.stmt) -> bool:
    match statement:
        case ast.Pass() | ast.Expr(value=ast.Constant()) | ast.AugAssign(value=ast.Constant()):
            return True
        case ast.AugAssign(value=ast.Call(func=ast.Name(id="len"), args=[value])) | ast.Assign(value=value):
            return _only_picks(value)
        case ast.Expr(value=ast.Call() as call):
            return last_name(call) in _KEEPING and all(map(_only_picks, call.args))
    return False


def _only_picks(value: ast.expr) -> bool:
    """Names, items and attributes, as they are or as arrays."""
    return not any(
        isinstance(part, (ast.BinOp, ast.Await)) or (isinstance(part, ast.Call) and last_name(part) not in _PICKING)
        for part in walk(value)
    )


def takes_all(loop: ast.AST, call: ast.AST) -> bool:
    """Is it `while True`, which nothing ends but that a call in it finds no more elements?"""
    if not isinstance(loop, ast.While) or not isinstance(loop.test, ast.Constant) or not loop.test.value:
        return False
    tries = [step for step in way(loop, call) if isinstance(step, ast.Try)]
    handlers = [handler for step in tries for handler in step.handlers if caught(handler) & set(_ENDS)]
    ways_out = [part for part in walk(loop) if isinstance(part, (ast.Break, ast.Return, ast.Raise, ast.Yield))]
    return [handler.body[-1] for handler in handlers] == ways_out


def fetches_at_leisure(tree: ast.Module, maker: ast.AST) -> bool:
    """Does the code around the maker of an iterator of TensorFlow 1 fetch its elements outside of loops, or only to
    keep them?

    Not if that is not seen: who made it returns it, say, or no session runs there.
    """
    steps = way(tree, maker)
    if any(isinstance(step, (ast.Return, ast.Yield)) for step in steps):
        return False
    scope = next((step for step in steps if isinstance(step, _FUNCTIONS)), tree)
    runs = [call for name in ("run", "eval") for call in calls_of(scope, name) if "init" not in ast.unparse(call)]
    assignments = (node for node in walk(scope) if isinstance(node, ast.Assign))
    fetched = {name for node in assignments if last_name(node.value) == "get_next" for name in names(*node.targets)}
    return bool(runs) and all(_is_at_leisure(call, fetched, way(scope, call)) for call in runs)


def _is_at_leisure(run: ast.Call, fetched: set[str], steps: list[ast.AST]) -> bool:
    if not any(isinstance(step, (*_LOOPS, ast.ListComp)) for step in steps):
        return True
    return last_name(steps[1]) in _KEEPING and bool(run.args) and names(*run.args) <= fetched


def counter(loop: ast.AST) -> str:
    """The name that counts its passes, if it has one."""
    match loop:
        case ast.For(target=ast.Name(id=name), iter=ast.Call(func=ast.Name(id="range"))):
            return name
        case ast.For(target=ast.Tuple(elts=[ast.Name(id=name), *_]), iter=ast.Call(func=ast.Name(id="enumerate"))):
            return name
        case ast.For(body=body) | ast.While(body=body):
            counters = [name for statement in body if (name := _incremented(statement))]
            return counters[0] if len(counters) == 1 else ""
    return ""


def _incremented(statement: ast.stmt) -> str:
    """`step` of `step += 1`."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=ast.Add(), value=ast.Constant(value=1)):
            return name
    return ""


def calls_around(loop: ast.AST, node: ast.AST) -> set[str]:
    """The last names of the calls that a piece of its body is an argument of."""
    return {last_name(part) for part in way(loop, node) if isinstance(part, ast.Call)}


def runs_in_every_pass(loop: ast.AST, node: ast.AST) -> bool:
    """Does a piece of its body run in each of its passes, which are not left?"""
    steps = way(loop, node)
    if not steps or any(isinstance(step, _GUARDS) for step in steps[1:-1]):
        return False
    if not isinstance(loop, (ast.For, ast.While)):
        return True
    blocks = [loop.body, *(step.body for step in steps[1:-1] if isinstance(step, (ast.With, ast.Try)))]
    return not any(isinstance(part, (ast.Break, ast.Return, ast.Raise)) for block in blocks for part in block)


def comes_again(loop: ast.AST, node: ast.AST) -> bool:
    """Does it run a piece of its body in several passes, be it in each or in every third?"""
    if not isinstance(loop, (ast.For, ast.While)) or passes(loop) in (0, 1):
        return False
    steps = way(loop, node)[1:-1]
    now_and_then = [step for step in steps if isinstance(step, ast.If) and _counts_off(step.test)]
    if any(isinstance(step, _GUARDS) and step not in now_and_then for step in steps):
        return False
    blocks = [loop.body, *(step.body for step in steps if isinstance(step, (ast.With, ast.Try, ast.If)))]
    return not any(isinstance(part, (ast.Break, ast.Return, ast.Raise)) for block in blocks for part in block)


def _counts_off(test: ast.expr) -> bool:
    """`step % 10 == 0`"""
    return any(isinstance(part, ast.Mod) for part in walk(test))


def sites(loop: ast.AST, node: ast.AST, definition: str) -> list[ast.AST]:
    """Where in its body it comes to a piece of code: there itself, or where the function is called that it is in."""
    if holds(loop, node):
        return [node]
    name = definition.rpartition(".")[2]
    return list(calls_of(loop, name)) if name else []


def renews(loop: ast.AST, *parts: ast.AST) -> bool:
    """Does it assign one of the names and attributes by which something is reached in these pieces of code?"""
    stored = _reached(loop, ast.Store)
    return any(_reached(part, ast.expr_context) & stored for part in parts)


def walked(node: ast.AST) -> ast.AST:
    """What a loop walks, a comprehension first of all; another piece of code itself."""
    match node:
        case ast.For(iter=iterable) | ast.AsyncFor(iter=iterable):
            return iterable
        case ast.ListComp(generators=[first, *_]) | ast.SetComp(generators=[first, *_]):
            return first.iter
    return node


def changes(loop: ast.AST, call: ast.AST) -> bool:
    """Does it assign a name by which the first argument of a call, or else its receiver, is reached?"""
    if not isinstance(call, ast.Call):
        return True
    origin = call.args[0] if call.args else call.func
    return bool(_reached(loop, ast.Store) & _reached(origin, ast.expr_context))


def _reached(top: ast.AST, context: type[ast.expr_context]) -> set[str]:
    """Names and attributes as written: `ds`, `self.ds`."""
    parts = (node for node in walk(top) if isinstance(node, (ast.Name, ast.Attribute)))
    return {ast.unparse(node) for node in parts if isinstance(node.ctx, context)}


def uses_once(loop: ast.AST, made: ast.AST, calls: list[ast.AST]) -> bool:
    """Is one of these calls all that happens in its body to what another call makes there?"""
    match way(loop, made)[1:]:
        case [ast.Call() as user, *_] | [ast.Attribute(), user, *_]:
            return user in calls
        case [ast.Assign(targets=[ast.Name(id=name), *_]), *_]:
            reads = _names(loop, name, ast.Load)
            return reads == sum(_names(call, name, ast.expr_context) for call in calls) == 1
    return False


def assigns_once(loop: ast.AST, name: str) -> bool:
    """Does a name stand for one thing in its body?"""
    return _names(loop, name, ast.Store) + _names(loop, name, ast.Del) == 1


def _names(top: ast.AST, name: str, context: type[ast.expr_context]) -> int:
    """How often a name is read, or assigned."""
    parts = (node for node in walk(top) if isinstance(node, ast.Name) and node.id == name)
    return sum(isinstance(node.ctx, context) for node in parts)


def makes_the_same(tree: ast.Module, loop: ast.AST, calls: Collection[ast.AST], functions: Collection[ast.AST]) -> bool:
    """Do these calls in its body, which are given these functions, make the same in each pass, as far as one can see?

    What they read is neither assigned in the loop nor handed to what might change it.
    """
    made = {id(call) for call in calls}
    parts = {id(part): part for call in calls for part in _run_by(call)}
    if not made <= {id(part) for part in walk(loop)}:
        return False
    if any(isinstance(part, ast.Call) and key not in made and last_name(part) != "len" for key, part in parts.items()):
        return False
    inside = {id(part) for call in calls for part in walk(call)}
    rest = [part for part in walk(loop) if id(part) not in inside]
    own = {id(target): target.id for part in rest for target in _named(part, made)}
    assigned = {name for part in rest if id(part) not in own for name in _assigned(part)}
    handed = {name for part in rest for name in _handed(part)} - _imported(tree)
    read = {name for part in (*calls, *functions) for name in _free(part)}
    return not assigned & (read | set(own.values())) and not handed & (read - set(own.values()))


def _run_by(call: ast.AST) -> Iterator[ast.AST]:
    """What runs where a call does: not what is in lambdas."""
    todo = [call]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, ast.Lambda):
            todo.extend(children(node))


def _named(node: ast.AST, made: Collection[int]) -> list[ast.Name]:
    """The name that a statement gives to what one of these calls makes."""
    match node:
        case ast.Assign(targets=[ast.Name() as target], value=value) if id(value) in made:
            return [target]
    return []


def _assigned(node: ast.AST) -> set[str]:
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case (
            ast.Attribute(value=value, ctx=ast.Store() | ast.Del())
            | ast.Subscript(value=value, ctx=ast.Store() | ast.Del())
        ):
            return names(value)
    return set()


def _handed(node: ast.AST) -> set[str]:
    """The names of what a call is given, or is a method of."""
    if not isinstance(node, ast.Call) or last_name(node) in _READING:
        return set()
    receiver = [node.func.value] if isinstance(node.func, ast.Attribute) else []
    return names(*receiver, *node.args, *(keyword.value for keyword in node.keywords))


def _free(node: ast.AST) -> set[str]:
    """The names that some code reads, but for its parameters and what it assigns itself."""
    bound = {part.arg for part in walk(node) if isinstance(part, ast.arg)}
    parts = [part for part in walk(node) if isinstance(part, ast.Name)]
    bound |= {part.id for part in parts if isinstance(part.ctx, ast.Store)}
    return {part.id for part in parts} - bound


def _imported(tree: ast.Module) -> set[str]:
    """The names of modules and of what is imported from them."""
    imports = (node for node in walk(tree) if isinstance(node, (ast.Import, ast.ImportFrom)))
    return {(alias.asname or alias.name).partition(".")[0] for node in imports for alias in node.names}


def is_lazy(loop: ast.AST) -> bool:
    """A generator expression, which runs as far as somebody asks."""
    return isinstance(loop, ast.GeneratorExp)


def yields_forever(function: ast.AST) -> bool:
    """Is it a generator with a `while True` that nothing leaves?"""
    if not isinstance(function, ast.FunctionDef):
        return False
    loops = [node for node in function.body if isinstance(node, ast.While) and isinstance(node.test, ast.Constant)]
    return any(
        isinstance(loop.test, ast.Constant)
        and bool(loop.test.value)
        and _stays_in(loop, may_yield=True)
        and any(isinstance(part, (ast.Yield, ast.YieldFrom)) for part in walk(loop))
        for loop in loops
    )


def reaches_the_end(loop: ast.AST, may_yield: bool = False) -> bool:
    """Does nothing in a `for` loop end it: no statement that leaves, no companion that runs out?"""
    return isinstance(loop, ast.For) and _walks_all_of(loop.iter) and _stays_in(loop, may_yield)


def _stays_in(loop: ast.For | ast.While, may_yield: bool) -> bool:
    """Does no statement leave a loop?"""
    todo: list[tuple[ast.AST, bool]] = [(node, True) for node in loop.body]
    while todo:
        node, own = todo.pop()
        match node:
            case ast.Yield() | ast.YieldFrom() if may_yield:
                pass
            case ast.Return() | ast.Raise() | ast.Yield() | ast.YieldFrom() | ast.Await() | ast.Assert():
                return False
            case ast.Break() if own:
                return False
            case ast.Call() if last_name(node) in _LEAVING:
                return False
        if not isinstance(node, _FUNCTIONS):
            inside = own and not isinstance(node, _LOOPS)
            todo.extend((child, inside) for child in children(node))
    return True


def _walks_all_of(node: ast.expr) -> bool:
    """`ds` itself, also under `enumerate` or a progress bar; `zip` and `islice` end with their other arguments."""
    match node:
        case ast.Name() | ast.Attribute():
            return True
        case ast.Call(func=ast.Name(id="enumerate" | "iter" | "tqdm") | ast.Attribute(attr="tqdm"), args=[inner, *_]):
            return _walks_all_of(inner)
        case ast.Call(func=ast.Attribute(value=inner)):
            return not isinstance(inner, ast.Name) or inner.id != "itertools"
    return False


# ── functions that run after the pass that made them ────────────────────────────────────────────────────────────────

_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_STORING = frozenset({"append", "add", "insert", "extend", "setdefault", "update", "put", "concatenate", "zip"})


def late_bound(loop: ast.AST, function: ast.AST) -> list[str]:
    """What a function that is made in each pass reads, and the next pass changes: names of the loop."""
    steps = way(loop, function)
    if not steps or not isinstance(function, (ast.Lambda, ast.FunctionDef)):
        return []
    varying = _varying(loop)
    # A function or comprehension in between may have such a name of its own, and one that is called brings a value.
    for step in steps[1:-1]:
        if isinstance(step, (ast.FunctionDef, ast.Lambda)):
            varying -= _own(step)
        elif isinstance(step, _COMPREHENSIONS):
            varying -= names(*(part.target for part in step.generators))
    varying -= _own(function)
    body = function.body if isinstance(function.body, list) else [function.body]
    read = [part for node in body for part in walk(node) if isinstance(part, ast.Name)]
    return list(dict.fromkeys(part.id for part in read if part.id in varying and isinstance(part.ctx, ast.Load)))


def _varying(loop: ast.AST) -> set[str]:
    """The names that a loop gives another value in each pass."""
    if isinstance(loop, _COMPREHENSIONS):
        return names(*(part.target for part in loop.generators))
    if not isinstance(loop, ast.For):
        return set()
    found = names(loop.target)
    assignments = [part for node in loop.body for part in walk(node) if isinstance(part, ast.Assign)]
    for _ in range(3):
        for part in assignments:
            if names(part.value) & found and all(isinstance(target, ast.Name) for target in part.targets):
                found |= names(*part.targets)
    return found


def _own(function: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The parameters and local names of a function."""
    arguments = function.args
    listed = (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg)
    own = {argument.arg for argument in listed if argument is not None}
    body = function.body if isinstance(function.body, list) else [function.body]
    parts = [part for node in body for part in walk(node)]
    outer = {name for part in parts if isinstance(part, (ast.Global, ast.Nonlocal)) for name in part.names}
    stores = {part.id for part in parts if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store)}
    return (own | stores) - outer


def outlives(loop: ast.AST, made: ast.AST) -> bool:
    """Is what a piece of its body makes in each pass kept beside those of the passes before?"""
    steps = way(loop, made)
    if any(isinstance(step, (ast.FunctionDef, ast.Lambda, ast.Return, ast.Yield)) for step in steps[1:]):
        return False
    if isinstance(loop, (ast.ListComp, ast.DictComp)):
        return True
    if not isinstance(loop, ast.For) or any(isinstance(part, ast.Break) for part in walk(loop)):
        return False
    parts = [part for node in loop.body for part in walk(node)]
    made_of: set[str] = set()

    def holds_it(node: ast.AST) -> bool:
        return holds(node, made) or bool(names(node) & made_of)

    for part in (part for part in parts if isinstance(part, ast.Assign)):
        if holds_it(part.value):
            if any(isinstance(target, ast.Subscript) for target in part.targets):
                return True
            made_of |= {target.id for target in part.targets if isinstance(target, ast.Name)}
    return any(
        isinstance(part, ast.Call) and last_name(part) in _STORING and any(map(holds_it, part.args)) for part in parts
    )
