import tensorflow as tf

READ_OPTS = {
    "cycle_length": 16,
    "block_length": 8,
    "num_parallel_calls": tf.data.AUTOTUNE,
    "deterministic": False,
}
SPEC = {
    "frames": tf.io.FixedLenFeature([16 * 1024], tf.float32),
    "label": tf.io.FixedLenFeature([3862], tf.float32),
}


def open_shard(path):
    return tf.data.TFRecordDataset(path, buffer_size=16 << 20)


def parse(records):
    ex = tf.io.parse_example(records, SPEC)
    return tf.reshape(ex["frames"], [-1, 16, 1024]), ex["label"]


def read(pattern, training, batch=512):
    files = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = files.interleave(open_shard, **READ_OPTS)
    if training:
        ds = ds.shuffle(30_000)
    ds = ds.batch(batch, drop_remainder=training)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Dense(1024, activation="relu"),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(3862, activation="sigmoid"),
        ])
        model.compile("adam", "binary_crossentropy")
    model.fit(
        read("/data/yt8m/train*.tfrecord", True),
        validation_data=read("/data/yt8m/validate*.tfrecord", False),
        epochs=5,
    )


if __name__ == "__main__":
    main()
