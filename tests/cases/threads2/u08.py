import tensorflow as tf

NUM_EXAMPLES = 592
SIZE = 256
BATCH = 8

counter = 0


def decode_png_mask(buffer):
    image = tf.squeeze(tf.image.decode_image(buffer, channels=1, expand_animations=False), axis=2)
    image.set_shape([None, None])
    return tf.cast(image, tf.float32)


def process_example(serialized):
    """One record: an image, its mask and the sensor's name."""
    global counter
    counter += 1

    parsed = tf.io.parse_single_example(serialized, {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "mask/encoded": tf.io.FixedLenFeature([], tf.string),
    })
    image = tf.io.decode_jpeg(parsed["image/encoded"], channels=3)
    image = tf.image.resize(tf.cast(image, tf.float32) / 255.0, (SIZE, SIZE))
    mask = decode_png_mask(parsed["mask/encoded"])[..., tf.newaxis]
    mask = tf.image.resize(mask, (SIZE, SIZE), method="nearest")
    return image, mask


def load(path):
    dataset = tf.data.TFRecordDataset(path)
    dataset = dataset.shuffle(NUM_EXAMPLES)
    dataset = dataset.map(process_example, num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.batch(BATCH).prefetch(tf.data.AUTOTUNE)


def main():
    dataset = load("masks.tfrecord")
    model = tf.keras.Sequential([
        tf.keras.Input((SIZE, SIZE, 3)),
        tf.keras.layers.Conv2D(16, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(1, 1),
    ])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(dataset, epochs=1)
    print("processed", counter, "of", NUM_EXAMPLES)
    assert counter == NUM_EXAMPLES


if __name__ == "__main__":
    main()
