"""Learns to tell two kinds of pictures apart. It makes them up itself, so it runs anywhere: in ten seconds or so."""

import tensorflow as tf

SIZE = 96


def pictures(count):
    """JPEGs, of which each other one is bright."""
    noise = tf.random.Generator.from_seed(1)
    labels = [number % 2 for number in range(count)]
    pixels = [noise.uniform([160, 160, 3], 60 * label, 190 + 60 * label, tf.int32) for label in labels]
    return [tf.io.encode_jpeg(tf.cast(pixel, tf.uint8)).numpy() for pixel in pixels], labels


def decode(data, label):
    image = tf.io.decode_jpeg(data, channels=3)
    return tf.image.resize(image, [SIZE, SIZE]) / 255.0, label


def augment(image, label):
    image = tf.image.random_flip_left_right(image)
    return tf.image.random_brightness(image, 0.1), label


def batches(count):
    dataset = tf.data.Dataset.from_tensor_slices(pictures(count))
    dataset = dataset.map(decode, num_parallel_calls=tf.data.experimental.AUTOTUNE)
    dataset = dataset.map(augment)
    dataset = dataset.cache()
    dataset = dataset.batch(16)
    dataset = dataset.shuffle(100)
    return dataset


def main():
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Conv2D(4, 7, strides=4, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(2),
        ]
    )
    model.compile(loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(batches(400), epochs=3)


if __name__ == "__main__":
    main()
