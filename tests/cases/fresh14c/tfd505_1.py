import os

import tensorflow as tf

CONFIG = {
    "records": "ads/part-*.tfrecord",
    "batch_size": 4096,
    "steps": 10_000,
    "logdir": os.path.join("logs", "ctr"),
    "buckets": 500_000,
    "profile_at": 100,
}

SPEC = {
    "slots": tf.io.FixedLenFeature([26], tf.string),
    "dense": tf.io.FixedLenFeature([13], tf.float32),
    "click": tf.io.FixedLenFeature([1], tf.float32),
}


def parse(batch):
    ex = tf.io.parse_example(batch, SPEC)
    ids = tf.strings.to_hash_bucket_fast(ex["slots"], CONFIG["buckets"])
    return (ids, tf.math.log1p(tf.nn.relu(ex["dense"]))), ex["click"]


def dataset():
    files = tf.data.Dataset.list_files(CONFIG["records"], shuffle=True)
    ds = files.interleave(
        tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False
    )
    ds = ds.shuffle(100_000).repeat().batch(CONFIG["batch_size"], drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def click_model():
    ids = tf.keras.Input([26], dtype=tf.int64)
    dense = tf.keras.Input([13])
    embedded = tf.keras.layers.Embedding(CONFIG["buckets"], 16)(ids)
    x = tf.keras.layers.Concatenate()([tf.keras.layers.Flatten()(embedded), dense])
    for width in (512, 256, 64):
        x = tf.keras.layers.Dense(width, activation="relu")(x)
    return tf.keras.Model([ids, dense], tf.keras.layers.Dense(1)(x))


def main():
    model = click_model()
    optimizer = tf.keras.optimizers.Adagrad(0.02)
    loss_fn = tf.keras.losses.BinaryCrossentropy(from_logits=True)
    writer = tf.summary.create_file_writer(CONFIG["logdir"])

    @tf.function
    def train_step(features, clicks):
        with tf.GradientTape() as tape:
            loss = loss_fn(clicks, model(features, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    batches = iter(dataset())
    for step in range(CONFIG["steps"]):
        if step == CONFIG["profile_at"]:
            tf.profiler.experimental.start(CONFIG["logdir"])
        with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
            features, clicks = next(batches)
            loss = train_step(features, clicks)
        if step % 500 == 0:
            with writer.as_default():
                tf.summary.scalar("loss", loss, step=step)
    writer.flush()
    model.save("ctr.keras")


if __name__ == "__main__":
    main()
