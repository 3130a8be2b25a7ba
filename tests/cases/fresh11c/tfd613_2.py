import argparse

import tensorflow as tf


def make_model(width):
    return tf.keras.Sequential([
        tf.keras.Input((1024,)),
        tf.keras.layers.Dense(width, activation="relu"),
        tf.keras.layers.Dense(width, activation="relu"),
        tf.keras.layers.Dense(1000, dtype="float32"),
    ])


def dataset(pattern, batch_size):
    spec = {"x": tf.io.FixedLenFeature([1024], tf.float32),
            "y": tf.io.FixedLenFeature([], tf.int64)}
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern),
                                 num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(20_000).batch(batch_size, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--records", default="/data/embed/*.tfrecord")
    ap.add_argument("--fp16", action="store_true")
    args = ap.parse_args()
    if args.fp16:
        tf.keras.mixed_precision.set_global_policy("mixed_float16")
    model = make_model(4096)
    optimizer = tf.keras.optimizers.Adam(1e-4)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def update(batch):
        with tf.GradientTape() as tape:
            loss = loss_fn(batch["y"], model(batch["x"], training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))

    for _ in range(10):
        for batch in dataset(args.records, 1024):
            update(batch)
    model.save("classifier.keras")


if __name__ == "__main__":
    main()
