"""Electric load forecasting from hourly CSV files, one file per meter."""
import tensorflow as tf

COLS = [tf.constant([0.0])] * 9
N_VALID = 200


def meter_rows(path):
    return tf.data.TextLineDataset(path).skip(1)


def parse(lines):
    cols = tf.io.decode_csv(lines, record_defaults=COLS)
    return tf.stack(cols[:-1], axis=-1), cols[-1]


def read(files, training):
    ds = files.interleave(meter_rows, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE,
                          deterministic=not training)
    if training:
        ds = ds.shuffle(200_000)
    ds = ds.batch(1024, drop_remainder=training)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


meters = tf.data.Dataset.list_files("/data/load/meter_*.csv", shuffle=False)
meters = meters.shuffle(10_000, seed=1, reshuffle_each_iteration=False)
valid = read(meters.take(N_VALID), False)
train = read(meters.skip(N_VALID), True)

norm = tf.keras.layers.Normalization()
norm.adapt(train.take(200).map(lambda x, y: x, num_parallel_calls=tf.data.AUTOTUNE))
model = tf.keras.Sequential([
    tf.keras.Input((8,)),
    norm,
    tf.keras.layers.Dense(256, activation="relu"),
    tf.keras.layers.Dense(128, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile(tf.keras.optimizers.AdamW(1e-3), "huber", metrics=["mae"])
model.fit(train, validation_data=valid, epochs=12,
          callbacks=[tf.keras.callbacks.ModelCheckpoint("load.keras", save_best_only=True)])
