"""What the elements of a dataset are, stage by stage: `structure_of` answers, and works out what it needs once.

The rules of operations go by the name that `knowledge/operations.py` gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from tfdata_lint.pipeline.knowledge.names import last
from tfdata_lint.pipeline.nouns import contents, operators, tensors, windows
from tfdata_lint.pipeline.nouns.fold import choices_of
from tfdata_lint.pipeline.nouns.recursion import recursive, within
from tfdata_lint.pipeline.nouns.results import Reading, Rules, dtype_said, plain, shape_said, size_of
from tfdata_lint.pipeline.nouns.stages import Dataset, Given, Join, Stage, tips
from tfdata_lint.pipeline.nouns.structure import (
    UNKNOWN,
    Dict_,
    Nested,
    Shape,
    Structure,
    Tensor,
    Tuple_,
    Unknown,
    arguments_of,
    batched,
    bounded,
    dict_of,
    leaves,
    one_of,
    padded,
    ragged_batched,
    scalar,
    unbatched,
)
from tfdata_lint.pipeline.nouns.values import Constant, Expr, External, Mapping_, Sequence, Value
from tfdata_lint.pipeline.nouns.work import step

_RULES_OF_RESULTS = Rules(operators.OPERATORS, {**operators.RULES, **tensors.RULES, **contents.RULES}, contents.other)
#: Loops inside one another that are followed as often as an element may change in them.
_LOOPS = 3


def structure_of(dataset: Dataset) -> Structure:
    """What the elements are that come out of a stage, or out of either of those that a join joins."""
    return _of_dataset(dataset, _reading({}))


def outside() -> Reading:
    """The reading of what stands in no mapped function."""
    return _reading({})


def said(stage: Stage) -> str:
    """What the elements are that come out of a stage; empty where nothing is known."""
    structure = structure_of(stage)
    return "" if all(isinstance(leaf, Unknown) for leaf in leaves(structure)) else str(structure)


def changed(stage: Stage) -> str:
    """The same; empty where they are what they were before."""
    is_new = len(stage.inputs) != 1 or structure_of(stage.inputs[0]) != structure_of(stage)
    return said(stage) if is_new else ""


def inside(stage: Stage, for_all: bool = False) -> Reading:
    """The reading of what is made in the mapped function of a stage; or of all, whatever others give the function."""
    if for_all:
        return _reading({id(given): None for given in _given_in(stage.result)})
    return _inside(stage, _reading({}))


def _reading(given: Mapping[int, tuple[Structure, ...] | None]) -> Reading:
    return Reading(_of_dataset, _argument, _RULES_OF_RESULTS, given)


def _of_dataset(dataset: Dataset, reading: Reading) -> Structure:
    if isinstance(dataset, Join):
        return one_of([_of_stage(tip, reading) for tip in tips(dataset)])
    return _of_stage(dataset, reading)


def _of_stage(stage: Stage, reading: Reading) -> Structure:
    if stage.nested_in is not None and reading.given:
        # It depends on what the mapped function is given.
        known = reading.stages.get(id(stage))
        if known is None:
            reading.stages[id(stage)] = UNKNOWN
            known = reading.stages[id(stage)] = _worked_out(stage, reading)
        return known
    if stage.structure is None:
        # Until it is known; nothing asks for it on the way.
        stage.structure = UNKNOWN
        around = _around(stage)
        if around is not None:
            stage.structure = _worked_out(stage, around)
    return stage.structure


def _around(stage: Stage) -> Reading | None:
    """The reading of the mapped functions that a stage is in; None where one of them is given something else."""
    outer = stage.nested_in
    if outer is None:
        return _reading({})
    reading = _around(outer)
    if reading is None:
        return None
    givens = list(_given_in(outer.result))
    given = {id(one): _any_of([_arguments(user, reading) for user in one.stages]) for one in givens}
    inside = _reading({**reading.given, **given})
    return inside if givens and all(map(inside.fits, givens)) else None


def _worked_out(stage: Stage, reading: Reading) -> Structure:
    rule = _RULES.get(stage.operation.gives)
    if rule is None or stage.cls is not None or len(stage.context.loops) > _LOOPS:
        return UNKNOWN
    try:
        return bounded(rule(stage, reading))
    except RecursionError:
        return UNKNOWN


def _input(stage: Stage, reading: Reading) -> Structure:
    return _of_dataset(stage.inputs[0], reading) if stage.inputs else UNKNOWN


# ---- mapped functions ------------------------------------------------------------------------------------------------


def _argument(given: Given, number: int, reading: Reading) -> Structure:
    """One argument of a mapped function."""
    if id(given) in reading.given:
        arguments = reading.given[id(given)]
    else:
        # Asked for without the stage that maps it: whichever does.
        arguments = _any_of([_arguments(stage, reading) for stage in given.stages])
    return arguments[number] if arguments is not None and len(arguments) == given.count else UNKNOWN


def _any_of(several: list[tuple[Structure, ...] | None]) -> tuple[Structure, ...] | None:
    found = one_of([UNKNOWN if arguments is None else Tuple_(arguments) for arguments in several])
    return found.items if isinstance(found, Tuple_) else None


def _arguments(stage: Stage, reading: Reading) -> tuple[Structure, ...] | None:
    """What the mapped function of a stage is given."""
    element = _input(stage, reading)
    if stage.op == "scan":
        state = stage.arguments.get("initial_state")
        return (plain(reading.of(state.value)) if state else UNKNOWN, element)
    return arguments_of(element)


def _inside(stage: Stage, reading: Reading) -> Reading:
    """The reading of the mapped function of a stage."""
    arguments = _arguments(stage, reading)
    return _reading({**reading.given, **{id(given): arguments for given in _given_in(stage.result)}})


def _given_in(value: Value | None) -> Iterator[Given]:
    for one in within(value, choices_of):
        match one:
            case Expr(by="mapped", of=(Given() as given, _)):
                yield given


def _mapped(stage: Stage, reading: Reading) -> Structure:
    return _inside(stage, reading).result(stage.result)


def _flattened(stage: Stage, reading: Reading) -> Structure:
    inside = _inside(stage, reading)
    if not all(map(inside.fits, _given_in(stage.result))):
        return UNKNOWN
    if stage.nested is not None:
        return _of_dataset(stage.nested, inside)
    result = inside.result(stage.result)
    return result.element if isinstance(result, Nested) else UNKNOWN


def _scan(stage: Stage, reading: Reading) -> Structure:
    match _mapped(stage, reading):
        case Tuple_((_, output), ()):
            return output
    return UNKNOWN


def _parameter(stage: Stage, reading: Reading) -> Structure:
    """A window, as a mapped function is given it."""
    result = reading.of(stage.result)
    return result.element if isinstance(result, Nested) else UNKNOWN


# ---- batches and windows ---------------------------------------------------------------------------------------------


def _size(stage: Stage) -> int | None:
    return size_of(stage.literal("batch_size"))


def _drops(stage: Stage) -> bool:
    return stage.op.endswith("drop_remainder") or stage.literal("drop_remainder", False) is True


def _batch(stage: Stage, reading: Reading) -> Structure:
    return batched(_input(stage, reading), _size(stage), _drops(stage), windows.rest(stage, reading))


def _mapped_batch(stage: Stage, reading: Reading) -> Structure:
    return batched(_mapped(stage, reading), _size(stage), _drops(stage))


def _padded(stage: Stage, reading: Reading) -> Structure:
    element = _input(stage, reading)
    shapes = stage.arguments.get("padded_shapes")
    is_bucket = stage.op == "bucket_by_sequence_length"
    size = None if is_bucket else _size(stage)
    if shapes is None or shapes.literal is None:
        # Some of the arguments are not seen.
        element = UNKNOWN if stage.open_arguments else element
        return padded(element, size, _drops(stage))
    return padded(element, size, _drops(stage), _shapes_for(element, shapes.value, reading))


@recursive
def _shapes_for(element: Structure, value: Value, reading: Reading) -> Structure:
    """`padded_shapes`, as they belong to the parts of an element."""
    match element, value:
        case Tuple_(items), Sequence(items=said, rest=None) if len(items) == len(said):
            return Tuple_(tuple([_shapes_for(item, one, reading) for item, one in zip(items, said, strict=True)]))
        case Dict_(entries), Mapping_(rest=None, exact=True):
            held = dict(value.held)
            return dict_of((key, _shapes_for(part, held[key], reading)) for key, part in entries if key in held)
        case Tensor(), _:
            said_shape = shape_said(value, reading)
            rank = element.rank
            return Tensor("", (None,) * rank if said_shape is None and rank is not None else said_shape)
    return UNKNOWN


def _ragged(stage: Stage, reading: Reading) -> Structure:
    return ragged_batched(_input(stage, reading), _size(stage), _drops(stage))


def _rebatch(stage: Stage, reading: Reading) -> Structure:
    return batched(unbatched(_input(stage, reading)), _size(stage), _drops(stage))


def _enumerated(stage: Stage, reading: Reading) -> Structure:
    return Tuple_((scalar("int64"), _input(stage, reading)))


def _rejection(stage: Stage, reading: Reading) -> Structure:
    return Tuple_((Tensor("", ()), _input(stage, reading)))


def _parse(stage: Stage, reading: Reading) -> Structure:
    element, features = _input(stage, reading), stage.arguments.get("features")
    shape: Shape = element.shape if isinstance(element, Tensor) else None
    return UNKNOWN if features is None else contents.features_of(features.value, reading, shape)


# ---- several datasets ------------------------------------------------------------------------------------------------


def _zip(stage: Stage, reading: Reading) -> Structure:
    inputs = iter([_of_dataset(dataset, reading) for dataset in stage.inputs])
    argument = stage.arguments.get("datasets")
    if argument is None or stage.open_arguments:
        return UNKNOWN
    found = _nesting(argument.value, inputs)
    # `zip(a, b)` is `zip((a, b))`.
    further = tuple(inputs)
    return Tuple_((found, *further)) if further else found


def _nesting(value: Value, inputs: Iterator[Structure]) -> Structure:
    """The elements of several datasets, nested as the datasets are."""
    step()
    match value:
        case Sequence(kind="tuple", items=items, rest=None, exact=True):
            return Tuple_(tuple([_nesting(item, inputs) for item in items]))
        case Mapping_(rest=None, exact=True) if not value.gone and value.spread is None:
            return dict_of([(key, _nesting(item, inputs)) for key, item in value.items.items()])
        case Sequence() | Mapping_():
            # What it holds is not known.
            for _ in inputs:
                pass
            return UNKNOWN
    return next(inputs, UNKNOWN)


def _one_of(stage: Stage, reading: Reading) -> Structure:
    inputs = stage.inputs
    if stage.op == "choose_from_datasets":
        inputs = inputs[:-1]
    return one_of([_of_dataset(dataset, reading) for dataset in inputs])


# ---- sources ---------------------------------------------------------------------------------------------------------


def _tensors(stage: Stage, reading: Reading) -> Structure:
    return plain(reading.of(stage.result))


def _slices(stage: Stage, reading: Reading) -> Structure:
    return unbatched(plain(reading.of(stage.result)))


def _rows(stage: Stage, reading: Reading) -> Structure:
    match stage.result:
        case Sequence(items=items, rest=None, exact=True):
            return one_of([plain(reading.of(item)) for item in items])
    return UNKNOWN


def _generator(stage: Stage, reading: Reading) -> Structure:
    signature, types = stage.arguments.get("output_signature"), stage.arguments.get("output_types")
    if signature is not None:
        return _specified(signature.value, reading)
    shapes = stage.arguments.get("output_shapes")
    if types is None or (shapes is None and stage.open_arguments):
        return UNKNOWN
    is_given = shapes is not None and shapes.literal is not None
    return _typed(types.value, shapes.value if shapes is not None and is_given else None, reading)


@recursive
def _typed(types: Value, shapes: Value | None, reading: Reading) -> Structure:
    """`output_types` and `output_shapes`."""
    match types:
        case Sequence(kind="tuple", items=items, rest=None):
            said: tuple[Value | None, ...] = (None,) * len(items)
            if shapes is not None:
                if not isinstance(shapes, Sequence) or len(shapes.items) != len(items) or shapes.rest is not None:
                    return UNKNOWN
                said = shapes.items
            parts = [_typed(item, shape, reading) for item, shape in zip(items, said, strict=True)]
            return bounded(Tuple_(tuple(parts)))
        case Mapping_(rest=None, exact=True):
            if shapes is not None and not isinstance(shapes, Mapping_):
                return UNKNOWN
            held = {} if shapes is None else dict(shapes.held)
            entries = [(key, item, held.get(key)) for key, item in types.held]
            if shapes is not None and any(shape is None for _, _, shape in entries):
                return UNKNOWN
            return bounded(dict_of([(key, _typed(item, shape, reading)) for key, item, shape in entries]))
        case Sequence() | Mapping_():
            return UNKNOWN
    dtype = dtype_said(types)
    if not dtype:
        # It may be a structure of several.
        return UNKNOWN
    return Tensor(dtype, None, unranked=True) if shapes is None else Tensor(dtype, shape_said(shapes, reading))


@recursive
def _specified(value: Value, reading: Reading) -> Structure:
    """What an `output_signature` or `element_spec` says."""
    match value:
        case Sequence(kind="tuple", items=items, rest=None, exact=True):
            return bounded(Tuple_(tuple([_specified(item, reading) for item in items])))
        case Mapping_(rest=None, exact=True):
            return bounded(dict_of([(key, _specified(item, reading)) for key, item in value.held]))
        case External(symbol=symbol, arguments=arguments, keywords=keywords):
            kind = _KINDS.get(last(symbol))
            shape = keywords.get("shape", arguments[0] if arguments else None)
            dtype = keywords.get("dtype", arguments[1] if len(arguments) > 1 else None)
            if kind is None:
                return UNKNOWN
            said = "float32" if dtype is None else dtype_said(dtype)
            if shape == Constant(None) and kind == "dense":
                return Tensor(said, None, unranked=True)
            return Tensor(said, shape_said(shape, reading), "sparse" if kind == "sparse" else "dense")
    return UNKNOWN


_KINDS = {"TensorSpec": "dense", "SparseTensorSpec": "sparse"}


def _numbers(stage: Stage, reading: Reading) -> Structure:
    given = stage.arguments.get("output_type")
    if given is None:
        return scalar("" if stage.open_arguments else "int64")
    return scalar(dtype_said(given.value))


def _counter(stage: Stage, reading: Reading) -> Structure:
    given = stage.arguments.get("dtype")
    return scalar("int64" if given is None else dtype_said(given.value))


def _random(stage: Stage, reading: Reading) -> Structure:
    return scalar("int64")


def _texts(stage: Stage, reading: Reading) -> Structure:
    return scalar("string")


def _csv(stage: Stage, reading: Reading) -> Structure:
    defaults = stage.arguments.get("record_defaults")
    if defaults is None or not isinstance(defaults.value, Sequence):
        return UNKNOWN
    if defaults.value.rest is not None or not defaults.value.exact:
        return UNKNOWN
    return Tuple_(tuple([scalar(contents.dtype_of_default(item, reading)) for item in defaults.value.items]))


#: Channels of an image.
_CHANNELS = {"rgb": 3, "rgba": 4, "grayscale": 1}


def _images(stage: Stage, reading: Reading) -> Structure:
    size = stage.arguments.get("image_size")
    sizes = (256, 256) if size is None else shape_said(size.value, reading)
    if sizes is None or len(sizes) != 2:
        sizes = (None, None)
    channels = _CHANNELS.get(stage.literal("color_mode", "rgb"))
    is_last = not stage.has("data_format")
    # Only "nearest" leaves the numbers of the files as they are (measured).
    dtype = {"nearest": "uint8", ...: ""}.get(stage.literal("interpolation", "bilinear"), "float32")
    return _labelled(stage, Tensor(dtype, (*sizes, channels) if is_last else (None, None, None)))


def _labelled(stage: Stage, example: Tensor) -> Structure:
    """Batches of examples from a folder, with labels if there are some."""
    mode = stage.literal("label_mode", "int")
    labels = stage.arguments.get("labels")
    if stage.open_arguments or mode is ... or (labels is not None and labels.literal is ...):
        return UNKNOWN
    kinds = {"int": scalar("int32"), "binary": Tensor("float32", (1,)), "categorical": Tensor("float32", (None,))}
    element: Structure = example
    if mode is not None and (labels is None or labels.literal is not None):
        element = Tuple_((example, kinds.get(mode, UNKNOWN)))
    size = stage.literal("batch_size", 32)
    if size is ...:
        # Batches or single ones.
        return Tuple_((example.shaped(None), UNKNOWN)) if isinstance(element, Tuple_) else example.shaped(None)
    return element if size is None else batched(element, None)


def _tfds(stage: Stage, reading: Reading) -> Structure:
    """A pair, where that is asked for."""
    is_plain = not any(stage.has(name) for name in ("read_config", "decoders", "as_dataset_kwargs", "builder_kwargs"))
    return Tuple_((UNKNOWN, UNKNOWN)) if stage.literal("as_supervised") is True and is_plain else UNKNOWN


def _loaded(stage: Stage, reading: Reading) -> Structure:
    given = stage.arguments.get("element_spec")
    return UNKNOWN if given is None else _specified(given.value, reading)


_RULES: Mapping[str, Callable[[Stage, Reading], Structure]] = {
    "same": _input,
    "some": windows.some,
    "mapped": _mapped,
    "flattened": _flattened,
    "batch": _batch,
    "mapped_batch": _mapped_batch,
    "padded": _padded,
    "ragged": _ragged,
    "rebatch": _rebatch,
    "unbatch": lambda stage, reading: unbatched(_input(stage, reading)),
    "window": windows.windowed,
    "enumerated": _enumerated,
    "zip": _zip,
    "one_of": _one_of,
    "scan": _scan,
    "rejection": _rejection,
    "buckets": _padded,
    "parse": _parse,
    "tensors": _tensors,
    "slices": _slices,
    "rows": _rows,
    "generator": _generator,
    "numbers": _numbers,
    "counter": _counter,
    "random": _random,
    "texts": _texts,
    "csv": _csv,
    "images": _images,
    "labelled_texts": lambda stage, reading: _labelled(stage, scalar("string")),
    "parameter": _parameter,
    "tfds": _tfds,
    "loaded": _loaded,
}
