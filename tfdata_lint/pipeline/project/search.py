"""The byte search: which files cannot hold anything of interest. It runs over every file and imports nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set

#: Without one of these a file has nothing of TensorFlow in it.
_ORIGINS = (b"tensorflow", b"keras", b"tfds", b"tf.data")
#: Without one of these, or of the words below, it has no pipeline, deprecated name or profiler trace in it either.
_PARTS = (
    b"tf.data", b"num_parallel", b"AUTOTUNE", b"prefetch", b"_shot_iterator", b"initializable_iterator",
    b"dataset_iterator", b"dataset_from_", b"split_dataset", b"as_dataset", b"profiler.experimental", b"padded_batch",
    b"ragged_batch", b"sparse_batch", b"reshuffle_each_iteration", b"cycle_length", b"set_image_data_format",
    b"profile_batch", b"get_single_element", b".unbatch(",
)  # fmt: skip
#: By what they begin with: a plain search is ten times as fast as a pattern, and rarely finds it. Of
#: tensorflow_datasets only what gives a dataset counts: most files that import it define one.
_WORDS = tuple(
    (beginning, re.compile(re.escape(beginning) + rest))
    for beginning, rest in (
        (b"as_numpy", rb"(?!_dtype)"),
        (b"data_format", rb"(?:: *str)? *=(?!=) *(?!\\?['\"](?:channels_last|N[DHW])|None)"),
        (b"DATA_FORMAT", rb"(?:: *str)? *= *\\?['\"](?:channels_first|NC[DH])"),
        (b"tfds.load", rb"[(,)]"),
        (b"tensorflow_datasets", rb"(?:\.load[(,)]|[\w.]* import [^\n]*\bload\b)"),
        (b"import ", rb"(?:\w+, *)*data\b"),
    )
)
#: `.data` is an attribute of many things: these and their aliases have tf.data.
_ATTRIBUTE = re.compile(rb"\.data\b")
_HOME = re.compile(rb"(?:tensorflow\w*|contrib|python|\bv[12])\Z")
_OWNER = re.compile(rb"\b\w+\Z")
_ALIAS = re.compile(rb"import [^\n]*\bas +(\w+)")
#: Where a picture begins that a notebook has drawn. It is most of what such a file holds, and no code.
_PICTURE = b'"image/png": "'
_LARGE = 200_000

#: Words of datasets under whatever name TensorFlow is imported; the evidence of `telling.py` is among them.
_EVIDENCE = ("num_parallel_calls", "cycle_length", "with_options", "as_numpy_iterator", "padded_batch", "ragged_batch",
             "sparse_batch", "reshuffle_each_iteration", "dataset_from_directory", "dataset_from_array",
             "split_dataset", "as_dataset", "_shot_iterator", "make_initializable_iterator",
             "drop_remainder=True", ".prefetch", "get_single_element", "group_by_window",
             "bucket_by_sequence_length", "rejection_resample", "_with_legacy_function", "reveal_pipeline")  # fmt: skip
_EVIDENCE_BYTES = tuple(word.encode() for word in _EVIDENCE)
#: What helper modules do to the datasets of others.
_TRANSFORMATIONS = (b".map(", b".batch(", b".shuffle(", b".repeat(", b".filter(", b".prefetch(", b".take(")
_TRANSFORMED = b"|".join(map(re.escape, _TRANSFORMATIONS))
#: What is looped over, by its name or that of the function that gives it.
_WALKED = re.compile(rb" in (?:(?:enumerate|iter|zip|tqdm[\w.]*)\()*([\w.]+)")
#: How far back it is looked for what stands directly before the name of a method, and what that consists of.
_NEAR = 80
_DOTTED = bytes(code for code in range(128) if chr(code).isalnum() or chr(code) in "_.")
_GIVEN = re.compile(rb"(?:, *[\w.]+){0,50} *=([^\n]*)")
#: Bytes that are searched at most for what names are made of, all of them together.
_SEARCHED = 200_000_000
_NAME = re.compile(rb"[A-Za-z_]\w*")
#: Libraries with models that are fitted, too.
_OTHERS = (b"sklearn", b"torch", b"xgboost", b"lightgbm")
#: Who consumes a dataset that another module makes, or goes on with it.
_CONSUMERS = (b".fit(", b".evaluate(", b".predict(", b"distribute_dataset", b"input_fn=", b"_iterator(")


def may_hold_pipeline(data: bytes) -> bool:
    """False only for files that cannot hold anything of interest."""
    # Written out: a generator would cost more than the search.
    tensorflow, keras, tfds, tf_data = _ORIGINS
    if tensorflow not in data and keras not in data and tfds not in data and tf_data not in data:
        return False
    if len(data) > _LARGE:
        data = _without_pictures(data)
    for part in _PARTS:
        if part in data:
            return True
    for beginning, word in _WORDS:
        if beginning in data and word.search(data):
            return True
    return _has_blocks(data) or (b".data" in data and _has_data(data))


#: They make a batch of one.
_OF_ONE = (b"expand_dims", b"newaxis", b"[None", b"reshape", b"+ 1]", b"+1]")


def may_hold_loop(data: bytes) -> bool:
    """Without a pipeline: False only for files that write no records, nor train eagerly, nor predict one by one."""
    if b"TFRecordWriter" in data or (b"apply_gradients" in data and b".function" not in data):
        return True
    # The rare word first: most files are asked.
    return b".predict" in data and any(mark in data for mark in _OF_ONE) and mentions_tensorflow(data)


def _without_pictures(data: bytes) -> bytes:
    first, *parts = data.split(_PICTURE)
    return b"".join([first, *(part[max(part.find(b'"'), 0) :] for part in parts)])


def _has_data(data: bytes) -> bool:
    """Is there a `.data` of TensorFlow, under whatever name that is imported?"""
    owners: set[bytes] = set()
    for found in _ATTRIBUTE.finditer(data):
        before = data[max(found.start() - _NEAR, 0) : found.start()]
        if _HOME.search(before):
            return True
        owners.update(_OWNER.findall(before))
    return not owners.isdisjoint(_ALIAS.findall(data))


def _has_blocks(data: bytes) -> bool:
    """`block_length` is a word of `interleave`, and otherwise one of attention."""
    return b"block_length" in data and b"interleave" in data


def may_consume(data: bytes) -> bool:
    """False only for files that do nothing with the datasets of other modules."""
    if not mentions_tensorflow(data):
        # What a project defines in one module it may train with in another, without a word of TensorFlow.
        return not any(other in data for other in _OTHERS) and any(consumer in data for consumer in _CONSUMERS)
    is_loop = b"for " in data or b"while " in data
    return is_loop or any(mark in data for mark in (*_CONSUMERS, *_TRANSFORMATIONS)) or b".load(" in data


def worked_on(data: bytes, asked: Set[bytes] | None = None) -> Set[bytes] | None:
    """The names that a file loops over or transforms, and those these are made of; None where it may be any.

    Where only some are `asked` for, others may be missing.
    """
    if any(consumer in data for consumer in _CONSUMERS) or (b"tfds" in data and b".load(" in data):
        return None
    found = set(_WALKED.findall(data))
    # One pattern finds them faster than a search for each.
    for mark in re.finditer(_TRANSFORMED, data):
        found.add(_last_name(data[max(mark.start() - _NEAR, 0) : mark.start()]))
    found.discard(b"")
    names = {name.partition(b".")[0] for name in found}
    if not found or (asked is not None and asked <= names and len(data) * len(found) <= _SEARCHED):
        return names
    assignments = b"\n".join([row for row in data.split(b"\n") if b"=" in row])
    if len(assignments) * len(found) > _SEARCHED:
        return None
    return names.union(*[_made_of(assignments, variable) for variable in found])


def _last_name(code: bytes) -> bytes:
    """What stands at the end, or is called there: a name with its dots."""
    code = code.rstrip()
    if code.endswith(b")"):
        opening = code.rfind(b"(")
        if code.find(b")", opening) != len(code) - 1:
            return b""
        code = code[: max(opening, 0)]
    return code[len(code.rstrip(_DOTTED)) :]


def _made_of(data: bytes, variable: bytes) -> Iterator[bytes]:
    """The names in what is assigned to a variable, alone or with others."""
    for following in (b" = ", b", "):
        position = data.find(variable + following)
        while position >= 0:
            if match := _GIVEN.match(data, position + len(variable)):
                yield from _NAME.findall(match[1])
            position = data.find(variable + following, position + 1)


def mentions_tensorflow(data: bytes) -> bool:
    """Is there anything of TensorFlow in it?"""
    return any(origin in data for origin in _ORIGINS)


def mentions_datasets(data: bytes) -> bool:
    """False only for modules that make no datasets by themselves."""
    return may_hold_pipeline(data) or _has_blocks(data) or any(word in data for word in _EVIDENCE_BYTES)


def dataset_words(text: str) -> tuple[str, ...]:
    """The words that are evidence of a dataset in a text."""
    return (*_EVIDENCE, "block_length") if "interleave" in text else _EVIDENCE


def may_transform(data: bytes) -> bool:
    """False only for modules that do nothing to the datasets of others."""
    return any(mark in data for mark in _TRANSFORMATIONS)
