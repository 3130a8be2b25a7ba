"""What a function that treats each row by itself may still make of whole batches: other arguments, shapes and bits."""

from __future__ import annotations

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import displayed, last
from tfdata_lint.pipeline.mapped.uses import MOST
from tfdata_lint.pipeline.nouns.elements import inside, structure_of
from tfdata_lint.pipeline.nouns.fold import Stems, expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.stages import Given, Stage
from tfdata_lint.pipeline.nouns.structure import Structure, Tensor, arguments_of, leaves
from tfdata_lint.pipeline.nouns.values import Constant, Expr, Sequence, Slice, Value

#: Alone and in batches they treat the sign of zero, and what is next to zero, otherwise: of floats (measured).
_ZEROS = frozenset({"clip_by_value", "maximum", "minimum", "relu", "relu6", "sign"})
#: And these complex numbers.
_QUOTIENTS = frozenset({"Div", "div", "divide", "divide_no_nan", "realdiv", "truediv"})
_PRODUCTS = frozenset({"Mult", "multiply", "multiply_no_nan", "scalar_mul"})
_EXACT = ("bool", "int", "string", "uint")
#: They fail for no element, whatever is in it.
_NEVER_FAIL = frozenset(
    {"Add", "BitAnd", "BitOr", "BitXor", "Div", "Eq", "Gt", "GtE", "Invert", "Lt", "LtE", "Mult", "NotEq", "Sub",
     "UAdd", "USub", "abs", "add", "as_string", "attribute", "cast", "ceil", "clip_by_value", "concat",
     "constant", "convert_image_dtype", "convert_to_tensor", "copy", "dict", "divide", "divide_no_nan", "equal",
     "expand_dims", "floor", "greater", "greater_equal", "identity", "is_finite", "is_inf", "is_nan", "item",
     "join", "leaky_relu", "length", "less", "less_equal", "logical_and", "logical_not", "logical_or",
     "logical_xor", "lookup", "lower", "mapped", "maximum", "minimum", "multiply", "negative", "not_equal",
     "one_hot", "ones_like", "parameter", "realdiv", "reduce_all", "reduce_any", "reduce_max", "reduce_mean",
     "reduce_min", "reduce_sum", "regex_full_match", "regex_replace", "relu", "relu6", "reverse", "rint",
     "round", "saturate_cast", "set", "sign", "sort", "square", "squared_difference", "stack", "strip",
     "subtract", "to_double", "to_float", "to_int32", "to_int64", "truediv", "tuple", "unpacked", "upper",
     "where", "without", "zeros_like"}
)  # fmt: skip
_QUOTIENTS_OF_INTEGERS = frozenset({"FloorDiv", "Mod", "floordiv", "floormod", "mod"})
_OPERANDS = ("operands", "sum", "product", "power", "choice")
#: The size of what they make is not that of what they are given.
_RESIZING = ("reshaped", "csv")


def why_not_alike(graph: PipelineGraph, stage: Stage, batch: Stage) -> str:
    """Why batches may give something else than their rows do one by one; empty where they do not."""
    result = stage.result
    if not isinstance(result, Expr) or result.by != "mapped" or not isinstance(result.of[0], Given):
        return "the result of the function is not known"
    given, made = result.of
    element = structure_of(stage.inputs[0])
    arguments = arguments_of(element)
    if not given.exact and (arguments is None or len(arguments) != given.count):
        return "a parameter with a default may receive another part of the element"
    reading = inside(stage)
    if not all(isinstance(leaf, Tensor) and leaf.kind != "ragged" for leaf in leaves(element)):
        if graph.says("ragged"):
            return "the function may get rows of a ragged tensor, and `batch` makes a ragged tensor of those"
    if batch.literal("drop_remainder", False) is not False:
        failing = next((expr for expr in expressions(made) if _may_fail(expr)), None)
        if failing is not None:
            return f"{_shown(failing)} may fail for an element of the remainder, which would be dropped before"
    is_equal = all(isinstance(leaf, Tensor) and _is_fixed(leaf) for leaf in leaves(element))
    for expr in expressions(made):
        name = last(expr.by)
        if _cuts(expr) and not (
            is_equal and not any(known(part.by).batches in _RESIZING for part in expressions(expr))
        ):
            return (
                f"{_shown(expr)} makes sizes equal that may differ before, and different sizes do not fit into a batch"
            )
        if name in _ZEROS and not _dtype(reading.tensor(expr)).startswith(_EXACT):
            return f"`{displayed(expr.by)}` may give zero another sign in batches"
        if _is_odd_of_complex(expr) and _dtype(reading.tensor(expr)).startswith(("complex", "?")):
            return "complex numbers may differ in the last digit, and these may be complex"
    return ""


def broadcasts_alike(stage: Stage) -> bool:
    """Do operands find each other as before, with another axis in front of what the element has?"""
    reading, stems = inside(stage), Stems()
    for expr in expressions(stage.result, most=MOST):
        operands = [*expr.of, *expr.named.values()]
        is_binary = expr.by[:1].isupper() and len(operands) == 2 and "." not in expr.by
        if not is_binary and known(expr.by).batches not in _OPERANDS:
            continue
        own = [_rank(operand, reading.tensor(operand)) for operand in operands if stems.of(operand)]
        others = [_rank(operand, reading.tensor(operand)) for operand in operands if not stems.of(operand)]
        roots = {id(_root(operand)) for operand in operands if stems.of(operand)}
        if len(set(own)) > 1 or (len(own) > 1 and own[0] is None and len(roots) > 1):
            return False
        if own and any(other and (own[0] is None or other > own[0]) for other in others):
            return False
    return True


def _root(operand: Value) -> Value:
    """What an operand is a section of, of the same rank: `window[..., -1:, :]`."""
    while isinstance(operand, Expr) and operand.by == "item" and _is_section(operand.of[1]):
        operand = operand.of[0]
    return operand


def _is_section(key: Value) -> bool:
    parts = key.items if isinstance(key, Sequence) else (key,)
    return all(isinstance(part, Slice) or (isinstance(part, Constant) and part.value is ...) for part in parts)


def _rank(operand: Value, tensor: Structure) -> int | None:
    """The rank, which a picture has of which nothing else is known."""
    rank = tensor.rank if isinstance(tensor, Tensor) else None
    if rank is None and any(expr.by.startswith("tensorflow.image.") for expr in expressions(operand)):
        return 3
    return rank


def _is_odd_of_complex(expr: Expr) -> bool:
    """Would it treat complex numbers otherwise in batches? Those that are divided by a number, or times one, not."""
    name, operands = last(expr.by), [*expr.of, *expr.named.values()]
    if name in _PRODUCTS:
        return sum(isinstance(operand, Expr) for operand in operands) > 1
    return name in _QUOTIENTS and not (isinstance(operands[-1], Constant) and operands[-1].value)


def _dtype(tensor: Structure) -> str:
    return (isinstance(tensor, Tensor) and tensor.dtype) or "?"


def _may_fail(expr: Expr) -> bool:
    """May it fail for one element and not for another?"""
    if last(expr.by) in _QUOTIENTS_OF_INTEGERS:
        return not (isinstance(expr.of[-1], Constant) and expr.of[-1].value)
    return last(expr.by) not in _NEVER_FAIL


def _shown(expr: Expr) -> str:
    return "an index" if expr.by == "item" else f"`{displayed(expr.by)}`"


def _is_fixed(leaf: Tensor) -> bool:
    return (
        leaf.kind == "dense"
        and leaf.shape is not None
        and all(isinstance(size, int) and size >= 0 for size in leaf.shape)
    )


def _cuts(expr: Expr) -> bool:
    """Is what it makes smaller than what it is given?"""
    if known(expr.by).batches in ("axis", "axis_rounded"):
        return True
    if expr.by != "item":
        return False
    key = expr.of[1]
    parts = key.items if isinstance(key, Sequence) else (key,)
    return any(
        isinstance(part, Slice) or (isinstance(part, Constant) and isinstance(part.value, int)) for part in parts
    )
