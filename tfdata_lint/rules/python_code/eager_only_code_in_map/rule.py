"""TFD205 eager-only-code-in-map."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.mapped.uses import Tensors, looked_up
from tfdata_lint.pipeline.nouns.code import may_fail
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction
from tfdata_lint.pipeline.nouns.values import Expr
from tfdata_lint.pipeline.project.eras import is_tensorflow_1
from tfdata_lint.rewriting.draft import Draft
from tfdata_lint.rules.base import Finding, Fix, Made, Rule, guarded
from tfdata_lint.rules.python_code.eager_only_code_in_map.bytes_as_text import Mistaken, mistaken
from tfdata_lint.rules.python_code.eager_only_code_in_map.dimensions import UnknownSize, unknown_size
from tfdata_lint.rules.python_code.eager_only_code_in_map.rewritten import rewritten

#: What does it with tensors, by the beginning of what does it with values.
_INSTEAD = (
    ("np.", "the same function of `tf`, `tf.math` or `tf.experimental.numpy`"),
    ("cv2.", "`tf.io.read_file`, `tf.io.decode_image` and `tf.image`"),
    ("PIL.", "`tf.io.read_file` and `tf.io.decode_image`"),
    ("os.path.", "`tf.strings` (`tf.strings.join`, `tf.strings.split`)"),
    ("open", "`tf.io.read_file`"),
    ("tf.io.gfile.", "`tf.io.read_file`"),
    ("re.", "`tf.strings.regex_replace` and related functions"),
    ("math.", "the same function of `tf.math`"),
    ("json.", "`tf.io.decode_json_example`, or write TFRecord files"),
)
#: What asks whether there is a tensor, or makes a value of Python of one.
_ASKING = r"isinstance|is_tensor|hasattr|eager|static_value|constant_value|is_symbolic|inside_function"


class EagerOnlyCodeInMap(Rule):
    code = "TFD205"
    name = "eager-only-code-in-map"
    group = "correctness"
    summary = "A mapped function needs the values of a tensor, which raises an error during tracing"
    triggers = (
        "fails call:decode_jpeg call:decode_png call:decode_bmp call:numpy_function call:py_func from_generator",
    )

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        seen: set[Span] = set()
        for stage in graph.stages:
            if stage.confidence != "proven" or stage.context.in_test:
                continue
            for mistake in mistaken(graph, stage):
                if mistake.span not in seen:
                    seen.add(mistake.span)
                    is_here = mistake.span.file == graph.file
                    yield self._bytes(mistake, _decode(graph, mistake) if is_here else None)
            function = stage.function
            if function is None or stage.operation.kind != "transformation" or function.is_wrapped:
                continue
            for effect in function.effects:
                if effect.fails and self._raises(graph, function, effect):
                    yield self._finding(function, effect, rewritten(graph, stage, effect))
            if (size := unknown_size(function)) and not is_tensorflow_1(graph):
                yield self._size(function, size)

    def _raises(self, graph: PipelineGraph, function: MappedFunction, effect: Effect) -> bool:
        there = graph.source_of(effect.span.file)
        if there is None or there.tree is None or effect.node is None:
            return False
        # Where the functions of NumPy take tensors, much of this works.
        if graph.says("numpy") or may_fail(there.tree, effect.node):
            return False
        return _is_given_tensor(function, effect) and not is_tensorflow_1(graph)

    def _finding(self, function: MappedFunction, effect: Effect, fix: Made) -> Finding:
        instead = next((text for start, text in _INSTEAD if effect.what.startswith(start)), "")
        if _is_lookup(function, effect):
            instead = "a table (`tf.lookup.StaticHashTable`, `tf.keras.layers.StringLookup`) or `tf.gather`"
        python = "wrap this part in `tf.numpy_function` or `tf.py_function`"
        return self.finding(
            effect.span,
            f"`{effect.what}` needs the value of a tensor, but `{function.name}` is traced without values",
            cost=(
                "TensorFlow traces a mapped function once, with symbolic tensors: this raises"
                f" {'an' if effect.fails[0] in 'AEIO' else 'a'} {effect.fails} (measured)"
            ),
            advice=f"Use {instead}, or {python}" if instead else f"Use operations of TensorFlow, or {python}",
            fix=fix,
        )

    def _bytes(self, found: Mistaken, fix: Made | None) -> Finding:
        name, is_argument = ast.unparse(found.taken), found.how.startswith("from_generator")
        instead = ", or replace `args=` by a `lambda` that calls the generator with the text" if is_argument else ""
        return self.finding(
            found.span,
            f"`{ast.unparse(found.node)}` treats `{name}` as text, but `{found.how}` passes bytes",
            cost=f"This raises {'an' if found.fails[0] == 'A' else 'a'} {found.fails} at the first element (measured)"
            if found.fails
            else "Bytes never equal text, and the comparison raises no error (measured)",
            advice=f"Use `{name}.decode()`{instead}",
            fix=fix,
        )

    def _size(self, function: MappedFunction, found: UnknownSize) -> Finding:
        size, image = _written(found.size), _written(found.shape).removesuffix(".shape")
        return self.finding(
            found.span,
            f"`{size}` is None while `{function.name}` is traced: image sizes are known only after decoding",
            cost="TensorFlow traces the function once, for images of every size: this raises a TypeError (measured)",
            advice=f"Use `tf.shape({image})`",
        )


@guarded
def _decode(graph: PipelineGraph, found: Mistaken) -> Fix:
    draft = Draft(graph)
    draft.replace(found.taken, f"{draft.syntax.written(found.taken)}.decode()")
    return draft.fix("unsafe", "Decode the bytes", "today the code raises an error or compares text with bytes")


def _is_given_tensor(function: MappedFunction, effect: Effect) -> bool:
    """Is a call certainly given a tensor of the graph? Not where anybody asks what there is."""
    if any(re.search(_ASKING, call.name) for call in function.calls):
        return False
    if _is_lookup(function, effect):
        return not effect.sometimes
    tensors = Tensors()
    return any(
        call.node is effect.node and any(map(tensors.of, (call.receiver, *call.arguments))) for call in function.calls
    )


def _is_lookup(function: MappedFunction, effect: Effect) -> bool:
    """Does a tensor look for something in a dict or list of Python?"""
    return any(operator.expr.node is effect.node for operator in looked_up(function.operators))


def _written(expr: Expr) -> str:
    return "" if expr.node is None else ast.unparse(expr.node)
