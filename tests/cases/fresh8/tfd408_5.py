import tensorflow as tf

LABEL = "default"
NUMERIC = ["age", "income", "balance", "loans", "months"]


def pack(features, label):
    return tf.stack([features[name] for name in NUMERIC], axis=1), label


def credit(split, batch_size=256, **kwargs):
    ds = tf.data.experimental.make_csv_dataset(
        f"/data/credit/{split}-*.csv",
        batch_size=batch_size,
        select_columns=NUMERIC + [LABEL],
        column_defaults=[0.0] * len(NUMERIC) + [0],
        label_name=LABEL,
        num_epochs=1,
        shuffle=False,
        num_parallel_reads=4,
        **kwargs,
    )
    return ds.map(pack, num_parallel_calls=tf.data.AUTOTUNE)


def build():
    inputs = tf.keras.Input((len(NUMERIC),))
    norm = tf.keras.layers.Normalization()
    norm.adapt(credit("train", 4096).map(lambda x, y: x))
    h = norm(inputs)
    for width in (128, 64):
        h = tf.keras.layers.Dense(width, activation="selu")(h)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(h))


model = build()
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
model.fit(credit("train"), validation_data=credit("valid"), epochs=15)
