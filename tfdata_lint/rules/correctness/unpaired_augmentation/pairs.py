"""Which parts of an element are moved apart that belong together: an image and its mask."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from tfdata_lint.pipeline.facts.draw import Draw, Draws, choice
from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.mapped.layers import layers_of
from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.fold import Gathered, expressions, part_of
from tfdata_lint.pipeline.nouns.stages import Given, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.structure import Dict_, Structure, Tensor, leaves
from tfdata_lint.pipeline.nouns.values import Constant, Expr, External, Mapping_, Sequence, Value, parts_of

#: What moves pixels, by a draw of its own or as its arguments say.
_MOVING = (
    r"(stateless_)?random_(flip|crop|rot|shear|shift|zoom|transl)\w*|Random(Flip|Rotation|Crop|Translation|Zoom|Shear\w*|"
    r"Perspective|Affine\w*)|flip_\w+|rot90|transpose|reverse|roll|slice|strided_slice|rotate|translate\w*|transform|"
    r"(central_crop|crop_to_bounding_box|pad_to_bounding_box|crop_and_resize|shear_[xy]|dense_image_warp)|"
    r"ImageProjectiveTransformV\d"
)
_MASKS = frozenset(
    {"mask", "masks", "segmentation", "segmentations", "seg", "semantic", "label", "labels", "gt", "groundtruth",
     "annotation", "annotations", "trimap"}
)  # fmt: skip
_SURE_MASKS = frozenset({"mask", "masks", "segmentation", "segmentations", "trimap"})
#: A target is one only beside what it is made of; two domains have no common pixels.
_TARGETS = frozenset({"target", "targets", "truth", "y"})
_INPUTS = frozenset({"image", "images", "img", "input", "inputs", "x", "im"})
_DOMAINS = frozenset({"source", "src", "domain", "style", "content", "real", "fake", "template", "search"})
_WORD = r"[A-Z]?[a-z]+|[A-Z]+"


class Apart(NamedTuple):
    """A draw that moves an image, and not its mask."""

    image: Draw
    mask: Draw | None
    """The draw that moves the mask; None where that stays as it is."""
    given: tuple[str, str]
    """What they are called: the image and the mask."""


def drawn_apart(stage: Stage, function: MappedFunction) -> Iterator[Apart]:
    """An image and its mask that are moved by other draws, or the image alone."""
    match function.result:
        case Expr(by="mapped", of=(_, result)):
            parts = list(_parts(result))
            parts += _kept(result, structure_of(stage), {key for name, _ in parts for key in name})
        case _:
            return
    moves, names = _Moves(), _Names()
    given = [(part, key | names.of(part)) for key, part in parts]
    shapes = [
        (leaf.shape or ())[-1:] for leaf in leaves(structure_of(stage)) if isinstance(leaf, Tensor) and _is_image(leaf)
    ]
    has_channels = len(parts) == 2 and shapes == [(3,), (1,)]
    for image, image_names in given:
        for mask, mask_names in given if moves.of(image) else ():
            one, other = _words(image_names), _words(mask_names)
            is_mask = (
                bool(other & _MASKS)
                or (bool(other & _TARGETS) and bool(one & _INPUTS))
                or (has_channels and mask is parts[1][1])
            )
            if not is_mask or not one or one & (_MASKS | _TARGETS) or (one | other) & _DOMAINS:
                continue
            said = " and ".join(sorted(image_names)), " and ".join(sorted(mask_names))
            alone = sorted(moves.of(image) - moves.of(mask), key=_place)
            others = sorted(moves.of(mask) - moves.of(image), key=_place)
            if not others and alone and (other & _SURE_MASKS or has_channels) and len(parts) == 2 and _is_still(mask):
                yield Apart(alone[0], None, said)
            # One draw may move two images in a row, of which the second is meant here.
            yield from [Apart(draw, next((o for o in others if o.what == draw.what), others[0]), said)
                        for draw in {draw.what: draw for draw in alone}.values() if others]  # fmt: skip


def _is_image(leaf: Tensor) -> bool:
    """Alone or in a batch; a label has fewer axes."""
    return leaf.shape is not None and len(leaf.shape) >= 3


def _parts(result: Value) -> Iterator[tuple[frozenset[str], Value]]:
    """The parts of what is returned: of a dict with their keys, those of inner tuples one by one."""
    while isinstance(result, Expr) and result.by == "set":
        base, key, value = result.of
        yield frozenset(str(key.value) for key in (key,) if isinstance(key, Constant)), value
        result = base
    if isinstance(result, Mapping_):
        yield from ((frozenset({str(key)}), value) for key, value in result.held)
    elif isinstance(result, Sequence):
        for item in result.items:
            if isinstance(item, Mapping_):
                yield from ((frozenset({str(key)}), value) for key, value in item.held)
            else:
                yield from ((frozenset[str](), part) for part in (item.items if isinstance(item, Sequence) else [item]))


def _kept(result: Value, made: Structure, changed: set[str]) -> Iterator[tuple[frozenset[str], Value]]:
    """The parts that are what was given, of a dict in which others are set: `{**example, "image": image}`."""
    while isinstance(result, Expr) and result.by == "set":
        result = result.of[0]
    base = result.spread if isinstance(result, Mapping_) else result
    for key in made.keys if isinstance(base, Expr) and isinstance(made, Dict_) else ():
        if str(key) not in changed:
            yield frozenset({str(key)}), Expr("item", (base, Constant(key)))


def _is_moving(expr: Expr) -> bool:
    match expr:
        case Expr(by="item", of=(_, key)):
            return not isinstance(key, Constant)
        case Expr(of=(External() as made, *_)) if layers_of(made):
            return any(_names_a_move(layer.symbol) for layer in layers_of(made) or () if isinstance(layer, External))
    return _names_a_move(expr.by)


def _names_a_move(name: str) -> bool:
    return re.fullmatch(_MOVING, last(name.removesuffix("()"))) is not None


class _Moves(Gathered):
    """The draws that decide where the pixels of a tensor are."""

    def __init__(self) -> None:
        super().__init__()
        self.draws = Draws()

    def expression(self, expr: Expr) -> frozenset[Any]:
        match expr:
            case Expr(by="parameter"):
                return frozenset()
            case Expr(by="item", of=(Expr(by="set") as base, Constant() as key)):
                return self.of(part_of(base, key))
        found = self.among(*expr.of)
        tests, choices = choice(expr)
        if choices:
            moving = [{id(part) for part in expressions(choice) if _is_moving(part)} for choice in choices]
            return found | self.draws.among(*tests) if any(one != moving[0] for one in moving) else found
        if not _is_moving(expr):
            return found
        image = 1 if expr.by.endswith("()") else 0
        deciding = (*expr.of[:image], *expr.of[image + 1 :], *expr.named.values())
        return found | self.draws.own(expr) | self.draws.among(*deciding)

    def value(self, value: Value | None) -> frozenset[Any]:
        return self.among(*parts_of(value))


class _Names(Gathered):
    """What the parts of an element are called of which a value is made."""

    def expression(self, expr: Expr) -> frozenset[Any]:
        match expr:
            case Expr(by="parameter", of=(Given(names=names), int(number))):
                return frozenset(names[number : number + 1])
            case Expr(by="item", of=(base, Constant(str(key)))) if isinstance(base, Expr):
                return frozenset({key})
            case Expr(by="unpacked", node=node) if name := getattr(node, "id", ""):
                return frozenset({name})
        return self.among(*expr.of)


def _is_still(mask: Value) -> bool:
    """Is it known what is made of a mask, and that no pixel of it moves?"""
    return not any(
        _is_moving(part) or ("." in part.by and known(part.by).effect not in ("pure", "stateless_random"))
        for part in expressions(mask)
    )


def _place(draw: Draw) -> tuple[int, int, str]:
    return getattr(draw.node, "lineno", 0), getattr(draw.node, "col_offset", 0), draw.what


def _words(names: frozenset[str]) -> set[str]:
    """The words in what is augmented: `image_mask` has `image` and `mask`."""
    return {word.lower() for name in names for word in re.findall(_WORD, name)}
