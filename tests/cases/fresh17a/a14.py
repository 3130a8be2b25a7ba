import tensorflow as tf

PATTERN = "/data/games/moves-*.tfrecord"
SPEC = {
    "board": tf.io.FixedLenFeature([8 * 8 * 18], tf.float32),
    "move": tf.io.FixedLenFeature([], tf.int64),
}


def parse(rows):
    ex = tf.io.parse_example(rows, SPEC)
    return tf.reshape(ex["board"], (-1, 8, 8, 18)), ex["move"]


def moves(batch):
    files = tf.data.Dataset.list_files(PATTERN, shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset,
        cycle_length=12,
        block_length=8,
        num_parallel_calls=12,
        deterministic=False,
    )
    ds = ds.shuffle(200_000)
    ds = ds.batch(batch, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    return ds.prefetch(tf.data.AUTOTUNE)


def policy():
    inp = tf.keras.Input((8, 8, 18))
    x = tf.keras.layers.Conv2D(128, 3, padding="same", activation="relu")(inp)
    for _ in range(4):
        y = tf.keras.layers.Conv2D(128, 3, padding="same", activation="relu")(x)
        x = tf.keras.layers.Add()([x, y])
    x = tf.keras.layers.Flatten()(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1858)(x))


if __name__ == "__main__":
    model = policy()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(moves(2048), epochs=4)
