"""Draws of `random` and `numpy.random` written as operations of `tf.random`, where the program then still runs.

The draw becomes a tensor, of float32 or int32 unless it says otherwise. Python numbers and arrays take the dtype of
what they meet, tensors do not; and what Python decides by a number it cannot decide by a tensor, unless AutoGraph
converts it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction
from tfdata_lint.pipeline.project.syntax import assigned_value
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rewriting.statements import is_plain

#: Parameters in their order, under the names that `tf.random.uniform` and `tf.random.normal` have for them.
_PARAMETERS: dict[str, dict[str, str]] = {
    "random": {"size": "shape"},
    "random_sample": {"size": "shape"},
    "standard_normal": {"size": "shape"},
    "uniform": {"low": "minval", "high": "maxval", "size": "shape"},
    "normal": {"loc": "mean", "scale": "stddev", "size": "shape"},
    "randint": {"low": "minval", "high": "maxval"},
    "random.random": {},
    "random.uniform": {"a": "minval", "b": "maxval"},
    "random.randint": {"a": "minval", "b": "maxval"},
    "random.randrange": {"start": "minval", "stop": "maxval"},
    "random.gauss": {"mu": "mean", "sigma": "stddev"},
    "random.normalvariate": {"mu": "mean", "sigma": "stddev"},
}
_INTEGERS = ("randint", "randrange")

#: Operations that keep the type and shape of their first argument.
_KEEPING = frozenset(
    {
        "clip_by_value", "identity", "reverse",
        "image.adjust_brightness", "image.adjust_contrast", "image.adjust_gamma", "image.adjust_hue",
        "image.adjust_saturation", "image.flip_left_right", "image.flip_up_down", "image.random_brightness",
        "image.random_contrast", "image.random_flip_left_right", "image.random_flip_up_down", "image.random_hue",
        "image.random_saturation",
    }
)  # fmt: skip
#: Operations that take a tensor for these arguments (measured), by the kind of number.
_TAKING: dict[str, tuple[str, ...]] = {
    "image.adjust_brightness": ("float", "1", "delta"),
    "image.adjust_contrast": ("float", "1", "contrast_factor"),
    "image.adjust_hue": ("float", "1", "delta"),
    "image.adjust_saturation": ("float", "1", "saturation_factor"),
    "image.adjust_gamma": ("float", "1", "gamma", "2", "gain"),
    "image.adjust_jpeg_quality": ("int", "1", "jpeg_quality"),
    "image.rot90": ("int", "1", "k"),
    "roll": ("int", "1", "shift"),
    "gather": ("int", "1", "indices"),
    "one_hot": ("int", "0", "indices"),
    "cast": ("", "0", "x"),
}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_LOOPS = (ast.For, ast.AsyncFor, ast.While, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
_UNSEEN = "it is not seen that a tensor would do where the number is used"


@dataclass(frozen=True, slots=True)
class _Draw:
    """A draw as it will be written, but for its dtype."""

    operation: str
    shape: str
    arguments: tuple[str, ...]
    kind: str

    def written(self, tensorflow: str, dtype: str) -> str:
        shape_and_range = ", ".join((self.shape or "[]", *self.arguments))
        if self.kind == "float":
            return f"{tensorflow}.random.{self.operation}({shape_and_range}{dtype and f', dtype={dtype}'})"
        drawn = f"{tensorflow}.random.uniform({shape_and_range}, dtype={tensorflow}.int32)"
        return f"{tensorflow}.cast({drawn}, {dtype})" if dtype else drawn


def rewrite(draft: Draft, function: MappedFunction, effect: Effect, operation: str) -> None:
    """Put an operation of TensorFlow in the place of a draw."""
    call = effect.node
    if not isinstance(call, ast.Call) or not draft.can_edit(call):
        draft.refuse("the call is not written here")
        return
    draw = _drawn(draft, function, call, effect.what, operation.rpartition(".")[2])
    if draw is None:
        return
    tensorflow = draft.tensorflow(call)
    uses = _Uses(draft, function, draw, tensorflow)
    dtypes = set(uses.dtypes(call, call))
    if len(dtypes) > 1:
        draft.refuse("the number is used with tensors of several types")
    draft.replace(call, draw.written(tensorflow, next(iter(dtypes), "")))


# ── what is drawn ───────────────────────────────────────────────────────────────────────────────────────────────────


def _drawn(draft: Draft, function: MappedFunction, call: ast.Call, what: str, operation: str) -> _Draw | None:
    module, _, name = what.rpartition(".")
    kind = "int" if name in _INTEGERS else "float"
    if name in ("rand", "randn") and not call.keywords:
        shape = _shape(draft, ast.Tuple(call.args))
        return _Draw(operation, shape, (), kind) if shape is not None else None
    parameters = _PARAMETERS.get(what if module == "random" else name)
    given = _given(call, parameters) if parameters is not None and module.startswith(("random", "np.random")) else None
    if given is None or (kind == "int" and "minval" not in given):
        draft.refuse("its arguments have no counterpart")
        return None
    if kind == "int" and "maxval" not in given:
        given["maxval"] = (given.pop("minval")[0], False)
    shape, range_ = "", []
    for parameter, (value, positional) in given.items():
        if parameter == "shape":
            shape = _shape(draft, value) or ""
        elif not _is_known(draft, function, value):
            draft.refuse(f"`{draft.syntax.written(value)}` may be a tensor, or change")
        else:
            text = draft.syntax.written(value)
            if what == "random.randint" and parameter == "maxval":
                # The only one that draws its upper bound, too.
                text = str(ast.literal_eval(value) + 1) if _number(value) == "int" else f"{text} + 1"
            range_.append(text if positional else f"{parameter}={text}")
    return _Draw(operation, shape, tuple(range_), kind)


def _given(call: ast.Call, parameters: dict[str, str]) -> dict[str, tuple[ast.expr, bool]] | None:
    """The arguments of a call by their new names, and whether they are positional; None if one has none."""
    names = list(parameters)
    if len(call.args) > len(names) or any(isinstance(argument, ast.Starred) for argument in call.args):
        return None
    given = {parameters[name]: (argument, True) for name, argument in zip(names, call.args, strict=False)}
    for keyword in call.keywords:
        if keyword.arg not in parameters:
            return None
        given[parameters[keyword.arg]] = (keyword.value, False)
    return given


def _shape(draft: Draft, node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=None):
            return ""
        case ast.Constant(value=int(size)):
            return f"[{size}]"
        case ast.Tuple(elts=sizes) | ast.List(elts=sizes) if all(_number(size) == "int" for size in sizes):
            return f"[{', '.join(str(ast.literal_eval(size)) for size in sizes)}]" if sizes else ""
        case ast.Attribute(attr="shape") if is_plain(node):
            return draft.syntax.written(node)
    draft.refuse("the shape is not seen")
    return None


def _number(node: ast.expr) -> str:
    """`int` or `float` for a number that is written out."""
    match node:
        case ast.Constant(value=bool()):
            return ""
        case ast.Constant(value=int()):
            return "int"
        case ast.Constant(value=float()):
            return "float"
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _number(operand)
    return ""


def _is_known(draft: Draft, function: MappedFunction, node: ast.expr) -> bool:
    """Is it a number that is made outside of the function?"""
    match node:
        case ast.BinOp(left=left, right=right):
            return _is_known(draft, function, left) and _is_known(draft, function, right)
        case ast.UnaryOp(op=ast.USub(), operand=value) | ast.Attribute(value=value) if not _number(node):
            return _is_known(draft, function, value)
        case ast.Name(id="self"):
            return True
        case ast.Name(id=name):
            found = draft.syntax.binds(name, node)
            around = draft.syntax.way(function.node)[:-1] if function.node is not None else []
            return found is not None and any(found[0] is scope for scope in (draft.syntax.tree, *around))
    return bool(_number(node))


# ── how it is used ──────────────────────────────────────────────────────────────────────────────────────────────────


@dataclass(frozen=True, slots=True)
class _Uses:
    """Follows what is drawn to where it is used."""

    draft: Draft
    function: MappedFunction
    draw: _Draw
    tensorflow: str

    def dtypes(self, node: ast.expr, origin: ast.expr) -> Iterator[str]:
        """The types that it must have, one for each use that asks for one (empty: its own)."""
        way = self.draft.syntax.way(node)
        parent = way[-2] if len(way) > 1 else None
        match parent:
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                yield from self._of_name(name, node)
            case ast.UnaryOp(op=ast.USub()):
                yield from self.dtypes(parent, origin)
            case ast.BinOp(left=left, right=right):
                yield from self._beside(parent, right if node is left else left, origin)
            case ast.AugAssign(target=target):
                yield from self._beside(parent, target, origin)
            case ast.Compare(left=left, comparators=[right]):
                self._compare(way, right if node is left else left)
            case ast.keyword(arg=name):
                yield from self._argument(way[-3], name or "")
            case ast.Call(args=arguments) if node in arguments:
                yield from self._argument(parent, str(arguments.index(node)))
            case _ if self._is_result(way):
                yield f"{self.tensorflow}.float64" if self.draw.shape else ""
            case _:
                self.draft.refuse(_UNSEEN)

    def _of_name(self, name: str, node: ast.expr) -> Iterator[str]:
        found = self.draft.syntax.binds(name, node)
        if found is None or len(found[1]) != 1 or not isinstance(found[0], ast.FunctionDef):
            self.draft.refuse(_UNSEEN)
            return
        for read in ast.walk(found[0]):
            if isinstance(read, ast.Name) and read.id == name and isinstance(read.ctx, ast.Load):
                yield from self.dtypes(read, node)

    def _beside(self, operation: ast.BinOp | ast.AugAssign, other: ast.expr, origin: ast.expr) -> Iterator[str]:
        is_division = isinstance(operation.op, ast.Div)
        if not isinstance(operation.op, (ast.Add, ast.Sub, ast.Mult, ast.Div)) or (
            is_division and self.draw.kind == "int"
        ):
            self.draft.refuse(_UNSEEN)
        elif isinstance(operation, ast.BinOp) and _number(other) in ("int", self.draw.kind):
            yield from self.dtypes(operation, origin)
        elif self._is_float32(other):
            yield "" if self.draw.kind == "float" else f"{self.tensorflow}.float32"
        elif name := self._named(other, origin):
            yield f"{name}.dtype"
        else:
            self.draft.refuse(_UNSEEN)

    def _named(self, node: ast.expr, origin: ast.expr) -> str:
        """A name in a tensor's expression that has its type, and is the same where the number is drawn."""
        match node:
            case ast.Subscript(value=ast.Name() as owner, slice=ast.Constant()):
                pass
            case ast.Name() as owner:
                pass
            case ast.BinOp(left=left, right=right):
                return self._named(left, origin) or self._named(right, origin)
            case _:
                return ""
        there = self._reaching(owner.id, origin)
        same = there is not None and there is self._reaching(owner.id, node)
        return self.draft.syntax.written(node) if same and self._is_tensor(node) else ""

    def _argument(self, call: ast.AST, place: str) -> Iterator[str]:
        taking = _TAKING.get(self._operation(call), ())
        if place in taking[1:] and taking[0] in ("", self.draw.kind) and not self.draw.shape:
            yield ""
        else:
            self.draft.refuse(_UNSEEN)

    def _is_result(self, way: list[ast.AST]) -> bool:
        """Is it what the mapped function returns, or part of it?"""
        above = [step for step in way[:-1] if not isinstance(step, (ast.Tuple, ast.Dict))]
        if isinstance(above[-1], ast.Return):
            return next(step for step in reversed(above) if isinstance(step, _FUNCTIONS)) is self.function.node
        return isinstance(above[-1], ast.Lambda) and above[-1] is self.function.node

    # ── decisions ───────────────────────────────────────────────────────────────────────────────────────────────

    def _compare(self, way: list[ast.AST], bound: ast.expr) -> None:
        function = next((step for step in reversed(way) if isinstance(step, _FUNCTIONS)), None)
        test, choice = way[-2], way[-3]
        if (
            self.draw.shape
            or not _is_known(self.draft, self.function, bound)
            or (self.draw.kind == "int" and _number(bound) != "int")
        ):
            self.draft.refuse(_UNSEEN)
        elif self._is_result(way[:-1]):
            return
        elif not isinstance(choice, (ast.If, ast.IfExp)) or choice.test is not test:
            self.draft.refuse(_UNSEEN)
        elif not isinstance(function, ast.FunctionDef) or function.decorator_list:
            self.draft.refuse("AutoGraph may not convert what is decided here")
        elif not (self._keeps_all(choice) if isinstance(choice, ast.If) else self._keeps_either(choice)):
            self.draft.refuse(
                "TensorFlow needs the same types on both ways of what is decided here, which are not seen"
            )

    def _keeps_all(self, choice: ast.If) -> bool:
        """Does each way only change tensors into others of their type?"""
        if all(self._keeps(statement) for statement in (*choice.body, *choice.orelse)):
            return True
        # `return f(x)`, then `return x`.
        block = self.draft.syntax.block(choice)
        rest = choice.orelse or (block.statements[block.index + 1 :] if block is not None else [])
        match choice.body, rest:
            case [ast.Return(value=ast.expr() as one)], [ast.Return(value=ast.expr() as other)]:
                name = self._kept(one)
                return bool(name) and name == self._kept(other)
        return False

    def _keeps(self, statement: ast.stmt) -> bool:
        match statement:
            case ast.Pass():
                return True
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self._kept(value) == name
            case ast.AugAssign(target=ast.Name(id=name), op=ast.Add() | ast.Sub() | ast.Mult(), value=value):
                return bool(_number(value)) and self._holds_tensor(name, statement)
        return False

    def _keeps_either(self, choice: ast.IfExp) -> bool:
        name = self._kept(choice.body)
        return bool(name) and name == self._kept(choice.orelse)

    def _kept(self, node: ast.expr) -> str:
        """The name whose type and shape an expression has."""
        match node:
            case ast.Name(id=name):
                return name
            case ast.Call(args=[first, *_]) if self._operation(node) in _KEEPING:
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
                return self._holds_tensor(name, node)
        return False

    def _holds_tensor(self, name: str, place: ast.AST) -> bool:
        value = self._reaching(name, place)
        return self._is_tensor(value) if isinstance(value, ast.expr) else self._is_element(value)

    def _is_float32(self, node: ast.expr) -> bool:
        match node:
            case ast.BinOp(left=left, right=right):
                return self._is_float32(left) or self._is_float32(right)
            case ast.Name(id=name):
                value = self._reaching(name, node)
                return isinstance(value, ast.expr) and self._is_float32(value)
            case ast.Call(args=[first, *rest]):
                operation = self._operation(node)
                if operation in _KEEPING:
                    return self._is_float32(first)
                if operation in ("cast", "image.convert_image_dtype"):
                    dtype = [*rest, *(keyword.value for keyword in node.keywords if keyword.arg == "dtype")][:1]
                    return [ast.unparse(part).rpartition(".")[2] for part in dtype] == ["float32"]
                if operation == "image.resize":
                    return len(rest) == 1 and all(keyword.arg != "method" for keyword in node.keywords)
                return operation in ("random.uniform", "random.normal") and not node.keywords and len(node.args) < 4
        return False

    def _is_element(self, argument: ast.AST | None) -> bool:
        """Is it a parameter that the mapped function gets the element by?"""
        function = self.function.node
        if not isinstance(function, _FUNCTIONS):
            return False
        given = [*function.args.posonlyargs, *function.args.args]
        without_default = given[: len(given) - len(function.args.defaults)]
        return any(argument is parameter and parameter.arg not in ("self", "cls") for parameter in without_default)

    def _reaching(self, name: str, place: ast.AST) -> ast.AST | None:
        """The value that a name has there: what was assigned to it on rows above, or its parameter."""
        way = self.draft.syntax.way(place)
        for child, parent in zip(reversed(way[1:]), reversed(way[:-1]), strict=True):
            for statement in _above(parent, child):
                if _stores(statement, name):
                    return assigned_value(statement, name)
            if isinstance(parent, _FUNCTIONS):
                arguments = (*parent.args.posonlyargs, *parent.args.args, *parent.args.kwonlyargs)
                return next((argument for argument in arguments if argument.arg == name), None)
            if isinstance(parent, _LOOPS) and _stores(parent, name):
                return None
        return None

    def _operation(self, call: ast.AST) -> str:
        """The operation of TensorFlow that is called: `image.resize`."""
        if not isinstance(call, ast.Call):
            return ""
        root, _, rest = ast.unparse(call.func).partition(".")
        for name, full in self.draft.syntax.imports():
            if name == root and full.partition(".")[0] == "tensorflow":
                path = f"{full}.{rest}" if rest else full
                return path.removeprefix("tensorflow.").removeprefix("compat.v1.").removeprefix("compat.v2.")
        return ""


def _above(parent: ast.AST, child: ast.AST) -> list[ast.stmt]:
    """The statements before one in its block, the nearest first."""
    for statements in (getattr(parent, part, None) for part in ("body", "orelse", "finalbody")):
        if isinstance(statements, list) and any(child is statement for statement in statements):
            return statements[: statements.index(child)][::-1]
    return []


def _stores(tree: ast.AST, name: str) -> bool:
    return any(
        isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load) for node in ast.walk(tree)
    )
