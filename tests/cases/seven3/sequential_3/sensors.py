import functools

import tensorflow as tf

DEFAULTS = [0.0] * 9 + [0]


def open_csv(path, header=True):
    return tf.data.TextLineDataset(path).skip(1 if header else 0)


def to_example(lines):
    *channels, label = tf.io.decode_csv(lines, DEFAULTS)
    return tf.stack(channels, axis=-1), label


def sensor_batches(pattern, batch_size, training):
    recordings = tf.data.Dataset.list_files(pattern, shuffle=training)
    rows = recordings.flat_map(functools.partial(open_csv, header=True))
    if training:
        rows = rows.shuffle(50_000)
    return (rows.batch(batch_size)
            .map(to_example, num_parallel_calls=tf.data.AUTOTUNE)
            .prefetch(tf.data.AUTOTUNE))
