"""Which parts of an element are changed apart that belong together: an image and its mask."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import NamedTuple

from tfdata_lint.pipeline.knowledge.names import last, plain
from tfdata_lint.pipeline.nouns.code import calls_of, holds, way
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction
from tfdata_lint.source.trees import walk

#: What moves pixels.
_GEOMETRIC = frozenset(
    {"random_flip_left_right", "random_flip_up_down", "random_crop", "RandomFlip", "RandomRotation", "RandomCrop",
     "RandomTranslation", "RandomZoom", "RandomShear"}
)  # fmt: skip
#: What moves none: of a mask as of its image.
_STILL = frozenset(
    f"tensorflow.{name}"
    for name in ("cast", "expand_dims", "image.convert_image_dtype", "image.resize", "one_hot", "round", "squeeze")
)
_MASKS = frozenset(
    {"mask", "masks", "segmentation", "segmentations", "seg", "semantic", "label", "labels", "gt", "groundtruth",
     "annotation", "annotations", "trimap"}
)  # fmt: skip
_SURE_MASKS = frozenset({"mask", "masks", "segmentation", "segmentations", "trimap"})
#: A target is one only beside what it is made of; two domains have no common pixels.
_TARGETS = frozenset({"target", "targets", "truth"})
_INPUTS = frozenset({"image", "images", "img", "input", "inputs", "x", "im"})
_DOMAINS = frozenset({"source", "src", "domain", "style", "content", "real", "fake", "template", "search"})
_WORD = r"[A-Z]?[a-z]+|[A-Z]+"


class Apart(NamedTuple):
    """One draw for each of two parts that belong together, or one for the image alone."""

    what: str
    image: ast.Call
    mask: ast.Call | None
    """None where it stays as it is."""
    given: tuple[str, str]
    """What they are called: the image and the mask."""


def drawn_apart(tree: ast.AST, function: MappedFunction) -> Iterator[Apart]:
    """An image and its mask that are flipped or cropped by a random call each, with no seed that both have."""
    if function.node is None:
        return
    calls: dict[str, list[ast.Call]] = {}
    for effect in function.effects:
        if effect.kind in ("random", "random_layer") and last(effect.what).rstrip("()") in _GEOMETRIC:
            found = _calls_for(tree, function.node, effect)
            calls.setdefault(effect.what, []).extend(call for call in found if call not in calls.get(effect.what, []))
    for what, made in calls.items():
        yield from _pairs(what, made)
        if (mask := _left_alone(function)) and (image := next((call for call in made if _moves(call, mask)), None)):
            yield Apart(what, image, None, (_given(image), mask))
            return


def _left_alone(function: MappedFunction) -> str:
    """The second of two parameters, where it is called a mask, handed on, and no pixel of it moves."""
    node = function.node
    match node:
        case (
            ast.FunctionDef(args=ast.arguments(args=[_, ast.arg(arg=mask)], defaults=[]))
            | ast.Lambda(args=ast.arguments(args=[_, ast.arg(arg=mask)], defaults=[]))
        ) if _split(mask) & _SURE_MASKS:
            still = {id(call.node) for call in function.calls if plain(call.name) in _STILL}
            results = [part.value for part in walk(node) if isinstance(part, ast.Return)]
            results += [node.body] if isinstance(node, ast.Lambda) else []
            items = [item for result in results if isinstance(result, ast.Tuple) for item in result.elts]
            assigned = [value for name, value in _assigned(node) if name == mask]
            names = [part for part in walk(node) if isinstance(part, ast.Name) and part.id == mask]
            # Each time that it is named it is handed on, or becomes itself.
            reads = sum(_stays(value, mask, still) for value in (*items, *assigned))
            stores = sum(_stays(value, mask, still) for value in assigned)
            return mask if reads and reads + stores == len(names) else ""
    return ""


def _assigned(function: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """`image, mask = f(image), g(mask)`: names and what each is set to."""
    for node in walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, value
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                yield from ((t.id, v) for t, v in zip(targets, values, strict=False) if isinstance(t, ast.Name))


def _stays(value: ast.expr, mask: str, still: set[int]) -> bool:
    """Is it the mask, with other values or in another size perhaps, every pixel in its place?"""
    match value:
        case ast.Name(id=name):
            return name == mask
        case ast.Call(args=[part, *_]) if id(value) in still:
            return _stays(part, mask, still)
        case ast.BinOp(left=part, op=ast.Add() | ast.Sub() | ast.Mult() | ast.Div()) | ast.Compare(left=part):
            return _stays(part, mask, still)
    return False


def _moves(image: ast.Call, mask: str) -> bool:
    return bool(_words(image)) and _given(image) != mask


def _calls_for(tree: ast.AST, function: ast.AST, effect: Effect) -> list[ast.Call]:
    """The call itself; of one in a helper the calls of that helper."""
    if not isinstance(effect.node, ast.Call) or (effect.kind == "random_layer" and effect.seeded):
        return []
    if holds(function, effect.node):
        return [effect.node]
    helper = next((step for step in way(tree, effect.node) if isinstance(step, ast.FunctionDef)), None)
    if helper is None or len(helper.args.args) != 1 or len(names_of_seed(effect.node)) > 0:
        return []
    return list(calls_of(function, helper.name))


def _pairs(what: str, calls: list[ast.Call]) -> Iterator[Apart]:
    for mask in calls:
        for image in calls:
            one, other = _words(image), _words(mask)
            is_mask = bool(other & _MASKS) or (bool(other & _TARGETS) and bool(one & _INPUTS))
            if not is_mask or one & (_MASKS | _TARGETS) or (one | other) & _DOMAINS or not one:
                continue
            if _given(image) == _given(mask) or _share_a_seed(image, mask):
                continue
            yield Apart(what, image, mask, (_given(image), _given(mask)))
            break


def _given(call: ast.Call) -> str:
    """What is augmented, as written."""
    given = [*call.args[:1], *(keyword.value for keyword in call.keywords if keyword.arg in ("image", "value"))]
    return ast.unparse(given[0]) if given else ""


def _words(call: ast.Call) -> set[str]:
    """The words in what is augmented: `features["image_mask"]` has `image` and `mask`; the last name counts."""
    node: ast.AST = call.args[0] if call.args else ast.Constant("")
    match node:
        case ast.Subscript(slice=ast.Constant(value=str(text))):
            name = text
        case ast.Name(id=name) | ast.Attribute(attr=name):
            pass
        case ast.Call(args=[ast.Name(id=name), *_]):
            pass
        case _:
            return set()
    return _split(name)


def _split(name: str) -> set[str]:
    return {word.lower() for word in re.findall(_WORD, name)}


def names_of_seed(call: ast.Call) -> list[str]:
    """The seeds that a call is given, as written."""
    place = {"random_crop": 2}.get(last(ast.unparse(call.func)), 1)
    seeds = [*call.args[place : place + 1], *(keyword.value for keyword in call.keywords if keyword.arg == "seed")]
    return [ast.unparse(seed) for seed in seeds if ast.unparse(seed) != "None"]


def _share_a_seed(one: ast.Call, other: ast.Call) -> bool:
    """Might both draw alike? Equal seeds do (measured); of two that are not literals nothing is known."""
    seeds, others = names_of_seed(one), names_of_seed(other)
    if not seeds or not others:
        return False
    literal = all(seed.lstrip("-").isdigit() for seed in (*seeds, *others))
    return seeds == others or not literal
