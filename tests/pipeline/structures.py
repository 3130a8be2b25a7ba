"""Compares what is known of elements with `element_spec`: programs run on TensorFlow with a probe around each stage."""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from tensorflow_runner import RunOnTensorFlow

from tfdata_lint.pipeline.nouns.elements import structure_of
from tfdata_lint.pipeline.nouns.stages import Stage
from tfdata_lint.pipeline.nouns.structure import Dict_, Nested, Nothing, Structure, Tensor, Tuple_, Unknown
from tfdata_lint.pipeline.recover import recover
from tfdata_lint.source.module import load

#: What a program runs in: `_probe` notes the `element_spec` of what a call gives, by the number of the call.
_HARNESS = """
_found = {}
def _described(spec):
    import tensorflow as tf
    if isinstance(spec, dict):
        return {"dict": [[repr(key), _described(part)] for key, part in spec.items()]}
    if isinstance(spec, (tuple, list)):
        return {"tuple": [_described(part) for part in spec]}
    if isinstance(spec, tf.data.DatasetSpec):
        return {"dataset": _described(spec.element_spec)}
    for kind, cls in (("dense", tf.TensorSpec), ("sparse", tf.SparseTensorSpec), ("ragged", tf.RaggedTensorSpec)):
        if isinstance(spec, cls):
            shape = None if spec.shape.rank is None else spec.shape.as_list()
            return {"tensor": [kind, spec.dtype.name, shape]}
    return {"other": type(spec).__name__}
def _probe(number, value):
    import tensorflow as tf
    if isinstance(value, tf.data.Dataset):
        seen = _found.setdefault(number, [])
        text = _described(value.element_spec)
        if text not in seen:
            seen.append(text)
    return value
def _run(_text):
    namespace = {"__name__": "__main__", "_probe": _probe}
    try:
        exec(compile(_text, "program.py", "exec"), namespace)
    except BaseException as error:
        _found["error"] = f"{type(error).__name__}: {error}"
"""


class Seen(NamedTuple):
    """What came out for one program."""

    contradictions: list[str]
    leaves: Counter[str]
    """`all`, `nested` (their place is known), `dtype`, `rank`, `dimensions` and `known` of them."""
    compared: int
    error: str


def compare_structures(program: str, run_on_tensorflow: RunOnTensorFlow) -> Seen:
    """What is said of each stage of a program, beside what TensorFlow says."""
    stages = list(_stages(program))
    places: dict[tuple[int, int, int, int], int] = {}
    for stage in stages:
        places.setdefault(_place(stage.node), len(places))
    tree = _Probing(places).visit(ast.parse(program))
    text = ast.unparse(ast.fix_missing_locations(tree))
    code = f"{_HARNESS}\n_run({text!r})\n__answer__ = {{str(key): value for key, value in _found.items()}}\n"
    ended = run_on_tensorflow(code, "program.py")
    answer = ended.get("answer") or {}
    contradictions: list[str] = []
    leaves: Counter[str] = Counter()
    compared = 0
    for place, number in places.items():
        said = [structure_of(stage) for stage in stages if _place(stage.node) == place]
        for seen in answer.get(str(number), ()):
            compared += 1
            wrong = [list(_differences(structure, seen, "element")) for structure in said]
            if all(wrong):
                source = ast.get_source_segment(program, next(s.node for s in stages if _place(s.node) == place))
                contradictions.append(f"{source}\n  said: {' | '.join(map(str, said))}\n  is:   {json.dumps(seen)}\n"
                                      f"  {wrong[0][0]}")  # fmt: skip
            else:
                best = said[next(i for i, found in enumerate(wrong) if not found)]
                _count(best, seen, leaves)
    return Seen(contradictions, leaves, compared, answer.get("error") or ended.get("error", ""))


def _stages(program: str) -> Iterator[Stage]:
    for stage in recover(load(program.encode(), "program.py")).stages:
        if isinstance(stage.node, ast.Call) and not stage.is_opaque:
            yield stage


def _place(node: Any) -> tuple[int, int, int, int]:
    return node.lineno, node.col_offset, node.end_lineno, node.end_col_offset


class _Probing(ast.NodeTransformer):
    def __init__(self, places: dict[tuple[int, int, int, int], int]) -> None:
        self.places = places

    def visit_Call(self, node: ast.Call) -> ast.AST:
        number = self.places.get(_place(node))
        self.generic_visit(node)
        if number is None:
            return node
        return ast.Call(ast.Name("_probe", ast.Load()), [ast.Constant(number), node], [])


def _differences(said: Structure, seen: dict[str, Any], where: str) -> Iterator[str]:
    """How what is said contradicts what is."""
    match said:
        case Unknown():
            return
        case Nothing():
            if seen != {"other": "NoneTensorSpec"}:
                yield f"{where} is no None"
        case Nested(element):
            if "dataset" not in seen:
                yield f"{where} is no dataset"
            else:
                yield from _differences(element, seen["dataset"], f"{where} (nested)")
        case Tuple_(items):
            if len(seen.get("tuple", ())) != len(items) or "tuple" not in seen:
                yield f"{where} is no tuple of {len(items)}"
                return
            for number, (item, part) in enumerate(zip(items, seen["tuple"], strict=True)):
                yield from _differences(item, part, f"{where}[{number}]")
        case Dict_(entries):
            parts = dict(seen.get("dict", ()))
            if parts.keys() != {repr(key) for key, _ in entries}:
                yield f"{where} has other keys"
                return
            for key, item in entries:
                yield from _differences(item, parts[repr(key)], f"{where}[{key!r}]")
        case Tensor():
            if "tensor" not in seen:
                yield f"{where} is no tensor"
            else:
                yield from _tensor_differences(said, *seen["tensor"], where)


def _tensor_differences(
    said: Tensor, kind: str, dtype: str, shape: list[int | None] | None, where: str
) -> Iterator[str]:
    if said.kind != kind:
        yield f"{where} is {kind}"
    if said.dtype not in ("", dtype):
        yield f"{where} has the dtype {dtype}"
    if said.unranked and shape is not None:
        yield f"{where} has a known rank"
    if said.shape is None:
        return
    if shape is None or len(shape) != len(said.shape):
        yield f"{where} has another rank"
        return
    for number, (one, other) in enumerate(zip(said.shape, shape, strict=True)):
        if (one is not None and one >= 0 and one != other) or (one is not None and one < 0 and other is not None):
            yield f"{where}: dimension {number} is {other}"


def _count(said: Structure, seen: dict[str, Any], counts: Counter[str]) -> None:
    """How much of what is, is said."""
    if "tuple" in seen:
        items = said.items if isinstance(said, Tuple_) else [Unknown()] * len(seen["tuple"])
        for item, part in zip(items, seen["tuple"], strict=True):
            _count(item, part, counts)
    elif "dict" in seen:
        entries = {repr(key): item for key, item in said.entries} if isinstance(said, Dict_) else {}
        for key, part in seen["dict"]:
            _count(entries.get(key, Unknown()), part, counts)
    elif "dataset" in seen:
        _count(said.element if isinstance(said, Nested) else Unknown(), seen["dataset"], counts)
    elif "tensor" in seen:
        _, _, shape = seen["tensor"]
        is_known = isinstance(said, Tensor)
        counts["all"] += 1
        counts["nested"] += is_known
        if not isinstance(said, Tensor):
            return
        counts["dtype"] += bool(said.dtype)
        has_rank = said.shape is not None or shape is None
        counts["rank"] += has_rank
        sizes = sum(size is not None for size in shape or ())
        found = sum(size is not None and size >= 0 for size in said.shape or ())
        counts["known"] += bool(said.dtype) and has_rank and sizes == found
