import tensorflow as tf

DIM = 512


def vectors(path):
    raw = tf.data.FixedLengthRecordDataset(path, DIM * 4)
    return raw.map(
        lambda r: tf.math.l2_normalize(tf.io.decode_raw(r, tf.float32), axis=-1),
        num_parallel_calls=tf.data.AUTOTUNE,
    )


def targets(path):
    return tf.data.FixedLengthRecordDataset(path, 4)


def to_int(x, packed):
    return x, tf.io.decode_raw(packed, tf.int32)[:, 0]


def training_set(batch_size):
    pairs = tf.data.Dataset.zip((vectors("/data/emb/train.f32"), targets("/data/emb/train.i32")))
    return (
        pairs.shuffle(100_000)
        .batch(batch_size, drop_remainder=True)
        .map(to_int, num_parallel_calls=tf.data.AUTOTUNE)
        .prefetch(tf.data.AUTOTUNE)
    )


probe = tf.keras.Sequential([
    tf.keras.Input((DIM,)),
    tf.keras.layers.Dropout(0.3),
    tf.keras.layers.Dense(5_000),
])
probe.compile(
    optimizer=tf.keras.optimizers.Adam(1e-3),
    loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    metrics=["accuracy"],
)
probe.fit(training_set(2048), epochs=20)
