import argparse
import pathlib

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def read(path):
    image = tf.image.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (286, 286))


def domain(folder):
    files = [str(p) for p in pathlib.Path(folder).rglob("*.jpg")]
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files), reshuffle_each_iteration=True)
    return ds.map(read, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def jitter(a, b):
    crop = lambda t: tf.image.random_flip_left_right(tf.image.random_crop(t, (256, 256, 3)))
    return crop(a) / 127.5 - 1.0, crop(b) / 127.5 - 1.0


def unet():
    inputs = x = tf.keras.Input((256, 256, 3))
    for width in (64, 128, 256):
        x = tf.keras.layers.Conv2D(width, 4, 2, "same", activation="relu")(x)
    for width in (128, 64, 3):
        x = tf.keras.layers.Conv2DTranspose(width, 4, 2, "same", activation="tanh")(x)
    return tf.keras.Model(inputs, x)


def main(args):
    pairs = tf.data.Dataset.zip((domain(args.photos), domain(args.paintings)))
    pairs = pairs.map(jitter, num_parallel_calls=AUTOTUNE).batch(args.batch)
    forward, backward = unet(), unet()
    optimizer = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)
    weights = forward.trainable_variables + backward.trainable_variables

    @tf.function
    def cycle_step(a, b):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(backward(forward(a)) - a)) + tf.reduce_mean(tf.abs(forward(backward(b)) - b))
        optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    for epoch in range(args.epochs):
        for n, (a, b) in enumerate(pairs):
            loss = cycle_step(a, b)
            if n % 100 == 0:
                print(f"{epoch}:{n} {loss:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("photos")
    parser.add_argument("paintings")
    parser.add_argument("--batch", type=int, default=4)
    parser.add_argument("--epochs", type=int, default=200)
    main(parser.parse_args())
