import argparse
import contextlib

import tensorflow as tf
import tensorflow_datasets as tfds


def get_data(batch_size):
    ds = tfds.load("patch_camelyon", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(10_000).batch(batch_size, drop_remainder=True)
    return ds.map(
        lambda x, y: (tf.cast(x, tf.float32) / 255.0, tf.cast(y[:, None], tf.float32)),
        num_parallel_calls=tf.data.AUTOTUNE,
    ).prefetch(tf.data.AUTOTUNE)


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--profile", action="store_true")
    ap.add_argument("--epochs", type=int, default=5)
    args = ap.parse_args()

    model = tf.keras.applications.MobileNetV2(weights=None, input_shape=(96, 96, 3), classes=1, classifier_activation="sigmoid")
    opt = tf.keras.optimizers.RMSprop(1e-3)
    bce = tf.keras.losses.BinaryCrossentropy()

    @tf.function
    def step_fn(x, y):
        with tf.GradientTape() as tape:
            loss = bce(y, model(x, training=True))
        opt.apply(tape.gradient(loss, model.trainable_variables), model.trainable_variables)
        return loss

    ds = get_data(128)
    if args.profile:
        tf.profiler.experimental.start("./prof")
    global_step = 0
    for _ in range(args.epochs):
        for x, y in ds:
            if args.profile:
                ctx = tf.profiler.experimental.Trace("train", step_num=global_step, _r=1)
            else:
                ctx = contextlib.nullcontext()
            with ctx:
                step_fn(x, y)
            global_step += 1
    if args.profile:
        tf.profiler.experimental.stop()


if __name__ == "__main__":
    main()
