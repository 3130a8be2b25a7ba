"""Dog breed classifier from a CSV index."""
import csv

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def read_index(path):
    with open(path, newline="") as f:
        rows = list(csv.DictReader(f))
    return [r["file"] for r in rows], [int(r["breed"]) for r in rows]


def load_image(path, side):
    raw = tf.io.read_file(path)
    image = tf.io.decode_image(raw, channels=3, expand_animations=False)
    image = tf.image.resize(image, [side, side])
    return image


def preprocess(path, breed):
    image = load_image(path, 260)
    image = tf.image.convert_image_dtype(image, tf.float32)
    image = tf.ensure_shape(image, (260, 260, 3))
    image = (image - [0.485, 0.456, 0.406]) / [0.229, 0.224, 0.225]
    return image, breed


def dataset(index, training):
    paths, breeds = read_index(index)
    ds = tf.data.Dataset.from_tensor_slices((paths, breeds))
    if training:
        ds = ds.shuffle(len(paths))
    ds = ds.map(preprocess, num_parallel_calls=AUTO)
    return ds.batch(64, drop_remainder=training).prefetch(AUTO)


def main():
    net = tf.keras.applications.ResNet101(weights=None, classes=120, input_shape=(260, 260, 3))
    net.compile(tf.keras.optimizers.SGD(0.05, momentum=0.9, nesterov=True),
                "sparse_categorical_crossentropy", metrics=["accuracy"])
    net.fit(dataset("/data/dogs/train.csv", True), validation_data=dataset("/data/dogs/val.csv", False),
            epochs=100)


if __name__ == "__main__":
    main()
