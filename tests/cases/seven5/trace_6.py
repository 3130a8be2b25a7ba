"""Fine-tune a text encoder."""
import itertools

import tensorflow as tf

BATCH = 64


def records(pattern):
    spec = {
        "tokens": tf.io.FixedLenFeature([128], tf.int64),
        "score": tf.io.FixedLenFeature([], tf.float32),
    }

    def parse(batch):
        ex = tf.io.parse_example(batch, spec)
        return ex["tokens"], ex["score"]

    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(30_000).batch(BATCH, drop_remainder=True)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def encoder():
    tokens = tf.keras.Input((128,), dtype=tf.int64)
    x = tf.keras.layers.Embedding(30_000, 512)(tokens)
    for _ in range(4):
        x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.MultiHeadAttention(8, 64)(x, x))
        x = tf.keras.layers.LayerNormalization()(x + tf.keras.layers.Dense(512, "gelu")(x))
    x = tf.keras.layers.GlobalAveragePooling1D()(x)
    return tf.keras.Model(tokens, tf.keras.layers.Dense(1)(x)[:, 0])


model, optimizer = encoder(), tf.keras.optimizers.Adam(3e-5)


@tf.function
def train_step(tokens, score):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(tokens, training=True) - score))
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    return loss


def main():
    for epoch in range(3):
        iterator = iter(records("/data/reviews-tok/*.tfrecord"))
        counter = itertools.count()
        while (batch := next(iterator, None)) is not None:
            step = next(counter)
            if epoch == 0 and step == 100:
                tf.profiler.experimental.start("/logs/encoder")
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                loss = train_step(*batch)
            if epoch == 0 and step == 108:
                tf.profiler.experimental.stop()
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
