"""What is done to a decoded image."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from tfdata_lint.pipeline.facts.scale import BYTES, MOVING, Meanings
from tfdata_lint.pipeline.knowledge.names import displayed, last, plain
from tfdata_lint.pipeline.mapped.uses import MOST
from tfdata_lint.pipeline.nouns.elements import inside
from tfdata_lint.pipeline.nouns.fold import Fold, expressions
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.questions import AS_THEY_ARE
from tfdata_lint.pipeline.nouns.recursion import recursive
from tfdata_lint.pipeline.nouns.results import Reading, dtype_said
from tfdata_lint.pipeline.nouns.stages import Call, Given, MappedFunction, Stage, tips, upstream
from tfdata_lint.pipeline.nouns.structure import Tensor
from tfdata_lint.pipeline.nouns.values import Constant, Expr, External, Mapping_, Sequence, Value, parts_of, snapshot

_DECODERS = frozenset({"decode_jpeg", "decode_png", "decode_image", "decode_bmp", "decode_gif", "decode_and_crop_jpeg"})
#: Of what moves pixels some puts zeros around the image, which are others where numbers are added to all pixels.
_PADDING = frozenset({"pad_to_bounding_box", "resize_with_crop_or_pad"})
_CONVERSIONS = frozenset({"cast", "convert_image_dtype"})
_FLOATS = ("float32", "float64")


class Early(NamedTuple):
    """A conversion to floats, and the call that moves them, which could have come before it."""

    conversion: Call
    moved_by: str
    move: Call


class _Image(NamedTuple):
    """An image as decoded, its pixels moved about at most; or made floats by the first of these, and scaled at most."""

    floats: tuple[Expr, ...] = ()
    """The conversion, and what only scales what it gives or says its shape: where the pixels are does not matter."""
    is_shifted: bool = False
    """Something is added to them."""


def made_float_early(graph: PipelineGraph, stage: Stage) -> Iterator[Early]:
    """Images that are bytes, are made floats, then moved about, where nothing else needs the floats."""
    function = stage.function
    moves = _moves(function) if function is not None else []
    if function is None or not moves:
        return
    yield from _made_float_before(graph, stage, function, moves)
    if not any(last(name) in _CONVERSIONS for name in function.operations):
        return
    calls = {id(call.node): call for call in function.calls}
    images = _Images(inside(stage))
    for move in moves:
        image = images.of(move.of[0])
        if image is None or not image.floats or not _is_same_after(move, image):
            continue
        known = {id(expr.node) for expr in (move, *image.floats)}
        conversion, call = calls.get(id(image.floats[0].node)), calls.get(id(move.node))
        if conversion and call and known.issuperset(map(id, takers(function, *image.floats))):
            yield Early(conversion, displayed(move.by), call)


def _moves(function: MappedFunction) -> list[Expr]:
    """The calls that move pixels; in a loop one place makes several."""
    if not any(last(name) in MOVING for name in function.operations):
        return []
    return [expr for expr in made_in(function) if _name(expr) in MOVING and expr.of]


def _is_same_after(move: Expr, image: _Image) -> bool:
    """Would the pixels be the same if the conversion came last?"""
    return not (image.is_shifted and _name(move) in _PADDING)


def _made_float_before(
    graph: PipelineGraph, stage: Stage, function: MappedFunction, moves: list[Expr]
) -> Iterator[Early]:
    """The same, where the map before makes the floats, for this one alone."""
    before = _map_before(graph, stage)
    made = _results(graph, before.result) if before is not None else ()
    if before is None or before.function is None or not made:
        return
    calls = {id(call.node): call for call in (*before.function.calls, *function.calls)}
    images = _Images(inside(before))
    for move in moves:
        given = move.of[0]
        image = images.of(_made_for(given, made))
        floats = image.floats if image is not None else ()
        conversion, call = calls.get(id(floats[0].node)) if floats else None, calls.get(id(move.node))
        if image is None or conversion is None or call is None or not _is_same_after(move, image):
            continue
        is_alone = {id(None), *(id(expr.node) for expr in floats)}.issuperset(map(id, takers(before.function, *floats)))
        if is_alone and _is_taken_by(function, given, move):
            yield Early(conversion, displayed(move.by), call)


def _made_for(given: Expr, made: Mapping[object, Value]) -> Value | None:
    """What one part of an element is made as, where a function takes it by position or by its key."""
    match given:
        case Expr(by="parameter", of=(Given(count=count), int(number))) if count == len(made) and number in made:
            return made[number]
        case Expr(by="item", of=(Expr(by="parameter", of=(Given(count=1), 0)), Constant(str() as key))):
            return made.get(key)
    return None


def _is_taken_by(function: MappedFunction, given: Expr, move: Expr) -> bool:
    """Does nothing but a move take what a function is given, or return it?"""
    if given.by == "parameter":
        return takers(function, given) == [move.node] * 2
    element, key = given.of
    reading = [expr for expr in made_in(function) if any(part is element for part in expr.of)]
    same = [expr for expr in reading if expr.by == "item" and expr.of[1] == key]
    kept = [expr for expr in reading if expr.by != "item" and not (expr.by == "set" and expr.of[1] == key)]
    return not kept and takers(function, *same) == [move.node] * 2


def _map_before(graph: PipelineGraph, stage: Stage) -> Stage | None:
    """The map whose elements reach this one as they are, and nothing else, unless it comes behind this one, too."""
    at: Any = stage.inputs[0] if stage.inputs else None
    behind: Stage = stage
    while isinstance(at, Stage) and not graph.consumers_of(at):
        if not all(user is behind or _skips(user, at, stage) for user in graph.users(at)):
            return None
        if at.op == "map":
            return at
        behind, at = at, at.inputs[0] if at.op in AS_THEY_ARE and at.inputs else None
    return None


def _skips(user: Stage, start: Stage, stage: Stage) -> bool:
    """Does a stage take what `start` gives either as it is or by way of another stage, as behind `if training:`?"""
    for origin in user.inputs:
        found = list(tips(origin))
        if any(tip is start for tip in found):
            return any(one is stage for tip in found if tip is not start for one in upstream(tip))
    return False


def _results(graph: PipelineGraph, result: Value | None) -> Mapping[object, Value]:
    """What a function gives, one by one, by its number or key, if no other stage maps it."""
    match result:
        case Expr(by="mapped", of=(Given(stages=stages), made)) if sum(one in graph.stages for one in stages) == 1:
            match made:
                case Sequence(kind="tuple", items=items, rest=None, exact=True):
                    return dict(enumerate(items))
                case Mapping_(rest=None, exact=True):
                    return dict(made.held)
                case Expr():
                    return {0: made}
    return {}


class _Images(Fold[_Image | None]):
    """Which image an expression is; None where it is another thing."""

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self.reading = reading

    def expression(self, expr: Expr) -> _Image | None:
        if expr.by in ("parameter", "item"):
            return self._of_bytes(expr)
        if expr.by == "either":
            images = {self.of(part) for part in expr.of}
            return images.pop() if len(images) == 1 else None
        name = _name(expr)
        if name in _DECODERS:
            return _Image() if "dtype" not in expr.named and len(expr.of) < 3 else None
        image = self.of(expr.of[0]) if expr.of else None
        if image is None:
            return self._of_bytes(expr)
        is_shifted = expr.by in ("Add", "Sub")
        is_scaled = (is_shifted or expr.by in ("Div", "Mult")) and _is_alike(expr.of[1])
        if expr.by == "Element.set_shape" or name == "ensure_shape" or (is_scaled and image.floats):
            return _Image((*image.floats, expr), image.is_shifted or is_shifted) if image.floats else image
        if image.floats:
            return None
        if name in _CONVERSIONS:
            types = (*expr.of[1:2], expr.named.get("dtype"))
            return _Image((expr,)) if any(dtype_said(dtype) in _FLOATS for dtype in types) else None
        return image if name in MOVING else None

    def _of_bytes(self, expr: Expr) -> _Image | None:
        """The image that bytes are whose shape is known, as behind `tf.reshape(tf.io.decode_raw(…), …)`."""
        match self.reading.of(expr):
            case Tensor(dtype="uint8", shape=(_, _, _, *_), kind="dense"):
                return _Image()
        return _Image() if expr.by in ("parameter", "item") and Meanings().of(expr) == BYTES else None

    def value(self, value: Value | None) -> _Image | None:
        return None


@recursive
def _is_alike(value: Value) -> bool:
    """Is it one number, or one for each channel, which are the same at each place of an image?"""
    match value:
        case Sequence(items=items, rest=None):
            return all(isinstance(item, Constant) for item in items)
        case External(symbol=symbol, arguments=(given, *_)):
            return last(symbol) in ("array", "asarray", "constant") and _is_alike(given)
    return isinstance(value, Constant)


def _name(expr: Expr) -> str:
    return last(expr.by) if plain(expr.by).startswith("tensorflow.") else ""


def made_in(function: MappedFunction) -> list[Expr]:
    """The expressions that a function works out, each once."""
    operators = (operator.expr for operator in function.operators)
    given = (snapshot(value) for call in function.calls for value in call.arguments)
    return list(expressions(function.result, *operators, *given, most=MOST))


def takers(function: MappedFunction, *made: Expr) -> list[object]:
    """The syntax of what takes one of these expressions; None stands for what returns it."""
    wanted = set(map(id, made))
    taken = [(expr.node, [*expr.of, *expr.named.values()]) for expr in made_in(function) if expr.by != "either"]
    taken += [(call.node, list(map(snapshot, call.arguments))) for call in function.calls]
    return [node for node, given in taken if any(id(part) in wanted for part in _parts(given))]


def _parts(values: list[Any]) -> Iterator[Any]:
    """Values and what containers among them hold."""
    while values:
        part = values.pop()
        yield part
        values += parts_of(part)
