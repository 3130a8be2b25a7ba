import pathlib

import tensorflow as tf

CONFIG = {
    "root": "/data/plants",
    "val_images": 8000,
    "batch": 64,
    "size": (224, 224),
}


def read_image(path):
    parts = tf.strings.split(path, "/")
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, CONFIG["size"])
    label = tf.strings.to_number(parts[-2], tf.int32)
    return image, label


def split(ds, count):
    return ds.skip(count), ds.take(count)


def finish(ds, training=False):
    if training:
        ds = ds.shuffle(20_000)
    ds = ds.map(read_image, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(CONFIG["batch"]).prefetch(tf.data.AUTOTUNE)


def main():
    files = sorted(str(p) for p in pathlib.Path(CONFIG["root"]).glob("*/*.jpg"))
    paths = tf.data.Dataset.from_tensor_slices(files)
    paths = paths.shuffle(len(files), seed=3, reshuffle_each_iteration=False)
    train, val = split(paths, CONFIG["val_images"])
    model = tf.keras.applications.EfficientNetB0(weights=None, classes=120)
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(finish(train, training=True), validation_data=finish(val), epochs=15)


if __name__ == "__main__":
    main()
