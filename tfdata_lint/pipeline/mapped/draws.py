"""Draws of `random` and `numpy.random` in a mapped function, written as operations of `tf.random`.

The draw becomes a tensor, of float32 or int32 unless it says otherwise. Python numbers and arrays take the dtype of
what they meet, tensors do not; and what Python decides by a number it cannot decide by a tensor, unless AutoGraph
converts it. Hence each use is followed, and where it is not seen that a tensor does, the reason is given instead.
"""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.knowledge.draws import COUNTERPARTS, KEEPING, KEYWORDS, TAKING
from tfdata_lint.pipeline.knowledge.names import plain
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction
from tfdata_lint.pipeline.project.syntax import Syntax, assigned_value
from tfdata_lint.source.trees import walk

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load)
_LINEAR = (ast.Add, ast.Sub, ast.Mult)
_UNSEEN = "it is not seen that a tensor would do where the number is used"


class NoTensor(Exception):
    """A tensor cannot be put in the place of a number, or it is not seen that it can; the text says why."""


def operation_for(what: str) -> str:
    """The operation that draws for every element what a function of Python draws once; empty where there is none."""
    module, _, name = what.rpartition(".")
    return f"tf.random.{COUNTERPARTS[name][0]}" if "random" in module.split(".") and name in COUNTERPARTS else ""


def as_tensor(syntax: Syntax, function: MappedFunction, effect: Effect, tensorflow: str) -> str:
    """The code that draws with TensorFlow, for a draw whose call stands in this module. Raises NoTensor."""
    assert isinstance(effect.node, ast.Call)
    return _Draw(syntax, function, effect.what, effect.node, tensorflow).code


class _Draw:
    """One draw: what is drawn, and all that happens to it."""

    def __init__(self, syntax: Syntax, function: MappedFunction, what: str, call: ast.Call, tensorflow: str) -> None:
        self.syntax, self.function, self.tensorflow = syntax, function, tensorflow
        module, _, name = what.rpartition(".")
        self.operation, *parameters = COUNTERPARTS[name]
        self.is_float = name not in ("randint", "randrange")
        self.kind = "float" if self.is_float else "int"
        self.float32 = f"{tensorflow}.float32"
        self.shape = ""
        self.range: list[str] = []
        if name in ("rand", "randn") and not call.keywords:
            self.shape = self._shape(ast.Tuple(call.args))
        elif module.startswith(("random", "np.random")):
            self._read(_given(call, parameters), what == "random.randint")
        else:
            raise NoTensor("its arguments have no counterpart")
        self.dtypes: set[str] = set()
        """The types that it must have, for each use that asks for one (empty: its own)."""
        self._follow(call, call)
        if len(self.dtypes) > 1:
            raise NoTensor("the number is used with tensors of several types")

    @property
    def code(self) -> str:
        tf, dtype = self.tensorflow, next(iter(self.dtypes), "")
        arguments = ", ".join((self.shape or "[]", *self.range))
        if self.is_float:
            return f"{tf}.random.{self.operation}({arguments}{dtype and f', dtype={dtype}'})"
        drawn = f"{tf}.random.uniform({arguments}, dtype={tf}.int32)"
        return f"{tf}.cast({drawn}, {dtype})" if dtype else drawn

    # ── what is drawn ───────────────────────────────────────────────────────────────────────────────────────────

    def _read(self, given: dict[str, tuple[ast.expr, bool]], draws_its_bound: bool) -> None:
        if not self.is_float and "minval" not in given:
            raise NoTensor("its arguments have no counterpart")
        if not self.is_float and "maxval" not in given:
            given["maxval"] = (given.pop("minval")[0], False)
        for parameter, (value, is_positional) in given.items():
            if parameter == "shape":
                self.shape = self._shape(value)
                continue
            text = self.syntax.written(value)
            if not self._is_known(value):
                raise NoTensor(f"`{text}` may be a tensor, or change")
            if draws_its_bound and parameter == "maxval":
                text = str(ast.literal_eval(value) + 1) if _number(value) == "int" else f"{text} + 1"
            self.range.append(text if is_positional else f"{parameter}={text}")

    def _shape(self, node: ast.expr) -> str:
        match node:
            case ast.Constant(value=None):
                return ""
            case ast.Constant(value=int(size)):
                return f"[{size}]"
            case ast.Tuple(elts=sizes) | ast.List(elts=sizes) if all(_number(size) == "int" for size in sizes):
                return f"[{', '.join(str(ast.literal_eval(size)) for size in sizes)}]" if sizes else ""
            case ast.Attribute(attr="shape") if all(isinstance(part, _PLAIN) for part in walk(node)):
                return self.syntax.written(node)
        raise NoTensor("the shape is not seen")

    def _is_known(self, node: ast.expr) -> bool:
        """Is it a number that is made outside of the function?"""
        match node:
            case ast.BinOp(left=left, right=right):
                return self._is_known(left) and self._is_known(right)
            case ast.UnaryOp(op=ast.USub(), operand=value) | ast.Attribute(value=value) if not _number(node):
                return self._is_known(value)
            case ast.Name(id="self"):
                return True
            case ast.Name(id=name):
                found = self.syntax.scopes.binds(name, node)
                around = self.syntax.way(self.function.node)[:-1] if self.function.node is not None else []
                return found is not None and any(found[0] is scope for scope in (self.syntax.tree, *around))
        return bool(_number(node))

    # ── how it is used ──────────────────────────────────────────────────────────────────────────────────────────

    def _follow(self, node: ast.expr, origin: ast.expr) -> None:
        """Look at the use of an expression whose value comes from the draw; `origin` is what its name was given."""
        way = self.syntax.way(node)
        match way[-2] if len(way) > 1 else None:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                self._follow_name(name, node)
            case ast.UnaryOp(op=ast.USub()) as negated:
                self._follow(negated, origin)
            case ast.BinOp(left=left, right=right) as sum_:
                self._meet(sum_, right if node is left else left, origin)
            case ast.AugAssign(target=target) as sum_:
                self._meet(sum_, target, origin)
            case ast.Compare(left=left, comparators=[right]):
                self._compare(way, right if node is left else left)
            case ast.keyword(arg=name):
                self._give(way[-3], name or "")
            case ast.Call(args=arguments) as call if node in arguments:
                self._give(call, str(arguments.index(node)))
            case _ if self._is_result(way):
                self.dtypes.add(f"{self.tensorflow}.float64" if self.shape else "")
            case _:
                raise NoTensor(_UNSEEN)

    def _follow_name(self, name: str, node: ast.expr) -> None:
        found = self.syntax.scopes.binds(name, node)
        if found is None or len(found[1]) != 1 or not isinstance(found[0], ast.FunctionDef):
            raise NoTensor(_UNSEEN)
        for read in walk(found[0]):
            if isinstance(read, ast.Name) and read.id == name and isinstance(read.ctx, ast.Load):
                self._follow(read, node)

    def _meet(self, operation: ast.BinOp | ast.AugAssign, other: ast.expr, origin: ast.expr) -> None:
        """It is added to something, say, whose type it must then have."""
        if not isinstance(operation.op, (*_LINEAR, ast.Div) if self.is_float else _LINEAR):
            raise NoTensor(_UNSEEN)
        if isinstance(operation, ast.BinOp) and _number(other) in ("int", self.kind):
            self._follow(operation, origin)
        elif dtype := self._dtype(other, origin):
            self.dtypes.add("" if self.is_float and dtype == self.float32 else dtype)
        else:
            raise NoTensor(_UNSEEN)

    def _give(self, call: ast.AST, place: str) -> None:
        """It is an argument."""
        taking = TAKING.get(self._operation(call))
        if taking is None or self.shape or place not in taking.places or taking.kind not in ("", self.kind):
            raise NoTensor(_UNSEEN)
        self.dtypes.add("")

    def _is_result(self, way: list[ast.AST]) -> bool:
        """Is it what the mapped function returns, or part of it?"""
        above = [step for step in way[:-1] if not isinstance(step, (ast.Tuple, ast.Dict))]
        if isinstance(above[-1], ast.Return):
            return next(step for step in reversed(above) if isinstance(step, _DEFINITIONS)) is self.function.node
        return isinstance(above[-1], ast.Lambda) and above[-1] is self.function.node

    # ── decisions ───────────────────────────────────────────────────────────────────────────────────────────────

    def _compare(self, way: list[ast.AST], bound: ast.expr) -> None:
        is_whole = not self.is_float and _number(bound) != "int"
        if self.shape or is_whole or not self._is_known(bound):
            raise NoTensor(_UNSEEN)
        if self._is_result(way[:-1]):
            return
        function = next((step for step in reversed(way) if isinstance(step, _DEFINITIONS)), None)
        choice = way[-3]
        if not isinstance(choice, (ast.If, ast.IfExp)) or choice.test is not way[-2]:
            raise NoTensor(_UNSEEN)
        if not isinstance(function, ast.FunctionDef) or function.decorator_list:
            raise NoTensor("AutoGraph may not convert what is decided here")
        if not self._keeps_all(choice):
            raise NoTensor("TensorFlow needs the same types on both ways of what is decided here, which are not seen")

    def _keeps_all(self, choice: ast.If | ast.IfExp) -> bool:
        """Does each way only change tensors into others of their type?"""
        if isinstance(choice, ast.IfExp):
            return self._keep_one(choice.body, choice.orelse)
        if all(self._keeps(statement) for statement in (*choice.body, *choice.orelse)):
            return True
        # `return f(x)`, then `return x`.
        block = self.syntax.block(choice)
        rest = choice.orelse or (block.statements[block.index + 1 :] if block is not None else [])
        match choice.body, rest:
            case [ast.Return(value=ast.expr() as one)], [ast.Return(value=ast.expr() as other)]:
                return self._keep_one(one, other)
        return False

    def _keeps(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.Pass():
                return True
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self._kept(value) == name
            case ast.AugAssign(target=ast.Name() as target, op=ast.Add() | ast.Sub() | ast.Mult(), value=value):
                return bool(_number(value)) and self._is_tensor(target)
        return False

    def _keep_one(self, one: ast.expr, other: ast.expr) -> bool:
        name = self._kept(one)
        return bool(name) and name == self._kept(other)

    def _kept(self, node: ast.expr) -> str:
        """The name whose type and shape an expression has."""
        match node:
            case ast.Name(id=name):
                return name
            case ast.Call(args=[first, *_]) if self._operation(node) in KEEPING:
                return self._kept(first)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
                other = left if _number(right) else right if _number(left) else None
                return self._kept(other) if other is not None and self._is_tensor(other) else ""
        return ""

    # ── types ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _is_tensor(self, node: ast.expr) -> bool:
        match node:
            case ast.Call():
                return bool(self._operation(node))
            case ast.BinOp(left=left, right=right):
                return self._is_tensor(left) or self._is_tensor(right)
            case ast.Subscript(value=value):
                return self._is_tensor(value)
            case ast.Name(id=name):
                reached = self._reaching(name, node)
                return self._is_tensor(reached) if isinstance(reached, ast.expr) else self._is_element(reached)
        return False

    def _dtype(self, node: ast.expr, origin: ast.expr) -> str:
        """The type of a tensor, in code that says it where the number is drawn; empty where it is not seen."""
        match node:
            case ast.BinOp(left=left, right=right):
                return self._dtype(left, origin) or self._dtype(right, origin)
            case ast.Call(args=[first, *_]):
                is_kept = self._operation(node) in KEEPING
                return self._dtype(first, origin) if is_kept else self.float32 if self._makes_float32(node) else ""
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant()) | ast.Name(id=name):
                value = self._reaching(name, node)
                if isinstance(node, ast.Name) and isinstance(value, ast.expr) and (known := self._dtype(value, origin)):
                    return known
                same = value is not None and value is self._reaching(name, origin)
                return f"{self.syntax.written(node)}.dtype" if same and self._is_tensor(node) else ""
        return ""

    def _makes_float32(self, call: ast.Call) -> bool:
        match self._operation(call):
            case "cast" | "image.convert_image_dtype":
                given = [*call.args[1:], *(keyword.value for keyword in call.keywords if keyword.arg == "dtype")]
                return bool(given) and ast.unparse(given[0]).rpartition(".")[2] == "float32"
            case "image.resize":
                return len(call.args) == 2 and all(keyword.arg != "method" for keyword in call.keywords)
            case "random.uniform" | "random.normal":
                return not call.keywords and len(call.args) < 4
        return False

    def _is_element(self, argument: ast.AST | None) -> bool:
        """Is it a parameter that the mapped function gets the element by?"""
        if not isinstance(argument, ast.arg) or not isinstance(self.function.node, _DEFINITIONS):
            return False
        given = self.function.node.args
        positional = [*given.posonlyargs, *given.args]
        without_default = positional[: len(positional) - len(given.defaults)]
        return argument in without_default and argument.arg not in ("self", "cls")

    def _reaching(self, name: str, place: ast.AST) -> ast.AST | None:
        """The value that a name has there: what was assigned to it on rows above, or its parameter."""
        way = self.syntax.way(place)
        for child, parent in zip(reversed(way[1:]), reversed(way[:-1]), strict=True):
            for statement in _above(parent, child):
                if _stores(statement, name):
                    return assigned_value(statement, name)
            if isinstance(parent, _DEFINITIONS):
                arguments = (*parent.args.posonlyargs, *parent.args.args, *parent.args.kwonlyargs)
                return next((argument for argument in arguments if argument.arg == name), None)
            if isinstance(parent, _LOOPS) and _stores(parent, name):
                return None
        return None

    def _operation(self, call: ast.AST) -> str:
        """The operation of TensorFlow that is called: `image.resize`."""
        if not isinstance(call, ast.Call):
            return ""
        library, _, operation = plain(self.syntax.scopes.full_name(call.func)).partition(".")
        return operation if library == "tensorflow" else ""


def _above(parent: ast.AST, child: ast.AST) -> list[ast.stmt]:
    """The statements before one in its block, the nearest first."""
    for statements in (getattr(parent, part, None) for part in ("body", "orelse", "finalbody")):
        if isinstance(statements, list) and any(child is statement for statement in statements):
            return statements[: statements.index(child)][::-1]
    return []


def _stores(tree: ast.AST, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load) for node in walk(tree)
    )


def _given(call: ast.Call, parameters: list[str]) -> dict[str, tuple[ast.expr, bool]]:
    """The arguments of a call by their new names, and whether they are positional."""
    given = {name: (argument, True) for name, argument in zip(parameters, call.args, strict=False)}
    given |= {KEYWORDS.get(keyword.arg or "", ""): (keyword.value, False) for keyword in call.keywords}
    is_starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    if is_starred or len(call.args) > len(parameters) or not given.keys() <= set(parameters):
        raise NoTensor("its arguments have no counterpart")
    return given


def _number(node: ast.expr) -> str:
    """`int` or `float` for a number that is written out."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return type(value).__name__
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _number(operand)
    return ""
