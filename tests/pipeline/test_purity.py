"""What the catalog says to be pure, on real TensorFlow: called again, in another order, in parallel: the same."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from tfdata_lint.pipeline.knowledge.functions import known
from tfdata_lint.pipeline.knowledge.names import canonical

#: What no arguments are made for here, by the reason.
_REASONS = {
    "takes functions":
        "case linalg.experimental.conjugate_gradient nn.with_space_to_batch sparse.map_values switch_case "
        "while_loop",
    "reads a file":
        "io.read_file",
    "takes or makes bytes of a format":
        "audio.decode_wav audio.encode_wav feature_column.make_parse_example_spec image.adjust_jpeg_quality "
        "image.decode_and_crop_jpeg image.decode_bmp image.encode_jpeg image.encode_png io.decode_and_crop_jpeg "
        "io.decode_bmp io.decode_proto io.decode_raw io.deserialize_many_sparse io.encode_jpeg io.encode_png "
        "io.encode_proto io.parse_example io.parse_sequence_example io.parse_single_example "
        "io.parse_single_sequence_example io.parse_tensor io.serialize_tensor nn.ctc_beam_search_decoder "
        "nn.ctc_greedy_decoder nn.embedding_lookup_sparse nn.safe_embedding_lookup_sparse sparse.concat "
        "sparse.mask sparse.retain sparse.sampled_addmm sparse.slice sparse.split sparse.to_indicator "
        "strings.unicode_decode strings.unicode_decode_with_offsets strings.unicode_encode",
    "takes arguments that fit one another":
        "batch_to_space broadcast_static_shape broadcast_to debugging.assert_all_finite debugging.check_numerics "
        "einsum feature_column.bucketized_column feature_column.categorical_column_with_hash_bucket "
        "feature_column.categorical_column_with_identity feature_column.categorical_column_with_vocabulary_file "
        "feature_column.categorical_column_with_vocabulary_list feature_column.crossed_column "
        "feature_column.indicator_column feature_column.numeric_column "
        "feature_column.sequence_categorical_column_with_hash_bucket "
        "feature_column.sequence_categorical_column_with_identity "
        "feature_column.sequence_categorical_column_with_vocabulary_file "
        "feature_column.sequence_categorical_column_with_vocabulary_list feature_column.shared_embeddings fftnd "
        "histogram_fixed_width ifftnd image.combined_non_max_suppression image.crop_and_resize "
        "image.draw_bounding_boxes image.extract_glimpse image.extract_patches image.grayscale_to_rgb "
        "image.non_max_suppression image.non_max_suppression_overlaps image.non_max_suppression_padded "
        "image.non_max_suppression_with_scores image.pad_to_bounding_box image.psnr image.ssim "
        "image.ssim_multiscale in_top_k irfftnd linalg.einsum linalg.logm linalg.lu_solve nn.approx_min_k "
        "nn.atrous_conv2d_transpose nn.avg_pool1d nn.batch_norm_with_global_normalization nn.batch_normalization "
        "nn.compute_accidental_hits nn.conv1d nn.conv1d_transpose nn.conv2d_transpose nn.conv3d "
        "nn.conv3d_transpose nn.conv_transpose nn.ctc_loss nn.depth_to_space nn.depthwise_conv2d "
        "nn.depthwise_conv2d_backprop_filter nn.depthwise_conv2d_backprop_input nn.dilation2d nn.erosion2d "
        "nn.in_top_k nn.max_pool1d nn.pool nn.separable_conv2d nn.space_to_batch pad parallel_stack "
        "random.experimental.index_shuffle random.experimental.stateless_fold_in random.fold_in reverse_sequence "
        "rfftnd scalar_mul scatter_nd segment_max segment_mean segment_min segment_prod segment_sum "
        "sets.difference sets.intersection sets.size sets.union signal.fftnd signal.ifftnd signal.inverse_stft "
        "signal.irfftnd signal.mdct signal.rfftnd space_to_batch space_to_batch_nd strings.format "
        "strings.reduce_join strings.unicode_split strings.unicode_split_with_offsets strings.unicode_transcode "
        "strings.unsorted_segment_join",
    "sees where it is called":
        "executing_eagerly",
    "would end the process on some machines where the shapes do not fit":
        "nn.avg_pool3d nn.max_pool3d",
}  # fmt: skip
NOT_CALLED = {f"tensorflow.{name}": why for why, names in _REASONS.items() for name in names.split()}
#: These are no part of TensorFlow that a pipeline uses, or have rows of their own.
_OTHER = ("compat", "core", "data", "distribute", "keras", "lite", "python", "raw_ops", "tools", "v1", "v2")
_WORKERS = 8


def functions(module: Any, path: str, depth: int = 0) -> Iterator[tuple[str, Callable[..., Any]]]:
    """The public functions below a module."""
    for name in sorted(dir(module)):
        value = None if name.startswith("_") else getattr(module, name, None)
        if isinstance(value, types.ModuleType):
            is_inner = value.__name__.startswith(("tensorflow", "keras")) and name not in _OTHER
            if is_inner and depth < 4:
                yield from functions(value, f"{path}.{name}", depth + 1)
        elif callable(value) and not inspect.isclass(value):
            yield f"{path}.{name}", value


def arguments(tf: Any) -> list[tuple[Any, ...]]:
    """What is tried, one after another, until a function takes it."""
    vector = tf.constant([0.5, 0.25, 2.0, 0.75])
    square = tf.constant([[2.0, 0.5, 0.25], [0.5, 3.0, 0.5], [0.25, 0.5, 4.0]])
    cube = tf.reshape(tf.range(48.0), [1, 4, 4, 3]) / 48
    whole = tf.constant([1, 0, 2, 1])
    words = tf.constant(["a b", "c", "1", "dd"])
    flags = tf.constant([True, False, True, True])
    waves = tf.complex(vector, vector)
    picture = tf.io.encode_png(tf.cast(cube[0] * 255, tf.uint8))
    photo = tf.io.encode_jpeg(tf.cast(cube[0] * 255, tf.uint8))
    sparse, ragged = tf.sparse.from_dense(square), tf.ragged.constant([[1, 2], [3]])
    singles = [vector, square, cube, cube[0], whole, words, flags, waves, words[2], picture, photo, sparse, ragged,
               [vector, vector], [square, square], [words, words], 4, 0.5, [2, 2], (), [4], [[1, 2], [3]]]  # fmt: skip
    pairs = [
        (vector, vector), (square, square), (whole, whole), (whole, 3), (vector, whole), (words, words),
        (flags, flags),
        (square, 1), (vector, [2, 2]), (cube, 2), (cube, 0.5), (cube, [2, 2]), (words, 10), (words, " "),
        (square, square[0]),
        (vector, tf.float64), (whole, tf.float32), (words, tf.uint8), (sparse, sparse), (sparse, square), (sparse, 0),
        (waves, waves), (vector, 2), (4, 2), ([vector, vector], 0), (square, [[0, 1]]), (vector, flags),
        (whole, tf.int64),
        (lambda x: x * 2, vector), (lambda a, b: a + b, vector), (square[None], square[None]), (0.5, 4),
        (words, "b", "c"),
        (cube, cube), (tf.cast(whole, tf.int64), tf.cast(whole, tf.int64)), (sparse, [9]), (sparse, [1, 0]),
        (ragged, ragged),
        (vector, whole, 3), (vector, 0.0, 1.0), (cube, 2, 2), (cube, 2, 2, "SAME"), (cube, 4, 4), (cube[0], 2, 2),
        (square, 1, 1),
        (cube, 0, 0, 2, 2), (flags, vector, vector), (square, whole[:3], 3), (whole, 3, 0.5), ([2, 2], 1.0),
        (0.0, 1.0, 4),
        (square, square, square), (words, 0, 1), (vector, [0], [2]), (whole[:3], square), (square, [[0, 0]], [1.0]),
        (cube, cube[0, :3, :3, :, None], 1, "SAME"), (cube, 2, 1, "SAME"), (vector, 4, 2), (vector, vector, vector),
        (True, lambda: vector, lambda: -vector), ([1, 2], tf.constant([3])), (words, 10, [1, 2]),
    ]  # fmt: skip
    return [*((single,) for single in singles), *pairs]


def told(tf: Any, value: Any) -> list[Any]:
    """A result to be compared; raises where it has none."""
    parts = tf.nest.flatten(value, expand_composites=True)
    return [(part.dtype.name, part.numpy().tobytes() if part.dtype != tf.string else part.numpy().tolist())
            if tf.is_tensor(part) else re.sub(r" at 0x\w+", "", repr(part)) for part in parts]  # fmt: skip


def called(tf: Any, function: Callable[..., Any], tried: list[tuple[Any, ...]]) -> tuple[Any, ...] | None:
    """Arguments that a function takes."""
    for given in tried:
        try:
            if told(tf, function(*given)):
                return given
        except Exception:
            continue
    return None


def test_what_is_pure_gives_the_same_again() -> None:
    tf = pytest.importorskip("tensorflow", reason="calls what the catalog says to be pure")
    found = {canonical(name): value for name, value in functions(tf, "tensorflow") if known(name).is_pure}
    tried = arguments(tf)
    crashing = _REASONS["would end the process on some machines where the shapes do not fit"].split()
    given = {
        name: None if name.removeprefix("tensorflow.") in crashing else called(tf, value, tried)
        for name, value in found.items()
    }
    assert {name for name, arguments in given.items() if arguments is None} == set(NOT_CALLED)
    calls = {name: arguments for name, arguments in given.items() if arguments is not None}

    def ask(name: str) -> list[Any]:
        return told(tf, found[name](*calls[name]))

    first = {name: ask(name) for name in calls}
    again = {name: ask(name) for name in reversed(calls)}
    with ThreadPoolExecutor(_WORKERS) as pool:
        parallel = dict(zip(calls, pool.map(ask, calls), strict=True))
    assert [name for name in calls if not first[name] == again[name] == parallel[name]] == []
