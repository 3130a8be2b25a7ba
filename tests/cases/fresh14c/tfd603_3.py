import tensorflow as tf

SPEC = {
    "query": tf.io.FixedLenFeature([64], tf.float32),
    "document": tf.io.FixedLenFeature([64], tf.float32),
    "grade": tf.io.FixedLenFeature([], tf.float32),
}
LOG_EVERY = 500


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    return tf.concat([ex["query"], ex["document"]], axis=-1), ex["grade"]


def dataset(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
    )
    ds = ds.shuffle(50_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def ranker():
    return tf.keras.Sequential(
        [
            tf.keras.Input([128]),
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(64, activation="relu"),
            tf.keras.layers.Dense(1),
        ]
    )


def main(steps=50_000):
    model = ranker()
    optimizer = tf.keras.optimizers.Adam(1e-3)
    mean_loss = tf.keras.metrics.Mean()
    writer = tf.summary.create_file_writer("logs/ranker")

    @tf.function
    def train_step(features, grades):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(features, training=True)[:, 0] - grades))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        mean_loss.update_state(loss)

    batches = iter(dataset("clicks/train-*.tfrecord", 1024))
    for step in range(1, steps + 1):
        features, grades = next(batches)
        train_step(features, grades)
        if step % LOG_EVERY == 0:
            value = float(mean_loss.result())
            with writer.as_default():
                tf.summary.scalar("loss", value, step=step)
            print(f"step {step}: loss {value:.4f}")
            mean_loss.reset_state()
    model.save("ranker.keras")


if __name__ == "__main__":
    main()
