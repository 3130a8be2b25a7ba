"""TFD202 py-function."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from tfdata_lint.config.target import Target
from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.mapped.uses import Made
from tfdata_lint.pipeline.mapped.written import calls_below, calls_under
from tfdata_lint.pipeline.nouns.graph import PipelineGraph
from tfdata_lint.pipeline.nouns.paths import paths, when
from tfdata_lint.pipeline.nouns.questions import is_batched, is_cached, outermost
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction, Stage
from tfdata_lint.pipeline.nouns.values import Alternatives, Expr, Mapping_, Sequence, parts_of
from tfdata_lint.pipeline.project.syntax import syntax_of
from tfdata_lint.rules.base import Finding, Fix, Related, Rule, Severity
from tfdata_lint.rules.correctness.models import is_of_keras
from tfdata_lint.rules.correctness.ranks import is_traced_by_keras_3
from tfdata_lint.rules.python_code.numpy_function import to_numpy, with_shape

#: Work that the wrapped Python calls, and what does it natively, whatever else is called.
_WORK = (
    (r"imread$|Image\.open$|load_img$|imageio\.", "`tf.io.read_file` with `tf.io.decode_image`"),
    (r"imdecode$", "`tf.io.decode_image`"),
    (r"librosa\.load$|wavfile\.read$|soundfile\.read$|sf\.read$", "`tf.io.read_file` with `tf.audio.decode_wav`"),
    (r"(np|numpy)\.load$|h5py\.", "TFRecord files (written once, read with `tf.data.TFRecordDataset`)"),
    (r"^open$|read_text$|read_bytes$|GFile$", "`tf.io.read_file`"),
    (
        r"^((cv2|(skimage\.)?transform|(\w+_)?(im|img|image)s?\d*)\.)?(resize|rescale)$|(^|\.)imresize$|^Image\.\w+\(.*\.resize$",
        "`tf.image.resize`",
    ),
    (r"cv2\.flip$|fliplr$|flipud$", "`tf.image.flip_left_right` or `tf.image.flip_up_down`"),
    (r"stft$|melspectrogram$|mfcc$", "`tf.signal`"),
)
#: New in 2.4.
_NUMPY = " or `tf.experimental.numpy`"
#: Small things: what they are part of is not named by them, unless nothing else is called.
_DETAILS = (
    (r"\.(lower|upper|strip|split|startswith)$|^re\.\w+$", "`tf.strings`"),
    (r"^(np|numpy)\.random\.|^random\.\w+$", "`tf.random`"),
    (
        r"^(np|numpy|math)\.(?!load$|save|random\.|array$|asarray$|float|int|uint)\w",
        f"`tf.math`{_NUMPY}",
    ),
)
#: What gets bytes over a network, of which no operation reads; what keeps bytes in memory, which is no file.
_FETCHING = r"(^|[._])(urlopen|urlretrieve|download\w*|get_object|get_blob)$|^(requests|httpx|urllib3|aiohttp|boto3)\."
_IN_MEMORY = r"(^|\.)BytesIO$"
#: Files that this does not read (2.21: "Unknown image file format. One of JPEG, PNG, GIF, BMP required.").
_DECODE, _UNDECODED = "decode_image", r"(?i)\.(?:p[pgb]m|tiff?|webp|exr|hdr|dcm|nii)\b[\"'.]"
_READ = "`tf.io.read_file` with "
#: What only hands values about.
_PLAIN = (
    r"^(abs|bool|dict|enumerate|float|int|isinstance|len|list|max|min|print|range|round|str|sum|tuple|type|zip|\w*Error)$"
    r"|^tf\.|^(np|numpy)\.(array|asarray|bool|float|int|uint)\w*$"
    r"|\.(append|astype|close|copy|decode|extend|format|item|items|keys|numpy|reshape|tolist|values)$"
)
#: Operations that work in a graph as well.
_OPERATIONS = r"^(tf|tensorflow)\.(io|image|audio|signal)\."
_LOOK = (
    "Use TensorFlow operations (`tf.io`, `tf.image`, `tf.audio`, `tf.strings`; TensorFlow Text for tokenizers), store"
    " the result once, or call the function after `batch`"
)
_ARRAY_FILES = r"^((np|numpy)\.(load|fromfile|memmap)|(nib|nibabel)\.load)$"
_SHAPES = frozenset({"set_shape", "ensure_shape", "reshape"})


class PyFunction(Rule):
    code = "TFD202"
    name = "py-function"
    group = "performance"
    experiment = "share"
    summary = "A mapped function calls back into Python, which runs one element at a time"
    triggers = ("effect:py_function",)

    def check(self, graph: PipelineGraph, target: Target) -> Iterator[Finding]:
        for stage in graph.stages:
            function = stage.function
            if function is None or stage.operation.kind != "transformation":
                continue
            slow: list[Effect] = []
            for effect in function.effects:
                if effect.kind != "py_function" or _is_beside_the_point(graph, effect):
                    continue
                if failing := _who_needs_the_shape(graph, target, stage, effect):
                    yield self._without_shape(graph, stage, effect, failing)
                else:
                    slow.append(effect)
            if slow and (finding := self._slow(graph, target, stage, slow)):
                yield finding

    def _without_shape(self, graph: PipelineGraph, stage: Stage, effect: Effect, failing: str) -> Finding:
        native = " and ".join(_replacements(graph, effect))
        return self.finding(
            effect.span,
            f"`{effect.what}` sets no shape, but {failing} needs one",
            cost="The result of a Python function has an unknown shape, so this raises a ValueError",
            advice="Restore the shape with `tf.ensure_shape` or `set_shape`" + (f", or use {native}" if native else ""),
            severity="error",
            confidence=stage.confidence,
            fix=with_shape(graph, effect) or _fix(native),
        )

    def _slow(self, graph: PipelineGraph, target: Target, stage: Stage, effects: list[Effect]) -> Finding | None:
        """One finding for each mapped function, at its first call."""
        first, *others = effects
        natives = dict.fromkeys(text for effect in effects for text in _replacements(graph, effect))
        native = " and ".join(list(natives)[:2])
        if target.lacks(2, 4):
            native = native.replace(_NUMPY, "")
        known = tuple(paths(stage.inputs[0])) if stage.inputs else ()
        single = [path for path in known if not is_batched(path)]
        once = is_cached(graph, outermost(stage))
        is_advice = once or not single or any(_may_need_python(graph, effect) for effect in effects)
        is_advice |= stage.is_parallel and all(_only_reads(graph, effect) for effect in effects)
        severity: Severity = "advice" if is_advice else "warning"
        if severity == "advice" and stage.context.in_test:
            return None
        each = "element" if single else "batch"
        then = (" in the first epoch" if once else "") + (
            ", if a condition in it holds" if all(effect.sometimes for effect in effects) else ""
        )
        count = len(others)
        more = f", and so {'does 1 more call' if count == 1 else f'do {count} more calls'}" if others else ""
        return self.finding(
            first.span,
            f"`{first.what}` runs Python for every {each} of `{stage.op}`{then}{when(single, known)}{more}",
            cost=(
                "All calls share one interpreter lock, even in a parallel stage (measured: TensorFlow operations are"
                " 6 to 9 times faster, one call of Python for a whole batch 67 to 107 times)"
            )
            + "; later epochs read the cache" * once,
            advice=f"Use {native} instead" if native else _LOOK,
            severity=severity,
            confidence=stage.confidence,
            related=tuple(Related(other.span, "runs Python too") for other in others),
            fix=next((made for effect in effects if (made := to_numpy(graph, effect))), _fix(native)),
        )


def _is_beside_the_point(graph: PipelineGraph, effect: Effect) -> bool:
    """It only sleeps, to play at work; or it writes examples to files, which is done once."""
    calls = calls_under(graph, effect)
    if not calls:
        return False
    return all(call in ("time.sleep", "sleep") for call in calls) or any("serialize" in call.lower() for call in calls)


def _fix(native: str) -> Fix:
    title = f"Use {native}" if native else "Write it with TensorFlow operations"
    return Fix("display-only", title, "native operations may differ from the Python code in details")


def _calls(graph: PipelineGraph, effect: Effect) -> list[str]:
    """What the wrapped Python calls; where that is not seen, the function that is given."""
    under = calls_under(graph, effect)
    return list(under) if under is not None else _given_to(graph, effect)


def _replacements(graph: PipelineGraph, effect: Effect) -> list[str]:
    """Native operations for what the wrapped Python does, the two most telling ones."""
    calls = _calls(graph, effect)
    if _fetches(graph, effect):
        return ["files that are downloaded once, before the training,"]
    known: tuple[tuple[str, str], ...] = _WORK
    if all(re.search(_PLAIN, call) or _natives(call, (*_WORK, *_DETAILS)) for call in calls):
        known += _DETAILS
    found = dict.fromkeys(native for call in calls for native in _natives(call, known))
    if re.search(_UNDECODED, graph.source.text):
        found = {native: None for native in found if _DECODE not in native}
    is_read = not any(re.search(_IN_MEMORY, call) for call in calls)
    return [native if is_read else native.removeprefix(_READ) for native in found][:2]


def _may_need_python(graph: PipelineGraph, effect: Effect) -> bool:
    """Does it call what no operation is known to replace, and nothing that one does, or that is one?"""
    calls = _calls(graph, effect)
    if _replacements(graph, effect) or any(re.search(_OPERATIONS, call) for call in calls):
        return False
    return not all(re.search(_PLAIN, call) for call in calls)


def _only_reads(graph: PipelineGraph, effect: Effect) -> bool:
    """Is reading an array from a file all its work, or a network? Python lets others run while it waits for that."""
    calls = _calls(graph, effect)
    reads = [call for call in calls if re.search(_ARRAY_FILES, call)]
    return _fetches(graph, effect) or (bool(reads) and all(call in reads or re.search(_PLAIN, call) for call in calls))


def _fetches(graph: PipelineGraph, effect: Effect) -> bool:
    """Does it get what it needs over a network?"""
    return any(re.search(_FETCHING, call) for call in calls_below(graph, effect))


def _natives(call: str, known: tuple[tuple[str, str], ...]) -> list[str]:
    return [native for pattern, native in known if re.search(pattern, call)]


def _who_needs_the_shape(graph: PipelineGraph, target: Target, stage: Stage, effect: Effect) -> str:
    """The Keras method or the stage that fails on elements of unknown shape; empty if none is certain to."""
    if stage.op != "map" or stage.function is None or not _hands_on(stage.function, effect):
        return ""
    later = graph.downstream(stage)
    # Whatever runs a function after it may restore the shape.
    if any(user.function is not None or (user.op == "padded_batch" and user.has("padded_shapes")) for user in later):
        return ""
    if any(user.op == "padded_batch" for user in later):
        return "`padded_batch` without `padded_shapes`"
    # A model of Keras 2 that has an `Input` sets the shape itself, and one that runs eagerly needs none (measured).
    if target.below(2, 16) or not is_traced_by_keras_3(graph):
        return ""
    # `predict` does without (measured), `fit` and `evaluate` do not.
    kinds = {consumer.kind for consumer in graph.reached(stage) if is_of_keras(graph, consumer)}
    return next((f"`{kind}`" for kind in ("fit", "evaluate") if kind in kinds), "")


def _hands_on(function: MappedFunction, effect: Effect) -> bool:
    """Does the function return what this call returned as it is, and nowhere speak of shapes?"""
    if any(last(call.name) in _SHAPES for call in function.calls):
        return False
    made, todo = Made(effect), [function.result]
    while todo:
        part = todo.pop()
        if made.is_it(part):
            return True
        match part:
            case Expr(by="mapped", of=(_, inner)) | Expr(by="unpacked", of=(inner, *_)):
                todo.append(inner)
            case Expr(by="either", of=values):
                todo += values
            case Sequence() | Mapping_() | Alternatives():
                todo += parts_of(part)
    return False


def _given_to(graph: PipelineGraph, effect: Effect) -> list[str]:
    """The function that is given to `py_function`."""
    if not isinstance(effect.node, ast.Call):
        return []
    keywords = (keyword.value for keyword in effect.node.keywords if keyword.arg == "func")
    return [syntax_of(graph.source).called(node) for node in (*effect.node.args[:1], *keywords)]
