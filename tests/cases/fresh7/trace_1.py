"""MNIST autoencoder; --profile records some steps before the training proper."""
import argparse

import tensorflow as tf


def pipeline(batch):
    (images, _), _ = tf.keras.datasets.mnist.load_data()
    ds = tf.data.Dataset.from_tensor_slices(images.reshape(-1, 784))
    ds = ds.shuffle(10_000).batch(batch, drop_remainder=True)
    ds = ds.map(lambda x: tf.cast(x, tf.float32) / 255.0, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def make_step(model, optimizer):
    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - x))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    return step


def profile(step, ds, logdir, n):
    tf.profiler.experimental.start(logdir)
    for x in ds.take(n):
        step(x)
    tf.profiler.experimental.stop()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--profile", type=int, default=0, metavar="STEPS")
    parser.add_argument("--logdir", default="logs/autoencoder")
    args = parser.parse_args()

    model = tf.keras.Sequential([
        tf.keras.layers.Dense(64, activation="relu"),
        tf.keras.layers.Dense(784, activation="sigmoid"),
    ])
    step = make_step(model, tf.keras.optimizers.Adam())
    ds = pipeline(args.batch)
    if args.profile:
        profile(step, ds, args.logdir, args.profile)
    for epoch in range(args.epochs):
        for x in ds:
            loss = step(x)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
