import tensorflow as tf

CONFIG = {
    "stages": [64, 128, 256],
    "conv": {"padding": "same", "use_bias": False, "data_format": "channels_last"},
    "pool": {"pool_size": 2, "data_format": "channels_last"},
}
RECORD = 1 + 3 * 32 * 32


def unpack(rows):
    raw = tf.io.decode_raw(rows, tf.uint8, fixed_length=None)
    raw = tf.reshape(raw, [-1, RECORD])
    planes = tf.reshape(raw[:, 1:], [-1, 3, 32, 32])
    # the binary files keep colour planes one after another
    images = tf.transpose(planes, [0, 2, 3, 1])
    return images, tf.cast(raw[:, 0], tf.int32)


def dataset(paths, batch):
    ds = tf.data.FixedLengthRecordDataset(paths, RECORD, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(50_000).batch(batch)
    return ds.map(unpack, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def block(x, filters):
    x = tf.keras.layers.Conv2D(filters, 3, **CONFIG["conv"])(x)
    x = tf.keras.layers.BatchNormalization(axis=-1)(x)
    x = tf.keras.layers.ReLU()(x)
    return tf.keras.layers.MaxPooling2D(**CONFIG["pool"])(x)


def build():
    inputs = tf.keras.Input((32, 32, 3))
    x = tf.keras.layers.Rescaling(1 / 255.0)(inputs)
    for filters in CONFIG["stages"]:
        x = block(x, filters)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(10, dtype="float32")(x))


if __name__ == "__main__":
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    model = build()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    paths = [f"/data/cifar-10-batches-bin/data_batch_{i}.bin" for i in range(1, 6)]
    model.fit(dataset(paths, 256), epochs=30)
