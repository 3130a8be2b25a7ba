"""Draws of `random` and `numpy.random` in a mapped function, written as operations of `tf.random`.

The draw becomes a tensor, of float32 or int32 unless it says otherwise. Python numbers and arrays take the dtype of
what they meet, tensors do not; and what Python decides by a number it cannot decide by a tensor, unless AutoGraph
converts it. Hence each use is followed, and where it is not seen that a tensor does, the reason is given instead.

Uses are those that are written: most, as a test or `[x] * n`, leave no trace in the expression graph, and that there
is no further one must be certain. What a number meets there, and of which dtype, the graph says.
"""

from __future__ import annotations

import ast

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.knowledge.rows import Known
from tfdata_lint.pipeline.nouns.elements import whatever_is_given
from tfdata_lint.pipeline.nouns.fold import expressions
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.structure import Tensor
from tfdata_lint.pipeline.nouns.values import Expr, External, Value
from tfdata_lint.pipeline.project.syntax import Syntax
from tfdata_lint.source.trees import walk

_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_SCOPES_AND_LOOPS = (
    *_DEFINITIONS, ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp,
)  # fmt: skip
_PLAIN = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.Load)
_LINEAR = (ast.Add, ast.Sub, ast.Mult)
_UNSEEN = "the number may be used where a tensor does not work"


class NoTensor(Exception):
    """A tensor cannot be put in the place of a number, or it is not seen that it can; the text says why."""


def operation_for(what: str) -> str:
    """The operation that draws for every element what a function of Python draws once; empty where there is none."""
    operation = _counterpart(what).partition(" ")[0]
    return operation and f"tf.random.{operation}"


def _counterpart(what: str) -> str:
    return known(what.replace("np.", "numpy.", 1)).draws


def as_tensor(syntax: Syntax, stage: Stage, function: MappedFunction, effect: Effect, tensorflow: str) -> str:
    """The code that draws with TensorFlow, for a draw whose call stands in this module. Raises NoTensor."""
    assert isinstance(effect.node, ast.Call)
    return _Draw(syntax, stage, function, effect.what, effect.node, tensorflow).code


class _Draw:
    """One draw: what is drawn, and all that happens to it."""

    def __init__(
        self, syntax: Syntax, stage: Stage, function: MappedFunction, what: str, call: ast.Call, tensorflow: str
    ) -> None:
        self.syntax, self.function, self.tensorflow = syntax, function, tensorflow
        self.reading = whatever_is_given(stage)
        self.made: dict[int, list[Expr]] = {}
        """What the syntax of the function makes, each time that it is run; by `id`."""
        for expr in expressions(stage.result):
            self.made.setdefault(id(expr.node), []).append(expr)
        name = last(what)
        self.operation, *parameters = _counterpart(what).split()
        self.is_float = name not in ("randint", "randrange")
        self.kind = "float" if self.is_float else "int"
        self.float32 = f"{tensorflow}.float32"
        self.shape = ""
        self.range: list[str] = []
        if name in ("rand", "randn") and not call.keywords:
            self.shape = self._shape(ast.Tuple(call.args))
        else:
            self._read(_given(call, dict(parameter.split("=") for parameter in parameters)))
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

    def _read(self, given: dict[str, tuple[ast.expr, bool]]) -> None:
        if not self.is_float and "minval" not in given:
            raise NoTensor("the TensorFlow operation has no such arguments")
        if not self.is_float and len(given) == 1:
            given["maxval"] = (given.pop("minval")[0], False)
        for parameter, (value, is_positional) in given.items():
            if parameter == "shape":
                self.shape = self._shape(value)
                continue
            text = self.syntax.written(value)
            if not self._is_known(value):
                raise NoTensor(f"`{text}` may be a tensor, or change")
            if parameter == "last":
                text = str(ast.literal_eval(value) + 1) if _number(value) == "int" else f"{text} + 1"
            self.range.append(text if is_positional else f"{parameter.replace('last', 'maxval')}={text}")

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
        raise NoTensor("the shape is not known")

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
                self._meet(sum_, right if node is left else left, int(node is left), origin)
            case ast.AugAssign(target=target) as sum_:
                self._meet(sum_, target, 0, origin)
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

    def _meet(self, operation: ast.BinOp | ast.AugAssign, other: ast.expr, place: int, origin: ast.expr) -> None:
        """It is added to something, say, whose type it must then have."""
        if not isinstance(operation.op, (*_LINEAR, ast.Div) if self.is_float else _LINEAR):
            raise NoTensor(_UNSEEN)
        if isinstance(operation, ast.BinOp) and _number(other) in ("int", self.kind):
            self._follow(operation, origin)
            return
        if self.function.node not in self.syntax.way(origin):
            # Others may give a helper something else.
            raise NoTensor(_UNSEEN)
        dtypes = {self._dtype(other, value, origin) for value in self._operands(operation, place)}
        if len(dtypes) != 1 or "" in dtypes:
            raise NoTensor(_UNSEEN)
        dtype = dtypes.pop()
        self.dtypes.add("" if self.is_float and dtype == self.float32 else dtype)

    def _give(self, call: ast.AST, place: str) -> None:
        """It is an argument."""
        kind, *places = self._operation(call).number.split() or [""]
        if self.shape or place not in places or kind not in ("any", self.kind):
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
            raise NoTensor("AutoGraph may not convert the condition that uses the number")
        if not self._keeps_all(choice):
            raise NoTensor("TensorFlow needs the same types in both branches, and these are not known")

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
            case ast.AugAssign(target=ast.Name(), op=ast.Add() | ast.Sub() | ast.Mult(), value=value):
                return bool(_number(value)) and self._is_of_tensor(statement, 0)
        return False

    def _keep_one(self, one: ast.expr, other: ast.expr) -> bool:
        name = self._kept(one)
        return bool(name) and name == self._kept(other)

    def _kept(self, node: ast.expr) -> str:
        """The name whose type and shape an expression has."""
        match node:
            case ast.Name(id=name):
                return name
            case ast.Call(args=[first, *_]) if self._keeps_type(node):
                return self._kept(first)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
                place = 0 if _number(right) else 1
                is_kept = bool(_number((right, left)[place])) and self._is_of_tensor(node, place)
                return self._kept((left, right)[place]) if is_kept else ""
        return ""

    # ── types ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _operands(self, operation: ast.AST, place: int) -> list[Value]:
        return [expr.of[place] for expr in self.made.get(id(operation), ())]

    def _is_of_tensor(self, operation: ast.AST, place: int) -> bool:
        operands = self._operands(operation, place)
        return bool(operands) and all(map(_is_tensor, operands))

    def _dtype(self, node: ast.AST, value: Value, origin: ast.expr) -> str:
        """The type of a tensor, in code that says it where the number is drawn; empty where it is not seen."""
        tensor = self.reading.tensor(value)
        if isinstance(tensor, Tensor) and tensor.dtype == "float32" and tensor.kind != "array":
            return self.float32
        match node, value:
            case ast.BinOp(left=left, right=right), Expr(of=(one, other)):
                return self._dtype(left, one, origin) or self._dtype(right, other, origin)
            case ast.Call(args=[first, *_]), Expr(of=(kept, *_)) if self._keeps_type(node):
                return self._dtype(first, kept, origin)
            case (ast.Subscript(value=ast.Name(id=name), slice=ast.Constant()) | ast.Name(id=name)) as read, Expr():
                made = value.node
                if made is not None and made is not node and (known := self._dtype(made, value, origin)):
                    return known
                is_same = _is_tensor(value) and self._is_the_same(name, read, origin)
                return f"{self.syntax.written(read)}.dtype" if is_same else ""
        return ""

    def _is_the_same(self, name: str, one: ast.AST, other: ast.AST) -> bool:
        """Has a name the same value at both places of the mapped function?"""
        ways = self.syntax.way(one), self.syntax.way(other)
        around, also = ([step for step in way if isinstance(step, _SCOPES_AND_LOOPS)] for way in ways)
        if around != also:
            return False
        statements = [next(step for step in reversed(way) if isinstance(step, ast.stmt)) for way in ways]
        first, last = sorted(map(self.syntax.start, statements))
        return not any(
            isinstance(node, ast.Name)
            and node.id == name
            and not isinstance(node.ctx, ast.Load)
            and first <= self.syntax.start(node) < last
            for node in walk(around[0])
        )

    def _operation(self, call: ast.AST) -> Known:
        """What is known of the operation of TensorFlow that is called."""
        name = self.syntax.scopes.full_name(call.func) if isinstance(call, ast.Call) else ""
        return known(name) if plain(name).startswith("tensorflow.") else Known()

    def _keeps_type(self, call: ast.AST) -> bool:
        """Has the result the type and shape of the first argument?"""
        row = self._operation(call)
        return row.gives == "same" and not row.dtype


@recursive
def _is_tensor(value: Value) -> bool:
    """Is it a tensor, or made of one by operators?"""
    match value:
        case Expr(by="parameter"):
            return True
        case Expr(by="either", of=parts):
            return all(map(_is_tensor, parts))
        case Expr(by=by, of=parts) if "." not in by:
            return any(map(_is_tensor, parts))
        case Expr(by=name) | External(symbol=name):
            return plain(name).startswith("tensorflow.")
    return False


def _given(call: ast.Call, parameters: dict[str, str]) -> dict[str, tuple[ast.expr, bool]]:
    """The arguments of a call by their new names, and whether they are positional."""
    given = {name: (argument, True) for name, argument in zip(parameters.values(), call.args, strict=False)}
    given |= {parameters.get(keyword.arg or "", ""): (keyword.value, False) for keyword in call.keywords}
    is_starred = any(isinstance(argument, ast.Starred) for argument in call.args)
    if is_starred or "" in given or len(call.args) > len(parameters):
        raise NoTensor("the TensorFlow operation has no such arguments")
    return given


def _number(node: ast.expr) -> str:
    """`int` or `float` for a number that is written out."""
    match node:
        case ast.Constant(value=int() | float() as value) if not isinstance(value, bool):
            return type(value).__name__
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _number(operand)
    return ""
