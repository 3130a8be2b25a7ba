import glob
import os

import tensorflow as tf

ROOT = os.environ.get("TRIPS", "/data/trips")
FIELDS = [tf.float32] * 6 + [tf.float32]
AUTO = tf.data.experimental.AUTOTUNE


def pack(*columns):
    return tf.stack(columns[:-1], axis=-1), columns[-1]


datasets = {}
for split, training in [("train", True), ("valid", False), ("test", False)]:
    months = sorted(glob.glob(os.path.join(ROOT, split, "2*.csv")))
    rows = tf.data.Dataset.from_tensor_slices(months).flat_map(
        lambda month: tf.data.experimental.CsvDataset(month, FIELDS, header=True))
    if training:
        rows = rows.shuffle(200_000)
    rows = rows.batch(1024).map(pack, num_parallel_calls=AUTO)
    datasets[split] = rows.prefetch(AUTO)

normalizer = tf.keras.layers.Normalization()
normalizer.adapt(datasets["train"].map(lambda x, y: x, num_parallel_calls=AUTO).take(200))

model = tf.keras.Sequential([
    normalizer,
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile(tf.keras.optimizers.Adam(1e-3), "mae")
model.fit(
    datasets["train"],
    validation_data=datasets["valid"],
    epochs=10,
    callbacks=[tf.keras.callbacks.EarlyStopping(patience=2)],
)
print(model.evaluate(datasets["test"]))
