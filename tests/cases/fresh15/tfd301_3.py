import csv

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def decode_scan(row):
    raw = tf.io.read_file(row["path"])
    scan = tf.image.decode_png(raw, channels=1, dtype=tf.uint16)
    return {"scan": tf.cast(scan, tf.float32) / 65535.0, "grade": row["grade"]}


def equalize(row):
    scan = row["scan"]
    hist = tf.histogram_fixed_width(scan, [0.0, 1.0], nbins=256)
    cdf = tf.cumsum(tf.cast(hist, tf.float32))
    cdf = (cdf - cdf[0]) / (cdf[-1] - cdf[0] + 1e-6)
    bins = tf.cast(tf.clip_by_value(scan * 255.0, 0.0, 255.0), tf.int32)
    return {"scan": tf.gather(cdf, bins), "grade": row["grade"]}


def shrink(row):
    scan = tf.image.resize(row["scan"], (384, 384), method="lanczos5", antialias=True)
    return scan, row["grade"]


PLAN = [
    ("cache", {}),
    ("shuffle", {"buffer_size": 6000}),
    ("map", {"map_func": decode_scan, "num_parallel_calls": AUTO}),
    ("map", {"map_func": equalize, "num_parallel_calls": AUTO}),
    ("map", {"map_func": shrink, "num_parallel_calls": AUTO}),
    ("batch", {"batch_size": 16}),
    ("prefetch", {"buffer_size": AUTO}),
]


def assemble(ds, plan):
    for method, kwargs in plan:
        ds = getattr(ds, method)(**kwargs)
    return ds


def read_table(path):
    with open(path, newline="") as handle:
        rows = list(csv.DictReader(handle))
    return {
        "path": [r["path"] for r in rows],
        "grade": [int(r["grade"]) for r in rows],
    }


def main():
    train = assemble(tf.data.Dataset.from_tensor_slices(read_table("retina_train.csv")), PLAN)
    inputs = tf.keras.Input((384, 384, 1))
    x = inputs
    for width in (32, 64, 128, 256):
        x = tf.keras.layers.Conv2D(width, 3, strides=2, padding="same", activation="relu")(x)
    x = tf.keras.layers.GlobalAveragePooling2D()(x)
    model = tf.keras.Model(inputs, tf.keras.layers.Dense(5, activation="softmax")(x))
    optimizer = tf.keras.optimizers.Adam(1e-4)
    loss_fn = tf.keras.losses.SparseCategoricalCrossentropy()

    @tf.function
    def step(scan, grade):
        with tf.GradientTape() as tape:
            loss = loss_fn(grade, model(scan, training=True))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for epoch in range(40):
        mean = tf.keras.metrics.Mean()
        for scan, grade in train:
            mean.update_state(step(scan, grade))
        print("epoch", epoch, "loss", float(mean.result()))


if __name__ == "__main__":
    main()
