import argparse

import tensorflow as tf
from tensorflow import profiler
import tensorflow_datasets as tfds


def batches(size):
    ds = tfds.load("svhn_cropped", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(10_000).repeat().batch(size, drop_remainder=True)
    ds = ds.map(lambda x, y: (tf.cast(x, tf.float32) / 255.0, y),
                num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def make_step(model, optimizer):
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(x, y):
        with tf.GradientTape() as tape:
            loss = loss_fn(y, model(x, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))

    return train_step


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--logdir", default="/tmp/svhn")
    parser.add_argument("--steps", type=int, default=3000)
    args = parser.parse_args()

    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 3, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(10),
    ])
    step_fn = make_step(model, tf.keras.optimizers.Adam())
    data = iter(batches(256))
    for step in range(args.steps):
        if step == 50:
            profiler.experimental.start(args.logdir)
        meta = {"step_num": step}
        with profiler.experimental.Trace("train", **meta):
            step_fn(*next(data))
        if step == 58:
            profiler.experimental.stop()
    model.save("/tmp/svhn/model.keras")


if __name__ == "__main__":
    main()
