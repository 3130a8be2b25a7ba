import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "label": tf.io.FixedLenFeature([], tf.int64)}


def dataset(pattern):
    return tf.data.experimental.make_batched_features_dataset(
        pattern,
        batch_size=256,
        features=SPEC,
        label_key="label",
        num_epochs=1,
        reader_num_threads=8,
        parser_num_threads=8,
        prefetch_buffer_size=tf.data.AUTOTUNE,
    )


inp = tf.keras.Input((100,), name="x")
out = tf.keras.layers.Dense(10)(tf.keras.layers.Dense(64, activation="relu")(inp))
model = tf.keras.Model({"x": inp}, out)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(dataset("/data/sim/train-*.tfrecord"), epochs=10)
