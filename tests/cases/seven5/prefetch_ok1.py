"""Leaf diseases: fine-tune a MobileNet."""
import functools

import tensorflow as tf

CLASSES = tf.constant(["healthy", "rust", "scab", "mildew"])


def load(path, size):
    label = tf.argmax(tf.strings.split(path, "/")[-2] == CLASSES)
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, size), label


def augment(image, label):
    return tf.image.random_flip_up_down(image), label


def finish(ds, batch_size, depth=tf.data.AUTOTUNE):
    ds = ds.batch(batch_size)
    return ds.prefetch(depth)


close = functools.partial(finish, batch_size=64)


def build(pattern, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.map(functools.partial(load, size=(224, 224)), num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return close(ds)


def main():
    base = tf.keras.applications.MobileNetV3Large(include_top=False, pooling="avg", input_shape=(224, 224, 3))
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(4)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    train = build("/data/leaves/train/*/*.jpg", True)
    valid = build("/data/leaves/valid/*/*.jpg", False)
    model.fit(train, validation_data=valid, epochs=20)


if __name__ == "__main__":
    main()
