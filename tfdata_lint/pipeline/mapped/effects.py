"""What a mapped function does: randomness, Python, cost, vectorisable.

The interpreter runs the function's body with `ELEMENT` for its parameters and notes what it sees in a `Body`; here
that record is judged by what TensorFlow does (measured on 2.12 to 2.21).
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Literal, NamedTuple

from tfdata_lint.pipeline.knowledge.kinds import Cost, EffectKind
from tfdata_lint.pipeline.nouns.places import Span
from tfdata_lint.pipeline.nouns.stages import Effect, MappedFunction
from tfdata_lint.pipeline.nouns.values import (
    ELEMENT,
    Alternatives,
    Constant,
    Element,
    External,
    Function,
    Mapping_,
    Method,
    Partial,
    Sequence,
    Symbol,
    Unknown,
    Value,
)
from tfdata_lint.pipeline.project.index import span_of


class Call(NamedTuple):
    """A call met while interpreting a mapped function, helpers of the project (which are entered) left out.

    `name` is the callee's full name, `compat.v1`/`compat.v2` kept: `tensorflow.image.resize`, `builtins.print`,
    `numpy.random.rand`. An object made by a library is written with `()`: `tensorflow.lookup.StaticHashTable().lookup`
    for its method, `tensorflow.keras.layers.RandomFlip()` for calling it. Methods of tensors are `Element.numpy`,
    those of literals and containers `str.format`, `list.append` (containers from outside only); methods of what is
    not known `?.append`, or `local.append` when its name is local to the function; an unknown callee has no name.
    """

    name: str
    node: ast.Call
    span: Span
    positional: tuple[Value, ...] = ()
    keywords: Mapping[str, Value] = MappingProxyType({})
    helper: bool = False
    """Not in the function itself but in a project function that it calls."""

    @property
    def arguments(self) -> tuple[Value, ...]:
        return (*self.positional, *self.keywords.values())


class Mutation(NamedTuple):
    """A statement in a mapped function that changes something outside of it."""

    kind: Literal["global", "nonlocal", "attribute", "item"]
    target: str
    """As written: `self.count`, `seen`."""
    span: Span


@dataclass(slots=True)
class Body:
    """What the interpreter saw in a mapped function."""

    node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | None
    """None when the function is not of this project (`tf.io.decode_jpeg` given as it is)."""
    name: str
    span: Span | None
    calls: list[Call] = field(default_factory=list)
    mutations: list[Mutation] = field(default_factory=list)
    complete: bool = True
    """False when something was not followed: recursion, too much work, a function that is not seen."""
    names: dict[int, str] = field(default_factory=dict)
    """`id` of each `ast.Call` of the function (helpers left out) to the callee's full name."""
    constants: dict[int, Value] = field(default_factory=dict)
    """`id` of each `ast.Name`/`ast.Attribute` read in the function itself to its value, where it is known."""
    helper_reads: list[tuple[ast.expr, External]] = field(default_factory=list)
    """Objects of libraries that project functions it calls read by name."""


def describe(body: Body) -> MappedFunction:
    """Judge a mapped function by what was seen in it."""
    from tfdata_lint.pipeline.mapped.batches import batch_safety

    wrapped = [function.node for call in body.calls for function in _wrapped(call)]
    calls = [expanded for call in _outside(body.calls, wrapped) for expanded in _expand(call)]
    effects = [effect for call in calls if (effect := _effect(call, body)) is not None]
    effects += [
        Effect("side_effect", mutation.target, mutation.span)
        for mutation in body.mutations
        if not any(_covers(node, mutation.span) for node in wrapped)
    ]
    effects += _reads(body, calls)
    effects = list({(effect.kind, effect.what, effect.span): effect for effect in effects}.values())
    seen = {id(call.node) for call in body.calls}
    resolved = body.complete and all(
        classify(call.name) != "unknown" and not _holds_unfollowed(call, seen) for call in calls
    )
    resolved = resolved and (body.node is not None or bool(calls))
    heavy = _heaviest(call.name for call in calls)
    safety, reason = batch_safety(body, tuple(effects), resolved)
    return MappedFunction(
        body.name,
        body.span,
        body.node,
        resolved,
        effects=tuple(effects),
        operations=tuple(plain(call.name) for call in calls if _is_operation(call.name)),
        cost=_cost(body, calls, heavy, resolved),
        heavy=displayed(heavy) if heavy else "",
        batch_safety=safety,
        batch_reason=reason,
        reads_files=any(call.name.rpartition(".")[2] in _READERS for call in calls),
    )


# ---- names --------------------------------------------------------------------------------------------------------

_COMPAT = re.compile(r"^tensorflow\.(?:compat\.v[12]\.)+")
_KERAS = re.compile(r"^(?:tensorflow\.(?:python\.)?keras|keras(?:\.src)?|tf_keras)\.")
_SHORT = {
    "tensorflow": "tf",
    "numpy": "np",
    "tensorflow_addons": "tfa",
    "tensorflow_probability": "tfp",
    "tensorflow_text": "tf_text",
    "tensorflow_io": "tfio",
}


def plain(name: str) -> str:
    """A full name without `compat.v1`/`compat.v2`, all homes of Keras being `tensorflow.keras`."""
    if name.startswith("tensorflow.compat."):
        name = _COMPAT.sub("tensorflow.", name)
    return _KERAS.sub("tensorflow.keras.", name) if "keras" in name else name


def displayed(name: str) -> str:
    """A full name as the field writes it: `tf.image.resize`, `np.random.rand`, `print`."""
    name = plain(name).replace("()", "")
    root, dot, rest = name.partition(".")
    match root:
        case "builtins":
            return rest
        case "Element" | "?" | "local":
            return f".{rest}"
    return f"{_SHORT.get(root, root)}{dot}{rest}"


# ---- which calls count --------------------------------------------------------------------------------------------

_PY_FUNCTIONS = frozenset(
    {"tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.py_func", "tensorflow.contrib.eager.py_func"}
)

#: Functions of TensorFlow and Python that call what they are given, with elements: where they take it.
_CALLING: dict[str, tuple[int | str, ...]] = {
    "tensorflow.map_fn": (0, "fn"),
    "tensorflow.vectorized_map": (0, "fn"),
    "tensorflow.foldl": (0, "fn"),
    "tensorflow.foldr": (0, "fn"),
    "tensorflow.scan": (0, "fn"),
    "tensorflow.while_loop": (0, 1, "cond", "body"),
    "tensorflow.cond": (1, 2, "true_fn", "false_fn", "fn1", "fn2"),
    "tensorflow.case": (0, 1, "pred_fn_pairs", "default"),
    "tensorflow.switch_case": (1, 2, "branch_fns", "default"),
    "tensorflow.nest.map_structure": (0, "func"),
    "tensorflow.nest.map_structure_up_to": (1, "func"),
    "builtins.map": (0,),
    "builtins.filter": (0,),
}


def _wrapped(call: Call) -> Iterator[Function]:
    """The Python function under `py_function`/`numpy_function`, when it is seen."""
    if plain(call.name) in _PY_FUNCTIONS:
        value = call.positional[0] if call.positional else call.keywords.get("func")
        for function in _functions_in(value):
            if isinstance(function, Function):
                yield function


def _outside(calls: Iterable[Call], wrapped: list[ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda]) -> list[Call]:
    """The calls that are not made inside of these functions: those run as Python, for every element."""
    inside = {id(part) for node in wrapped for part in ast.walk(node) if isinstance(part, ast.Call)}
    return [call for call in calls if id(call.node) not in inside]


def _expand(call: Call) -> Iterator[Call]:
    """A call, and those of the library functions handed to it: `tf.map_fn(tf.io.decode_jpeg, x)`."""
    yield call
    for place in _CALLING.get(plain(call.name), ()):
        if isinstance(place, str):
            value = call.keywords.get(place)
        else:
            value = call.positional[place] if place < len(call.positional) else None
        for function in _functions_in(value):
            if name := _callee(function):
                yield call._replace(name=name, positional=(ELEMENT,), keywords={})


def _functions_in(value: Value | None, depth: int = 0) -> Iterator[Value]:
    """What can be called in a value: itself, the function of a partial, the items of a list or dict of functions."""
    match value:
        case Partial(function=function):
            yield from _functions_in(function, depth)
        case Sequence(items=items) if depth < 3:
            for item in items:
                yield from _functions_in(item, depth + 1)
        case Mapping_(items=entries) if depth < 3:
            for item in entries.values():
                yield from _functions_in(item, depth + 1)
        case Alternatives(branches=branches) if depth < 3:
            for branch in branches:
                yield from _functions_in(branch.value, depth + 1)
        case None | Constant() | Element() | Unknown():
            return
        case _:
            yield value


def _callee(value: Value) -> str:
    """The name under which a call of a library's function or object is noted."""
    match value:
        case Symbol(name):
            return name
        case External(symbol=symbol):
            return f"{symbol}()"
        case Method(receiver=External(symbol=symbol), name=name):
            return f"{symbol}().{name}"
    return ""


def _holds_unfollowed(call: Call, seen: set[int]) -> bool:
    """Is a project function handed to this call whose own calls were not met?"""
    if plain(call.name) in _PY_FUNCTIONS:
        return False
    for value in call.arguments:
        for function in _functions_in(value):
            if isinstance(function, Function):
                inner = [id(part) for part in ast.walk(function.node) if isinstance(part, ast.Call)]
                if inner and seen.isdisjoint(inner):
                    return True
    return False


def _is_operation(name: str) -> bool:
    return bool(name) and name.partition(".")[0] not in ("builtins", "?", "local")


def _covers(node: ast.AST, span: Span) -> bool:
    first, last = getattr(node, "lineno", 0), getattr(node, "end_lineno", 0)
    return bool(first <= span.row and span.end_row <= last)


# ---- effects ------------------------------------------------------------------------------------------------------

_LayerKind = Literal["pure", "random_layer", "stateful_layer"]
Classified = EffectKind | Literal["pure", "logging", "python", "unknown"]

#: Random operations and the position of their `seed`; -1 where it is given by name only.
RANDOM: dict[str, int] = {
    "tensorflow.random.uniform": 4,
    "tensorflow.random.normal": 4,
    "tensorflow.random.truncated_normal": 4,
    "tensorflow.random.gamma": 4,
    "tensorflow.random.poisson": 3,
    "tensorflow.random.categorical": 3,
    "tensorflow.random.multinomial": 2,
    "tensorflow.random.shuffle": 1,
    "tensorflow.random.all_candidate_sampler": 4,
    "tensorflow.random.fixed_unigram_candidate_sampler": -1,
    "tensorflow.random.learned_unigram_candidate_sampler": 5,
    "tensorflow.random.log_uniform_candidate_sampler": 5,
    "tensorflow.random.uniform_candidate_sampler": 5,
    "tensorflow.image.random_brightness": 2,
    "tensorflow.image.random_contrast": 3,
    "tensorflow.image.random_crop": 2,
    "tensorflow.image.random_flip_left_right": 1,
    "tensorflow.image.random_flip_up_down": 1,
    "tensorflow.image.random_hue": 2,
    "tensorflow.image.random_jpeg_quality": 3,
    "tensorflow.image.random_saturation": 3,
    "tensorflow.image.sample_distorted_bounding_box": 2,
    "tensorflow.nn.dropout": 3,
    "tensorflow.random_uniform": 4,
    "tensorflow.random_normal": 4,
    "tensorflow.truncated_normal": 4,
    "tensorflow.random_gamma": 4,
    "tensorflow.random_poisson": 3,
    "tensorflow.multinomial": 2,
    "tensorflow.random_shuffle": 1,
    "tensorflow.random_crop": 2,
    "tensorflow.random.random_uniform": 4,
    "tensorflow.random.random_normal": 4,
    "tensorflow.random.random_gamma": 4,
    "tensorflow.random.random_poisson": 3,
    "tensorflow.random.random_shuffle": 1,
    "tensorflow.random.random_crop": 2,
    "tensorflow.keras.random.uniform": 4,
    "tensorflow.keras.random.normal": 4,
    "tensorflow.keras.random.truncated_normal": 4,
    "tensorflow.keras.random.randint": 4,
    "tensorflow.keras.random.gamma": 3,
    "tensorflow.keras.random.binomial": 4,
    "tensorflow.keras.random.beta": 4,
    "tensorflow.keras.random.categorical": 3,
    "tensorflow.keras.random.shuffle": 2,
    "tensorflow.keras.random.dropout": 3,
    "tensorflow.keras.backend.random_uniform": 4,
    "tensorflow.keras.backend.random_normal": 4,
    "tensorflow.keras.backend.truncated_normal": 4,
    "tensorflow.keras.backend.random_bernoulli": 3,
    "tensorflow.keras.backend.random_binomial": 3,
    "tensorflow.keras.backend.dropout": 3,
}
#: Where a seed of 0 means none.
_ZERO_IS_NO_SEED = frozenset({"tensorflow.image.sample_distorted_bounding_box"})

#: The same for stateless random operations, where it is not 1.
STATELESS_SEEDS: dict[str, int] = {
    "tensorflow.random.stateless_categorical": 2,
    "tensorflow.image.stateless_random_brightness": 2,
    "tensorflow.image.stateless_random_contrast": 3,
    "tensorflow.image.stateless_random_crop": 2,
    "tensorflow.image.stateless_random_hue": 2,
    "tensorflow.image.stateless_random_jpeg_quality": 3,
    "tensorflow.image.stateless_random_saturation": 3,
    "tensorflow.image.stateless_sample_distorted_bounding_box": 2,
}

#: By prefix, the longest match counts. What is not listed here is not known.
_PREFIXES: dict[str, Classified] = {
    # TensorFlow. A plain operation is stateless unless listed.
    "tensorflow.": "pure",
    "tensorflow.random.": "unknown",
    "tensorflow.random.stateless_": "stateless_random",
    "tensorflow.random.experimental.": "unknown",
    "tensorflow.random.experimental.index_shuffle": "pure",
    "tensorflow.random.experimental.stateless_shuffle": "stateless_random",
    "tensorflow.random.experimental.stateless_split": "pure",
    "tensorflow.random.experimental.stateless_fold_in": "pure",
    "tensorflow.random.split": "pure",
    "tensorflow.random.fold_in": "pure",
    "tensorflow.random.get_global_generator": "pure",
    "tensorflow.random.experimental.get_global_generator": "pure",
    "tensorflow.image.random_": "random",
    "tensorflow.image.stateless_": "stateless_random",
    "tensorflow.nn.experimental.stateless_dropout": "stateless_random",
    "tensorflow.nn.experimental.general_dropout": "unknown",
    "tensorflow.nn.fractional_": "unknown",
    "tensorflow.nn.all_candidate_sampler": "random",
    "tensorflow.nn.fixed_unigram_candidate_sampler": "random",
    "tensorflow.nn.learned_unigram_candidate_sampler": "random",
    "tensorflow.nn.log_uniform_candidate_sampler": "random",
    "tensorflow.nn.uniform_candidate_sampler": "random",
    "tensorflow.nn.nce_loss": "unknown",
    "tensorflow.nn.sampled_softmax_loss": "unknown",
    "tensorflow.experimental.numpy.random.": "random",
    "tensorflow.experimental.numpy.random.seed": "unknown",
    "tensorflow.py_function": "py_function",
    "tensorflow.numpy_function": "py_function",
    "tensorflow.py_func": "py_function",
    "tensorflow.contrib.eager.py_func": "py_function",
    "tensorflow.print": "tf_print",
    "tensorflow.Print": "tf_print",
    "tensorflow.assign": "variable_assign",
    "tensorflow.scatter_": "variable_assign",
    "tensorflow.scatter_nd": "pure",
    "tensorflow.scatter_nd_add": "variable_assign",
    "tensorflow.scatter_nd_sub": "variable_assign",
    "tensorflow.scatter_nd_update": "variable_assign",
    "tensorflow.count_up_to": "variable_assign",
    "tensorflow.Variable": "unknown",
    "tensorflow.Variable().": "variable_read",
    "tensorflow.Variable().assign": "variable_assign",
    "tensorflow.Variable().scatter_": "variable_assign",
    "tensorflow.Variable().batch_scatter_update": "variable_assign",
    "tensorflow.get_variable": "unknown",
    "tensorflow.get_variable().": "variable_read",
    "tensorflow.get_variable().assign": "variable_assign",
    "tensorflow.lookup.": "pure",
    "tensorflow.contrib.lookup.": "pure",
    "tensorflow.logging.": "logging",
    "tensorflow.get_logger().": "logging",
    # Stateful, variables, or Python with effects of its own: not judged.
    "tensorflow.Session": "unknown",
    "tensorflow.InteractiveSession": "unknown",
    "tensorflow.batch_scatter_update": "unknown",
    "tensorflow.config.": "unknown",
    "tensorflow.contrib.": "unknown",
    "tensorflow.contrib.image.": "pure",
    "tensorflow.contrib.data.": "pure",
    "tensorflow.contrib.framework.nest.": "pure",
    "tensorflow.distribute.": "unknown",
    "tensorflow.estimator.": "unknown",
    "tensorflow.FIFOQueue": "unknown",
    "tensorflow.global_variables": "unknown",
    "tensorflow.import_graph_def": "unknown",
    "tensorflow.io.TFRecordWriter": "unknown",
    "tensorflow.io.gfile.": "python",
    "tensorflow.io.match_filenames_once": "unknown",
    "tensorflow.io.write_": "unknown",
    "tensorflow.gfile.": "python",
    "tensorflow.layers.": "unknown",
    "tensorflow.load_": "unknown",
    "tensorflow.metrics.": "unknown",
    "tensorflow.nondifferentiable_batch_function": "unknown",
    "tensorflow.placeholder": "unknown",
    "tensorflow.profiler.": "unknown",
    "tensorflow.python.": "unknown",
    "tensorflow.python_io.": "unknown",
    "tensorflow.queue.": "unknown",
    "tensorflow.raw_ops.": "unknown",
    "tensorflow.saved_model.": "unknown",
    "tensorflow.set_random_seed": "unknown",
    "tensorflow.summary.": "unknown",
    "tensorflow.test.": "unknown",
    "tensorflow.timestamp": "unknown",
    "tensorflow.tpu.": "unknown",
    "tensorflow.train.": "unknown",
    "tensorflow.write_file": "unknown",
    # Keras. Calls of layers are told apart below.
    "tensorflow.keras.": "unknown",
    "tensorflow.keras.activations.": "pure",
    "tensorflow.keras.applications.": "unknown",
    "tensorflow.keras.backend.": "pure",
    "tensorflow.keras.backend.learning_phase": "unknown",
    "tensorflow.keras.backend.variable": "unknown",
    "tensorflow.keras.backend.update": "variable_assign",
    "tensorflow.keras.layers.": "pure",
    "tensorflow.keras.losses.": "pure",
    "tensorflow.keras.metrics.": "unknown",
    "tensorflow.keras.ops.": "pure",
    "tensorflow.keras.preprocessing.": "python",
    "tensorflow.keras.utils.array_to_img": "python",
    "tensorflow.keras.utils.img_to_array": "python",
    "tensorflow.keras.utils.load_img": "python",
    "tensorflow.keras.utils.normalize": "python",
    "tensorflow.keras.utils.pad_sequences": "python",
    "tensorflow.keras.utils.to_categorical": "pure",
    "tensorflow.keras.preprocessing.image.random_": "python_random",
    "keras_cv.layers.": "pure",
    # Near TensorFlow.
    "tensorflow_addons.": "pure",
    "tensorflow_addons.image.random_": "random",
    "tensorflow_addons.layers.": "unknown",
    "tensorflow_text.": "unknown",
    "tensorflow_io.": "unknown",
    "tensorflow_io.experimental.": "unknown",
    "tensorflow_io.audio.": "pure",
    "tensorflow_hub.KerasLayer": "pure",
    # Python at tracing time: one value for all elements.
    "random.": "python_random",
    "random.Random": "pure",
    "random.Random().": "python_random",
    "random.seed": "pure",
    "random.getstate": "pure",
    "random.setstate": "pure",
    "numpy.random.": "python_random",
    "numpy.random.seed": "pure",
    "numpy.random.default_rng": "pure",
    "numpy.random.default_rng().": "python_random",
    "numpy.random.RandomState": "pure",
    "numpy.random.RandomState().": "python_random",
    "numpy.random.Generator": "pure",
    "numpy.random.Generator().": "python_random",
    "numpy.random.SeedSequence": "pure",
    "numpy.random.PCG64": "pure",
    "numpy.random.get_state": "pure",
    "numpy.random.set_state": "pure",
    "time.": "pure",
    "time.time": "python_random",
    "time.perf_counter": "python_random",
    "time.monotonic": "python_random",
    "time.process_time": "python_random",
    "time.thread_time": "python_random",
    "time.clock": "python_random",
    "time.localtime": "python_random",
    "time.gmtime": "python_random",
    "time.ctime": "python_random",
    "time.sleep": "unknown",
    "datetime.": "pure",
    "datetime.datetime.now": "python_random",
    "datetime.datetime.today": "python_random",
    "datetime.datetime.utcnow": "python_random",
    "datetime.date.today": "python_random",
    "uuid.": "pure",
    "uuid.uuid1": "python_random",
    "uuid.uuid4": "python_random",
    "secrets.": "python_random",
    "secrets.compare_digest": "pure",
    "os.urandom": "python_random",
    # Python that takes Python values: not tensors.
    "numpy.": "python",
    "cv2.": "python",
    "PIL.": "python",
    "skimage.": "python",
    "scipy.": "python",
    "librosa.": "python",
    "soundfile.": "python",
    "imageio.": "python",
    "pandas.": "python",
    "json.": "python",
    "re.": "python",
    "math.": "python",
    "pickle.": "python",
    "h5py.": "python",
    "os.path.": "python",
    "os.fspath": "python",
    "os.listdir": "python",
    "pathlib.": "python",
    "builtins.open": "python",
    # Python that is indifferent to what it is given.
    "os.getenv": "pure",
    "os.environ.": "pure",
    "collections.": "pure",
    "contextlib.": "pure",
    "copy.": "pure",
    "dataclasses.": "pure",
    "functools.": "pure",
    "inspect.": "pure",
    "itertools.": "pure",
    "operator.": "pure",
    "string.": "pure",
    "six.": "pure",
    "tree.": "pure",
    "types.": "pure",
    "typing.": "pure",
    "warnings.": "pure",
    "logging.": "logging",
    "absl.logging.": "logging",
    "loguru.logger.": "logging",
    "builtins.print": "logging",
    "builtins.": "pure",
    "builtins.compile": "unknown",
    "builtins.eval": "unknown",
    "builtins.exec": "unknown",
    "builtins.input": "unknown",
    "builtins.globals": "unknown",
    "builtins.locals": "unknown",
    "builtins.setattr": "unknown",
    "builtins.delattr": "unknown",
    "builtins.__import__": "unknown",
    # Methods.
    "Element.": "pure",
    "Element.numpy": "eager_only",
    "Element.tolist": "eager_only",
    "Element.item": "eager_only",
    "str.": "pure",
    "bytes.": "pure",
    "int.": "pure",
    "float.": "pure",
    "list.": "pure",
    "tuple.": "pure",
    "set.": "pure",
    "dict.": "pure",
}  # fmt: skip

_LOGGING_METHODS = frozenset(
    {"debug", "info", "warning", "warn", "error", "exception", "critical", "fatal", "log", "vlog", "log_first_n",
     "log_every_n", "log_if", "print", "success", "trace"}
)  # fmt: skip
_MUTATING = frozenset(
    {"append", "appendleft", "extend", "extendleft", "insert", "add", "update", "remove", "pop", "popitem", "popleft",
     "clear", "discard", "setdefault", "sort", "reverse", "subtract"}
)  # fmt: skip
#: Methods of what is not known that are of lists, dicts, strings or tensors for sure enough.
_HARMLESS = frozenset(
    {"items", "keys", "values", "get", "copy", "index", "count", "format", "join", "startswith", "endswith", "lower",
     "upper", "replace", "strip", "set_shape", "get_shape", "as_list", "num_elements", "merge_with", "with_rank",
     "assert_has_rank", "assert_is_compatible_with", "is_compatible_with", "is_fully_defined", "to_tensor", "to_sparse",
     "row_lengths", "_replace", "_asdict"}
)  # fmt: skip
_TABLE_METHODS = frozenset({"lookup", "__getitem__", "size", "export"})
_TABLE_WRITES = frozenset({"insert", "insert_or_assign", "remove", "erase"})
_CONTAINERS = frozenset({"list", "set", "dict"})
_STATIC_NUMPY = frozenset({"numpy.shape", "numpy.ndim"})

#: Keras layers (by class) that hold no variable and no table, measured on Keras 3.
_STATELESS_LAYERS = frozenset(
    {"Rescaling", "Resizing", "CenterCrop", "Flatten", "Reshape", "Permute", "RepeatVector", "Activation", "ReLU",
     "LeakyReLU", "ELU", "Softmax", "Cropping1D", "Cropping2D", "Cropping3D", "ZeroPadding1D", "ZeroPadding2D",
     "ZeroPadding3D", "UpSampling1D", "UpSampling2D", "UpSampling3D", "AveragePooling1D", "AveragePooling2D",
     "MaxPooling1D", "MaxPooling2D", "GlobalAveragePooling1D", "GlobalAveragePooling2D", "GlobalMaxPooling1D",
     "GlobalMaxPooling2D", "Concatenate", "Add", "Subtract", "Multiply", "Average", "Maximum", "Minimum", "Dot",
     "CategoryEncoding"}
)  # fmt: skip
_CHEAP_LAYERS = frozenset(
    {"Rescaling", "Flatten", "Reshape", "Permute", "Activation", "ReLU", "LeakyReLU", "Cropping1D", "Cropping2D",
     "Cropping3D", "CenterCrop", "Concatenate", "Add", "Subtract", "Multiply", "Maximum", "Minimum", "CategoryEncoding",
     "StringLookup", "IntegerLookup", "Hashing", "Discretization", "HashedCrossing", "Normalization"}
)  # fmt: skip
#: Random layers whose name does not say so.
_RANDOM_LAYERS = frozenset(
    {"RandAugment", "AugMix", "CutMix", "MixUp", "ChannelShuffle", "FourierMix", "GridMask", "JitteredResize", "Mosaic",
     "RepeatedAugmentation"}
)  # fmt: skip
_LAYER_CALL = re.compile(r"^(?:tensorflow\.keras|keras_cv)\.layers\.(?:\w+\.)*(\w+)\(\)(?:\.(\w+))?$")
_GENERATOR_CALL = re.compile(
    r"^tensorflow\.random\.(?:experimental\.)?(?:Generator(?:\.\w+)?|get_global_generator)\(\)\.\w+"
)
_LOOKUP_OBJECT = re.compile(r"^tensorflow\.(?:contrib\.)?lookup\..*\(\)\.(\w+)$")


def classify(name: str) -> Classified:
    """What a call of this name is, arguments aside."""
    name = plain(name)
    if not name:
        return "unknown"
    root, _, rest = name.partition(".")
    if root in ("?", "local"):
        return _classify_method(root, rest)
    if name in RANDOM:
        return "random"
    if _GENERATOR_CALL.match(name):
        return "generator"
    if match := _LOOKUP_OBJECT.match(name):
        return _classify_table(match[1])
    if match := _LAYER_CALL.match(name):
        return _classify_layer(match[1]) if match[2] in (None, "__call__", "call") else "unknown"
    if root == "tensorflow_hub" and name.startswith("tensorflow_hub.KerasLayer()"):
        return "stateful_layer"
    if name.startswith("tensorflow.keras.") and name.endswith("()"):
        return "stateful_layer"
    if name.startswith("tensorflow.keras.applications.") and name.endswith(".preprocess_input"):
        return "pure"
    if name.startswith("tensorflow_probability.") and rest.endswith(".sample"):
        return "random"
    if name.startswith("scipy.stats.") and name.endswith(".rvs"):
        return "python_random"
    return _by_prefix(name)


def _by_prefix(name: str) -> Classified:
    """By the longest entry of `_PREFIXES` that begins this name: `time.time` does for `time.time_ns`."""
    for end in range(len(name), 0, -1):
        kind = _PREFIXES.get(name[:end])
        if kind is not None and not (name[end - 1].isalnum() and name[end : end + 1].isalnum()):
            return kind
    return "unknown"


def _classify_method(root: str, name: str) -> Classified:
    """A method of what is not known."""
    if name in ("assign_add", "assign_sub"):
        return "variable_assign"
    if name == "lookup":
        return "lookup"
    if name in ("append", "extend"):
        return "side_effect" if root == "?" else "pure"
    if name in _HARMLESS or (root == "local" and name in _MUTATING):
        return "pure"
    return "unknown"


def _classify_table(method: str) -> Classified:
    if method in _TABLE_METHODS:
        return "lookup"
    return "variable_assign" if method in _TABLE_WRITES else "unknown"


def _classify_layer(name: str) -> _LayerKind:
    if name in _STATELESS_LAYERS:
        return "pure"
    if name.startswith("Random") or name in _RANDOM_LAYERS:
        return "random_layer"
    return "stateful_layer"


def _effect(call: Call, body: Body) -> Effect | None:
    """What a call does besides computing from its arguments."""
    name = plain(call.name)
    kind = classify(name)
    seeded = False
    wrapped: ast.AST | None = None
    match kind:
        case "pure":
            if not _changes_container(call, body):
                return None
            kind = "side_effect"
        case "unknown":
            return None
        case "logging":
            if not _is_logging(name) or not any(holds_element(value) for value in call.arguments):
                return None
            kind = "side_effect"
        case "python":
            if name in _STATIC_NUMPY or not any(holds_element(value) for value in call.arguments):
                return None
            kind = "eager_only"
        case "python_random":
            if name.startswith("tensorflow.keras.") and any(holds_element(value) for value in call.arguments):
                kind = "eager_only"
        case "random":
            seeded = _is_seeded(name, call)
        case "stateless_random":
            seed = _argument(call, "seed", STATELESS_SEEDS.get(name, 1))
            seeded = seed is not None and _is_fixed(seed)
        case "py_function":
            wrapped = next((function.node for function in _wrapped(call)), None)
        case "stateful_layer" | "random_layer":
            layer = _layer_kind(kind, call, body)
            if layer == "pure":
                return None
            kind = layer
    return Effect(kind, _what(call, kind), call.span, seeded, call.node, wrapped)


def _what(call: Call, kind: EffectKind) -> str:
    """The call as the field writes it; a method of what has no name of its own as it stands in the source."""
    if call.name.partition(".")[0] not in ("Element", "?", "local", *_CONTAINERS, "collections"):
        return displayed(call.name)
    text = ast.unparse(call.node.func)
    return text if len(text) <= 60 else displayed(call.name)


def _is_logging(name: str) -> bool:
    return name.rpartition(".")[2] in _LOGGING_METHODS


def _is_seeded(name: str, call: Call) -> bool:
    """Is an op seed given that is known not to be None?"""
    value = _argument(call, "seed", RANDOM.get(name, -1))
    if name in _ZERO_IS_NO_SEED and value == Constant(0):
        return False
    return value is not None and _is_given(value)


def _argument(call: Call, name: str, position: int) -> Value | None:
    if 0 <= position < len(call.positional):
        return call.positional[position]
    return call.keywords.get(name)


def _is_given(value: Value) -> bool:
    """Is a value known and not None?"""
    if isinstance(value, Alternatives):
        return all(_is_given(branch.value) for branch in value.branches)
    return not isinstance(value, Unknown) and value != Constant(None)


def _is_fixed(value: Value) -> bool:
    """Is a value the same for every element: a literal, or a sequence of literals?"""
    match value:
        case Constant(inner):
            return inner is not None
        case Sequence(items=items, rest=None):
            return bool(items) and all(_is_fixed(item) for item in items)
    return False


def _changes_container(call: Call, body: Body) -> bool:
    """`seen.append(x)` where `seen` is a list, set, dict or collection from outside of the function."""
    root, _, method = call.name.rpartition(".")
    if method not in _MUTATING:
        return False
    if root in _CONTAINERS:
        return True
    if not root.startswith("collections.") or not isinstance(call.node.func, ast.Attribute):
        return False
    receiver = body.constants.get(id(call.node.func.value))
    return isinstance(receiver, External) and all(receiver.call is not other.node for other in body.calls)


def _layer_kind(kind: _LayerKind, call: Call, body: Body) -> _LayerKind:
    """A Keras layer or model by what it was made with: its layers, `mean=`/`variance=`, `training=False`."""
    if call.keywords.get("training") == Constant(False):
        return "stateful_layer"
    made = body.constants.get(id(call.node.func))
    if not isinstance(made, External):
        return kind
    return _made_kind(made, kind)


def _made_kind(made: External, kind: _LayerKind) -> _LayerKind:
    """The most telling kind among the layers of a `Sequential`, else that of the layer itself."""
    name = plain(made.symbol)
    if name.endswith(".Normalization"):
        return "pure" if {"mean", "variance"} <= made.keywords.keys() else kind
    if not name.endswith(".Sequential"):
        return kind
    layers = made.arguments[0] if made.arguments else made.keywords.get("layers")
    if not isinstance(layers, Sequence) or layers.rest is not None:
        return kind
    kinds: list[_LayerKind] = []
    for layer in layers.items:
        if not isinstance(layer, External):
            return kind
        match = _LAYER_CALL.match(f"{plain(layer.symbol)}()")
        kinds.append(_made_kind(layer, _classify_layer(match[1]) if match else "stateful_layer"))
    if "random_layer" in kinds:
        return "random_layer"
    return "pure" if all(inner == "pure" for inner in kinds) else kind


_VARIABLES = frozenset({"tensorflow.Variable", "tensorflow.get_variable"})


def _reads(body: Body, calls: list[Call]) -> Iterator[Effect]:
    """Reads of variables and tables that are not calls of their methods: `x * scale`, `table[x]`."""
    if not body.helper_reads and not any(isinstance(value, External) for value in body.constants.values()):
        return
    file = body.span.file if body.span is not None else ""
    seen: set[str] = set()
    receivers = {
        id(call.node.func.value)
        for call in calls
        if isinstance(call.node.func, ast.Attribute) and classify(call.name) == "variable_assign"
    }
    subscripted = set()
    parts = list(ast.walk(body.node)) if body.node is not None else []
    for part in parts:
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Load):
            subscripted.add(id(part.value))
    for part in parts:
        if not isinstance(part, (ast.Name, ast.Attribute)) or id(part) in receivers:
            continue
        value = body.constants.get(id(part))
        if not isinstance(value, External):
            continue
        kind: EffectKind
        if plain(value.symbol) in _VARIABLES:
            kind = "variable_read"
        elif id(part) in subscripted and _LOOKUP_OBJECT.match(f"{plain(value.symbol)}().lookup"):
            kind = "lookup"
        else:
            continue
        text = ast.unparse(part)
        if text not in seen:
            seen.add(text)
            yield Effect(kind, text, span_of(part, file), node=part)
    for node, value in body.helper_reads:
        text = ast.unparse(node)
        if plain(value.symbol) in _VARIABLES and id(node) not in receivers and text not in seen:
            seen.add(text)
            yield Effect("variable_read", text, span_of(node, file), node=node)


def holds_element(value: Value, depth: int = 0) -> bool:
    """Is or contains a value something that depends on the element?"""
    match value:
        case Element():
            return True
        case Sequence(items=items, rest=rest) if depth < 4:
            inner = [*items, *([rest] if rest is not None else [])]
            return any(holds_element(item, depth + 1) for item in inner)
        case Mapping_(items=entries, rest=rest) if depth < 4:
            inner = [*entries.values(), *([rest] if rest is not None else [])]
            return any(holds_element(item, depth + 1) for item in inner)
        case Alternatives(branches=branches) if depth < 4:
            return any(holds_element(branch.value, depth + 1) for branch in branches)
    return False


# ---- cost ---------------------------------------------------------------------------------------------------------

_READERS = frozenset(
    {"TFRecordDataset", "TextLineDataset", "FixedLengthRecordDataset", "CsvDataset", "SqlDataset", "make_csv_dataset",
     "make_batched_features_dataset", "TFRecordDatasetV1", "TFRecordDatasetV2", "TextLineDatasetV1",
     "TextLineDatasetV2"}
)  # fmt: skip

#: Expensive calls, the most expensive kind first; a trailing `*` matches every ending.
_HEAVY: tuple[tuple[str, ...], ...] = (
    # Python under the GIL.
    ("tensorflow.py_function", "tensorflow.numpy_function", "tensorflow.py_func", "tensorflow.contrib.eager.py_func"),
    # Decoding.
    ("tensorflow.image.decode_*", "tensorflow.io.decode_jpeg", "tensorflow.io.decode_png", "tensorflow.io.decode_image",
     "tensorflow.io.decode_gif", "tensorflow.io.decode_bmp", "tensorflow.io.decode_webp", "tensorflow.io.decode_jxl",
     "tensorflow.io.decode_and_crop_jpeg", "tensorflow.audio.decode_*", "tensorflow.io.decode_compressed",
     "tensorflow.decode_compressed", "tensorflow_io.audio.decode_*", "tensorflow.contrib.ffmpeg.*",
     "tensorflow.io.decode_proto", "tensorflow.io.decode_json_example", "tensorflow.image.encode_*",
     "tensorflow.io.encode_jpeg", "tensorflow.io.encode_png", "tensorflow.image.adjust_jpeg_quality",
     "tensorflow.image.random_jpeg_quality", "tensorflow.image.stateless_random_jpeg_quality"),
    # File reads.
    ("tensorflow.io.read_file", "tensorflow.read_file"),
    # Spectra and resampling.
    ("tensorflow.signal.stft", "tensorflow.signal.inverse_stft", "tensorflow.signal.fft*", "tensorflow.signal.rfft*",
     "tensorflow.signal.ifft*", "tensorflow.signal.irfft*", "tensorflow.signal.mfccs_from_log_mel_spectrograms",
     "tensorflow.signal.dct", "tensorflow.contrib.signal.stft", "tensorflow_io.audio.spectrogram",
     "tensorflow_io.audio.resample", "tensorflow.spectral.*", "tensorflow.fft*"),
    ("tensorflow.image.resize*", "tensorflow.image.crop_and_resize", "tensorflow.compat.v1.image.resize*",
     "tensorflow.contrib.image.rotate", "tensorflow.contrib.image.transform", "tensorflow_addons.image.*",
     "tensorflow.image.extract_glimpse", "tensorflow.image.extract_patches", "tensorflow.image.ssim*",
     "tensorflow.image.sobel_edges", "tensorflow.keras.ops.image.resize", "tensorflow.keras.ops.image.affine_transform",
     "tensorflow.image.non_max_suppression*", "tensorflow.image.combined_non_max_suppression"),
    # Colour.
    ("tensorflow.image.adjust_*", "tensorflow.image.random_hue", "tensorflow.image.random_saturation",
     "tensorflow.image.random_contrast", "tensorflow.image.random_brightness", "tensorflow.image.stateless_random_hue",
     "tensorflow.image.stateless_random_saturation", "tensorflow.image.stateless_random_contrast",
     "tensorflow.image.stateless_random_brightness", "tensorflow.image.rgb_to_hsv", "tensorflow.image.hsv_to_rgb"),
    # Parsing.
    ("tensorflow.io.parse_*", "tensorflow.parse_single_example", "tensorflow.parse_example",
     "tensorflow.parse_single_sequence_example", "tensorflow.parse_tensor", "tensorflow.io.decode_csv",
     "tensorflow.decode_csv"),
    # Text.
    ("tensorflow.strings.regex_*", "tensorflow.regex_*", "tensorflow.strings.split", "tensorflow.string_split",
     "tensorflow.strings.unicode_*", "tensorflow.strings.bytes_split", "tensorflow.strings.ngrams"),
    # Linear algebra on elements.
    ("tensorflow.matmul", "tensorflow.linalg.*", "tensorflow.einsum", "tensorflow.tensordot", "tensorflow.nn.conv*",
     "tensorflow.nn.depthwise_conv2d", "tensorflow.nn.separable_conv2d"),
)  # fmt: skip
#: Under a heavy prefix, but cheap.
_NOT_HEAVY = frozenset(
    {"tensorflow.linalg.diag", "tensorflow.linalg.norm", "tensorflow.linalg.trace", "tensorflow.linalg.set_diag",
     "tensorflow.linalg.diag_part", "tensorflow.linalg.band_part", "tensorflow.linalg.matrix_transpose",
     "tensorflow.linalg.cross", "tensorflow.linalg.normalize", "tensorflow.linalg.l2_normalize",
     "tensorflow.signal.fftshift", "tensorflow.signal.ifftshift", "tensorflow.linalg.eye"}
)  # fmt: skip
_HEAVY_RANKS = {name: rank for rank, names in enumerate(_HEAVY) for name in names if not name.endswith("*")}
_HEAVY_PREFIXES = [(name[:-1], rank) for rank, names in enumerate(_HEAVY) for name in names if name.endswith("*")]


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


#: Arithmetic, casts, restructuring.
_TRIVIAL = _words(
    """
    abs add cast ceil clip_by_value complex constant convert_to_tensor div divide ensure_shape equal expand_dims eye
    fill floor floor_div floordiv floormod greater greater_equal identity less less_equal logical_and logical_not
    logical_or logical_xor maximum minimum mod multiply name_scope negative no_op not_equal one_hot ones ones_like
    pow range rank realdiv reshape round saturate_cast scalar_mul shape sign size sqrt square squeeze stack
    stop_gradient strided_slice subtract to_bfloat16 to_double to_float to_int32 to_int64 truediv tuple where
    where_v2 zeros zeros_like exp log sigmoid tanh reverse transpose gather concat slice unstack rint is_nan
    dimension_value broadcast_to nn.relu nn.sigmoid nn.tanh nn.relu6 nest.map_structure nest.flatten
    nest.pack_sequence_as control_dependencies device function Assert assert_equal assert_greater assert_less
    assert_rank group TensorShape TensorSpec as_dtype is_tensor get_static_value executing_eagerly
    io.FixedLenFeature io.VarLenFeature FixedLenFeature VarLenFeature io.FixedLenSequenceFeature
    FixedLenSequenceFeature io.RaggedFeature
    """
)
_TRIVIAL_MATH = _words(
    """
    abs add ceil divide divide_no_nan equal exp floor floordiv floormod greater greater_equal is_finite is_inf is_nan
    less less_equal log log1p logical_and logical_not logical_or logical_xor maximum minimum mod multiply
    multiply_no_nan negative not_equal pow reciprocal rint round rsqrt scalar_mul sigmoid sign sqrt square
    squared_difference subtract tanh truediv
    """
)


def _heaviest(names: Iterable[str]) -> str:
    """The most expensive heavy call among these; the first of several equals."""
    best, found = len(_HEAVY) + 1, ""
    for name in names:
        rank = _heavy_rank(plain(name))
        if rank is not None and rank < best:
            best, found = rank, name
    return found


def _heavy_rank(name: str) -> int | None:
    if name in _NOT_HEAVY:
        return None
    if (rank := _HEAVY_RANKS.get(name)) is not None:
        return rank
    if name.startswith("tensorflow."):
        for prefix, rank in _HEAVY_PREFIXES:
            if name.startswith(prefix):
                return rank
    if match := _LAYER_CALL.match(name):
        return None if match[1] in _CHEAP_LAYERS else 0
    if classify(name) == "stateful_layer":
        return 0
    if name.startswith("tensorflow_text.") and name.endswith((".tokenize", ".tokenize_with_offsets", ".split")):
        return len(_HEAVY)
    return len(_HEAVY) if name.startswith(("tensorflow_addons.image.", "tensorflow_io.audio.")) else None


def _cost(body: Body, calls: list[Call], heavy: str, resolved: bool) -> Cost:
    if heavy:
        return "heavy"
    if not resolved:
        return "unknown"
    return "trivial" if all(_is_trivial(plain(call.name)) for call in calls) and not _has_loop(body) else "light"


def _is_trivial(name: str) -> bool:
    root, _, rest = name.partition(".")
    if root in ("Element", "local", "?", "builtins", "str", "bytes", "list", "dict", "set", "tuple", "functools"):
        return True
    if root == "numpy":
        return "." not in rest
    if match := _LAYER_CALL.match(name):
        return match[1] == "Rescaling"
    if rest.startswith("math."):
        return rest[5:] in _TRIVIAL_MATH
    return (root == "tensorflow" and rest in _TRIVIAL) or name.startswith(
        ("tensorflow.debugging.", "tensorflow.keras.layers.")
    )


def _has_loop(body: Body) -> bool:
    """Loops and matrix products are work even without a call."""
    if body.node is None:
        return False
    return any(isinstance(part, (ast.For, ast.While, ast.MatMult)) for part in ast.walk(body.node))
