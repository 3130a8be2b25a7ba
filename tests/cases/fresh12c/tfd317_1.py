"""Chest x-ray classifier: hold out the first files for validation."""
import tensorflow as tf

BATCH = 48
HOLD_OUT = 6000


def list_studies(root):
    paths = sorted(tf.io.gfile.glob(f"{root}/*/*.png"))
    labels = [int("/pneumonia/" in p) for p in paths]
    return tf.data.Dataset.from_tensor_slices((paths, labels)).shuffle(
        len(paths), seed=3, reshuffle_each_iteration=False)


def decode(path, label):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    image = tf.image.resize(image, (320, 320), antialias=True)
    return tf.image.per_image_standardization(image), label


def split(ds, n):
    return ds.take(n), ds.skip(n)


def finish(ds, training):
    if training:
        ds = ds.shuffle(1000)
    return ds.batch(BATCH, drop_remainder=training).prefetch(tf.data.AUTOTUNE)


def main():
    studies = list_studies("/data/cxr")
    images = studies.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    valid, train = split(images, HOLD_OUT)

    model = tf.keras.Sequential([
        tf.keras.Input((320, 320, 1)),
        tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.Conv2D(128, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True),
                  metrics=[tf.keras.metrics.AUC(from_logits=True)])
    model.fit(finish(train, True), validation_data=finish(valid, False), epochs=30)


if __name__ == "__main__":
    main()
