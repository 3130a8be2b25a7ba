import csv
import functools

import numpy as np
from PIL import Image
import tensorflow as tf

SIZE = 224
SIGNATURE = (
    tf.TensorSpec([SIZE, SIZE, 3], tf.float32),
    tf.TensorSpec([], tf.int32),
)


def samples(table, root, rng):
    with open(table, newline="") as f:
        rows = list(csv.DictReader(f))
    for i in rng.permutation(len(rows)):
        row = rows[i]
        with Image.open(f"{root}/{row['file']}") as img:
            img = img.convert("RGB").resize((SIZE, SIZE))
        yield np.asarray(img, np.float32) / 255.0, int(row["label"])


def dataset(table, root, batch_size, seed=0):
    make = functools.partial(samples, table, root, np.random.default_rng(seed))
    ds = tf.data.Dataset.from_generator(make, output_signature=SIGNATURE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    train = dataset("/data/birds/train.csv", "/data/birds/img", 64)
    valid = dataset("/data/birds/valid.csv", "/data/birds/img", 64)
    base = tf.keras.applications.MobileNetV2(
        include_top=False, pooling="avg", input_shape=(SIZE, SIZE, 3))
    model = tf.keras.Sequential([base, tf.keras.layers.Dense(200)])
    model.compile(
        tf.keras.optimizers.Adam(1e-4),
        tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(train, validation_data=valid, epochs=25)


if __name__ == "__main__":
    main()
