"""Random programs about shapes: many sources, and functions of elements that change dtype, rank and nesting."""

from __future__ import annotations

import random

#: Pipelines in one program.
PIPELINES = 4

#: What comes before each program.
HEADER = """
import functools

import numpy as np
import tensorflow as tf

SIZE = 4
FEATURES = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
    "box": tf.io.FixedLenFeature([4], tf.float32),
    "tags": tf.io.VarLenFeature(tf.string),
}
SEQUENCE = {"steps": tf.io.FixedLenSequenceFeature([2], tf.float32)}


def load(path):
    return tf.io.decode_jpeg(tf.io.read_file(path), channels=3)


def scale(image, by=255.0):
    return tf.cast(image, tf.float32) / by


def sized(image, size):
    return tf.image.resize(image, [size, size])
"""

#: Sources by what they give: `int`, `float`, `string`, `vector`, `image`, `pair`, `record`, `any`.
SOURCES = {
    "int": (
        "tf.data.Dataset.range(9)", "tf.data.Dataset.from_tensor_slices([1, 2, 3])", "tf.data.Dataset.counter()",
        "tf.data.Dataset.from_tensor_slices(np.arange(5))",
        "tf.data.Dataset.from_generator(lambda: iter([1]), output_signature=tf.TensorSpec([], tf.int64))",
        "tf.data.Dataset.random(seed=1)", "tf.data.Dataset.range(3, output_type=tf.int32)"
    ),
    "float": (
        "tf.data.Dataset.from_tensor_slices([1.0, 2.0])", "tf.data.Dataset.range(3, output_type=tf.float32)",
        "tf.data.Dataset.from_tensor_slices(np.random.rand(5).astype('float32'))"
    ),
    "string": (
        "tf.data.Dataset.from_tensor_slices(['a', 'b'])", "tf.data.TextLineDataset('a.txt')",
        "tf.data.TFRecordDataset(['a', 'b'])", "tf.data.Dataset.list_files('*', shuffle=False)",
        "tf.data.Dataset.from_tensors('x')"
    ),
    "vector": (
        "tf.data.Dataset.from_tensor_slices(np.zeros([5, 4], np.float32))",
        "tf.data.Dataset.from_tensors([1.0, 2.0, 3.0, 4.0])",
        "tf.data.Dataset.from_tensor_slices(tf.random.normal([6, 4]))",
        "tf.data.Dataset.from_generator(lambda: iter([[1.0] * 4]), tf.float32, [4])",
        "tf.data.Dataset.from_tensor_slices(tf.zeros((3, 4)) + 1.0)",
        "tf.data.Dataset.from_tensor_slices(np.ones((3, 4), dtype='float32') * 2)"
    ),
    "image": (
        "tf.data.Dataset.from_tensor_slices(['a.jpg']).map(load)",
        "tf.data.Dataset.from_tensor_slices(np.zeros([5, 8, 8, 3], dtype=np.uint8))",
        "tf.data.Dataset.list_files('*.jpg', shuffle=False).map(lambda p: tf.io.decode_png(tf.io.read_file(p), 3))",
        "tf.data.Dataset.from_tensors(tf.zeros([5, 6, 3], tf.uint8))"
    ),
    "pair": (
        "tf.data.Dataset.from_tensor_slices((np.zeros([5, 4], np.float32), [1, 2, 3, 4, 5]))",
        "tf.data.Dataset.zip((tf.data.Dataset.from_tensors([1.0, 2.0, 3.0, 4.0]), tf.data.Dataset.range(1)))",
        "tf.data.Dataset.from_generator(lambda: iter(()), (tf.float32, tf.int32), ([4], []))",
        "tf.data.Dataset.range(3).map(lambda i: (tf.one_hot(i, 4), i))",
        "tf.data.Dataset.from_tensor_slices(([[1.0, 2.0, 3.0, 4.0]], [3]))"
    ),
    "record": (
        "tf.data.TFRecordDataset('a').map(lambda r: tf.io.parse_single_example(r, FEATURES))",
        "tf.data.Dataset.from_tensors({'image': 'x', 'label': 3, 'box': [1.0, 2.0, 3.0, 4.0]})",
        "tf.data.Dataset.from_tensor_slices({'image': ['x'], 'label': [3], 'box': np.ones((1, 4), np.float32)})"
    ),
}  # fmt: skip

#: Functions of an element `x` (of a pair: `x` and `y`) by what they take, and what they give.
FUNCTIONS = {
    "int": {
        "int": (
            "x * 2 + 1", "tf.abs(x)", "x // 2", "tf.cast(tf.cast(x, tf.int32), x.dtype)", "tf.where(x > 3, x, x + 1)",
            "tf.reduce_sum(tf.stack([x, x]))", "tf.maximum(x, 3)", "tf.constant(3)", "tf.reshape(x, [])", "-x",
            "tf.random.uniform([], 0, 9, tf.int32)", "tf.size(x)", "tf.argmax(tf.one_hot(x, 5))", "x % 3", "x ** 2"
        ),
        "float": (
            "x / 2", "tf.cast(x, tf.float32)", "tf.cast(x, 'float32') * 0.5", "tf.sqrt(tf.cast(x, tf.float32))",
            "tf.reduce_mean(tf.random.normal([3]))", "tf.strings.to_number('3')", "tf.cast(x > 3, tf.float32)"
        ),
        "string": (
            "tf.strings.as_string(x)", "'a' + tf.strings.as_string(x)", "tf.strings.join(['a', 'b'])"
        ),
        "vector": (
            "tf.one_hot(x, 4)", "tf.fill([4], 1.0)", "tf.zeros([4])", "tf.random.normal((4,))",
            "tf.cast(tf.range(4), tf.float32)", "tf.stack([1.0, 2.0, 3.0, 4.0])",
            "[1.0, 2.0, 3.0, 4.0][0] + tf.zeros([SIZE])"
        ),
        "image": (
            "tf.zeros([8, 8, 3], tf.uint8)", "tf.cast(tf.random.uniform([5, 6, 3], 0, 255), tf.uint8)"
        ),
        "pair": (
            "(tf.zeros([4]), x)", "[tf.one_hot(x, 4), x]", "(tf.range(4.0), tf.cast(x, tf.int32))"
        ),
        "record": (
            "{'image': tf.strings.as_string(x), 'label': x, 'box': tf.zeros([4])}",
            "dict(image='a', label=x, box=tf.one_hot(x, 4))"
        ),
        "any": (
            "tf.range(x)", "tf.reshape(tf.range(6), [2, -1])", "tf.expand_dims(x, 0)", "x[tf.newaxis, tf.newaxis]",
            "tf.stack([x, x], axis=-1)", "(x, (x, {'a': x}))", "tf.tile([x], [3])", "tf.eye(3)", "tf.shape(x)",
            "tf.numpy_function(lambda v: v, [x], tf.int64)", "tf.py_function(lambda v: v, [x], Tout=[tf.int64])",
            "tf.ensure_shape(tf.numpy_function(lambda v: v, [x], tf.int64), [None, 3])", "(x, None)",
            "tf.concat([[x], [x]], 0)", "tf.concat([tf.range(x), [x]], axis=0)", "x == 3", "[x]", "(x,)",
            "tf.strings.split('a b c')", "tf.split(tf.zeros([4, 3]), 2)", "tf.unstack(tf.zeros([2, 3]))",
            "tf.linspace(0.0, 1.0, 5)", "tf.sparse.from_dense([x])", "tf.ragged.stack([[x], [x]])",
            "np.float32(3) * tf.ones([2])", "tf.transpose(tf.zeros([2, 3]))", "tf.fill([2, x], 1.0)",
            "tf.boolean_mask(tf.range(4), tf.range(4) > 2)", "tf.where(tf.range(4) > 2)", "tf.data.Dataset.range(x)",
            "tf.cond(x > 3, lambda: tf.zeros([2]), lambda: tf.ones([2]))",
            "tf.cond(tf.random.uniform([]) > 0.5, lambda: x, lambda: -x)", "tf.repeat(x, 3)", "x if x > 3 else -x",
            "tf.gather(tf.zeros([4, 3]), [1, x])", "tf.meshgrid(tf.range(3), tf.range(4))", "tf.unique([x, x])"
        ),
    },
    "float": {
        "float": (
            "x * 0.5", "tf.exp(x)", "tf.clip_by_value(x, 0.0, 1.0)", "x + tf.random.normal([])", "1.0 - x",
            "tf.math.log(x)"
        ),
        "int": (
            "tf.cast(x, tf.int64)", "tf.cast(tf.round(x), tf.int32)"
        ),
        "string": (
            "tf.strings.as_string(x)",
        ),
        "vector": (
            "x * tf.ones([4])", "tf.stack([x] * 4)", "tf.stack([x, x, x, x])"
        ),
        "any": (
            "tf.convert_to_tensor([[x, 2.0]])", "x > 0.5", "tf.cast(x, tf.float64)", "(x, x > 1)"
        ),
    },
    "string": {
        "string": (
            "tf.strings.lower(x)", "x + '!'", "tf.strings.regex_replace(x, 'a', 'b')", "tf.strings.split(x, '/')[-1]",
            "tf.strings.join([x, 'b'], '/')", "tf.strings.substr(x, 0, 1)", "tf.io.read_file(x)"
        ),
        "int": (
            "tf.strings.length(x)", "tf.strings.to_hash_bucket_fast(x, 9)", "tf.strings.to_number(x, tf.int64)"
        ),
        "float": (
            "tf.strings.to_number(x)",
        ),
        "image": (
            "load(x)", "tf.io.decode_image(x, channels=3, expand_animations=False)", "tf.io.decode_bmp(x, 3)"
        ),
        "any": (
            "tf.io.decode_raw(x, tf.uint8)", "tf.strings.split(x)", "tf.strings.split(x, ',')[:2]",
            "tf.io.decode_image(x)", "tf.reshape(tf.io.decode_raw(x, tf.float32), [-1, 3])",
            "tf.io.parse_tensor(x, tf.float32)", "x == 'a'", "tf.io.decode_csv(x, [[0.0], [''], [0]])",
            "tf.io.decode_jpeg(x)", "tf.audio.decode_wav(x, 1)[0]", "tf.audio.decode_wav(x)", "tf.io.decode_gif(x)",
            "tf.strings.unicode_decode(x, 'UTF-8')", "tf.strings.split(x, '/')[-2] == ['a', 'b', 'c']",
            "tf.squeeze(tf.audio.decode_wav(x, desired_channels=1).audio, axis=-1)",
            "tf.io.parse_single_sequence_example(x, {'a': FEATURES['label']}, SEQUENCE)",
            "tf.strings.bytes_split(x)", "tf.io.decode_png(x, channels=1, dtype=tf.uint16)",
            "tf.io.parse_example([x], FEATURES)", "tf.io.parse_example(x, FEATURES)"
        ),
        "record": (
            "tf.io.parse_single_example(x, FEATURES)",
        ),
    },
    "vector": {
        "vector": (
            "x * 2", "x / 255.0", "tf.nn.softmax(x)", "tf.reverse(x, [0])", "x - tf.reduce_mean(x)", "x[::-1]",
            "tf.sort(x)", "tf.reshape(x, [4])", "tf.concat([x[:2], x[2:]], 0)", "tf.squeeze(tf.expand_dims(x, -1))",
            "tf.where(x > 0.5, x, 0.0)", "tf.pad(x[1:], [[0, 1]])", "x * np.ones(4)", "tf.cumsum(x)",
            "tf.identity(x)", "tf.clip_by_value(x, 0, 1)", "tf.ensure_shape(x, [4])",
            "tf.stack([x[0], x[1], x[2], x[3]])"
        ),
        "float": (
            "tf.reduce_sum(x)", "x[0]", "tf.reduce_max(x, axis=-1)", "tf.norm(x)", "x[..., 1]"
        ),
        "int": (
            "tf.argmax(x)", "tf.cast(x[0], tf.int64)", "tf.shape(x)[0]"
        ),
        "any": (
            "x[1:3]", "x[tf.newaxis]", "tf.reshape(x, [2, 2])", "tf.reshape(x, (2, -1))", "tf.tile(x, [2])",
            "x > 0.5", "tf.reduce_sum(tf.reshape(x, [2, 2]), axis=1, keepdims=True)", "tf.boolean_mask(x, x > 0.5)",
            "tf.stack([x, x], 1)", "tf.cast(x, tf.float16)", "tf.unstack(x)", "tf.split(x, 2)", "tf.split(x, [1, 3])",
            "tf.expand_dims(x, axis=1)", "tf.gather(x, [0, 1])", "x[:, None] * x[None, :]",
            "tf.transpose(tf.stack([x, x, x]), [1, 0])", "tf.slice(x, [0], [2])",
            "tf.one_hot(tf.cast(x, tf.int32), 10)", "tf.broadcast_to(x, [3, 4])",
            "tf.data.Dataset.from_tensor_slices(x)", "tf.image.random_crop(tf.reshape(x, [2, 2, 1]), [1, 2, 1])",
            "tf.signal.frame(x, 2, 1)", "tf.abs(tf.signal.stft(x, 3, 1))", "tf.signal.stft(x, 2, 2, fft_length=8)"
        ),
        "pair": (
            "(x, tf.argmax(x))", "(x, 3)"
        ),
    },
    "image": {
        "image": (
            "tf.image.random_flip_left_right(x)", "tf.image.adjust_brightness(x, 0.1)", "tf.image.random_hue(x, 0.1)",
            "tf.image.random_crop(x, [2, 3, 3])", "tf.image.central_crop(x, 0.5)", "x[:2, :, :]", "tf.image.rot90(x)",
            "tf.image.resize_with_crop_or_pad(x, 8, 9)", "tf.image.crop_to_bounding_box(x, 0, 0, 2, SIZE)",
            "tf.cast(tf.image.resize(x, (8, 8)), tf.uint8)", "tf.image.resize(x, [3, 4], method='nearest')",
            "tf.image.transpose(x)", "tf.clip_by_value(x, 0, 9)", "x[..., ::-1]",
            "tf.image.stateless_random_flip_up_down(x, [1, 2])",
            "tf.image.grayscale_to_rgb(tf.image.rgb_to_grayscale(x))"
        ),
        "any": (
            "scale(x)", "sized(scale(x), 7)", "tf.image.convert_image_dtype(x, tf.float32)", "x / 255", "x[..., 0]",
            "tf.image.per_image_standardization(x)", "tf.image.resize(x, [8, 8], preserve_aspect_ratio=True)",
            "tf.image.resize_with_pad(x, 5, 6)", "tf.transpose(x, [2, 0, 1])",
            "tf.reduce_mean(tf.cast(x, tf.float32), [0, 1])", "tf.image.rgb_to_grayscale(x)",
            "tf.pad(x, [[1, 1], [1, 1], [0, 0]])", "tf.shape(x)", "tf.expand_dims(x, 0)",
            "(x, tf.image.resize(x, (SIZE, SIZE)))", "{'a': x, 'b': scale(x, by=127.5) - 1}", "tf.reshape(x, [-1])",
            "tf.image.crop_and_resize(scale(x)[None], [[0.0, 0.0, 1.0, 1.0]], [0], [2, 2])",
            "tf.concat([x, x], axis=-1)", "tf.stack([x, tf.image.flip_left_right(x)])",
            "tf.keras.layers.Rescaling(1 / 255)(x)", "tf.image.resize(x, [2, tf.shape(x)[1]])",
            "tf.image.resize(x, [8, 8], 'area')", "tf.squeeze(x[:1])", "tf.reshape(x, tf.shape(x))", "x[2:, 1:-1]",
            "tf.slice(x, [0, 0, 0], [2, 3, -1])", "tf.where(x > 3, x, tf.zeros_like(x))",
            "tf.image.rgb_to_hsv(scale(x))"
        ),
    },
    "pair": {
        "pair": (
            "(x * 2.0, y)", "(x, y + 1)", "[x, y]", "(tf.reshape(x, [4]), tf.cast(y, tf.int64))"
        ),
        "vector": (
            "x", "x + tf.cast(y, tf.float32)"
        ),
        "int": (
            "y", "y * 2"
        ),
        "any": (
            "{'x': x, 'y': y}", "(x, y, x)", "((x, x), y)", "({'x': x}, tf.one_hot(y, 3))",
            "tf.concat([x, [tf.cast(y, tf.float32)]], 0)", "(x[:2], x[2:], y)",
            "(tf.expand_dims(x, -1), tf.expand_dims(y, -1))", "(x, None)", "y if y > 3 else y + 1"
        ),
    },
    "record": {
        "record": (
            "{**x, 'label': x['label'] + 1}", "dict(x, box=x['box'] / 2.0)", "changed(x)", "x"
        ),
        "string": (
            "x['image']",
        ),
        "int": (
            "x['label']",
        ),
        "vector": (
            "x['box']",
        ),
        "pair": (
            "(x['box'], x['label'])", "(x.get('box'), x['label'])"
        ),
        "any": (
            "{**x, 'new': x['box'][:2]}", "without(x)", "(x, x['label'])", "parted(x)", "{'a': x, 'b': x['box']}",
            "maybe(x)", "{key: value for key, value in x.items()}", "{key: x[key] for key in ['box', 'label']}",
            "listed(x)"
        ),
    },
}  # fmt: skip

HELPERS = """

def changed(x):
    x["label"] = tf.cast(x["label"], tf.int64)
    x.update(image=x["image"])
    return x


def without(x):
    del x["image"]
    label = x.pop("label")
    return x, label


def parted(x):
    x = dict(x)
    label = x.pop("label")
    return x, label


def maybe(x):
    if x["label"] > 3:
        box = x["box"][:2]
    else:
        box = x["box"][2:]
    return box


def listed(x):
    parts = []
    for key in ("box", "box"):
        parts.append(x[key])
    parts.pop()
    return {"parts": tf.stack(parts), "n": len(parts)}
"""

#: Stages that keep the kind of element, and those that change it: `B` is an element in batches.
KEEPING = (
    ".shuffle(3)", ".repeat(2)", ".take(3)", ".skip(1)", ".cache()", ".prefetch(1)", ".filter(lambda *x: True)",
    ".shard(2, 0)", ".take_while(lambda *x: True)", ".with_options(tf.data.Options())", ".batch(3).unbatch()",
    ".apply(tf.data.experimental.ignore_errors())", ".enumerate().map(lambda i, e: e)",
    ".apply(lambda d: d.prefetch(2))", ".window(2).flat_map(lambda *w: w[0])"
)  # fmt: skip
ENDS = (
    ".batch(2)", ".batch(2, drop_remainder=True)", ".batch(SIZE, True)", ".padded_batch(2)", ".ragged_batch(2)",
    ".padded_batch(3, drop_remainder=True)", ".window(2)", ".enumerate()", ".batch(4).batch(2)",
    ".batch(2).rebatch(4)", ".window(3).flat_map(lambda w: w.batch(3))", ".window(2).map(lambda w: w.batch(2))",
    ".batch(2).unbatch()", ".interleave(lambda *e: tf.data.Dataset.from_tensors(e), cycle_length=2)",
    ".flat_map(lambda *e: tf.data.Dataset.from_tensors(e[0]))", ".map(lambda *e: e)",
    ".scan(0, lambda state, e: (state + 1, e))", ".batch(2).map(lambda *e: e[0])",
    ".apply(tf.data.experimental.dense_to_ragged_batch(2))", ".unique()", ".batch(SIZE * 2, drop_remainder=SIZE > 3)",
    ".group_by_window(lambda *e: tf.constant(0, tf.int64), lambda k, d: d.batch(2), 2)",
    ".apply(tf.data.experimental.map_and_batch(lambda *e: e, 2))", ".rejection_resample(lambda *e: 0, [1.0])",
    ".apply(tf.data.experimental.assert_cardinality(3))", ".bucket_by_sequence_length(lambda *e: 1, [2], [2, 2])"
)  # fmt: skip


def program(seed: int) -> str:
    """A program with a few pipelines, each a chain of stages in its own `try`."""
    draw = random.Random(seed)
    lines: list[str] = []
    for number in range(PIPELINES):
        lines.append("try:")
        for statement in _pipeline(draw, f"ds{number}"):
            lines.append(f"    {statement}")
        lines.append("except Exception:")
        lines.append(f"    ds{number} = None")
    return f"{HEADER}{HELPERS}\n" + "\n".join(lines) + "\n"


def _pipeline(draw: random.Random, name: str) -> list[str]:
    kind = draw.choice(list(SOURCES))
    statements = [f"{name} = {draw.choice(SOURCES[kind])}"]
    for _ in range(draw.randrange(1, 5)):
        if draw.random() < 0.3:
            statements.append(f"{name} = {name}{draw.choice(KEEPING)}")
            continue
        gives = draw.choice(list(FUNCTIONS[kind]))
        expression = draw.choice(FUNCTIONS[kind][gives])
        statements += _mapping(draw, name, kind, expression)
        kind = gives
        if kind == "any":
            break
    for _ in range(draw.randrange(0, 3)):
        statements.append(f"{name} = {name}{draw.choice(ENDS)}")
    match draw.randrange(8):
        case 0:
            statements.append(f"{name} = tf.data.Dataset.zip(({name}, tf.data.Dataset.range(3)))")
        case 1:
            statements.append(f"{name} = tf.data.Dataset.zip({{'a': {name}, 'b': tf.data.Dataset.range(3).batch(2)}})")
        case 2:
            statements.append(f"{name} = {name}.concatenate({name}.take(1))")
        case 3:
            statements.append(f"{name} = tf.data.Dataset.sample_from_datasets([{name}, {name}.skip(1)])")
        case 4:
            statements.append(f"{name} = {name}.map(lambda *e: {{'a': e[0], 'n': len(e)}})")
    return statements


def _mapping(draw: random.Random, name: str, kind: str, expression: str) -> list[str]:
    """A call of `map`, written in one of several ways."""
    parameters = "x, y" if kind == "pair" else "x"
    match draw.randrange(4):
        case 0:
            return [f"def f({parameters}):", f"    return {expression}", f"{name} = {name}.map(f)"]
        case 1:
            return [f"def f({parameters}):", f"    result = {expression}", "    return result",
                    f"{name} = {name}.map(f, num_parallel_calls=tf.data.AUTOTUNE)"]  # fmt: skip
        case 2:
            return [f"{name} = {name}.map(functools.partial(lambda k, {parameters}: {expression}, 1))"]
    return [f"{name} = {name}.map(lambda {parameters}: {expression})"]
