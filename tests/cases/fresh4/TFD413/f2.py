import tensorflow as tf

COLUMNS = ["speed", "load", "vibration", "fault"]


def table(pattern):
    return tf.data.experimental.make_csv_dataset(
        pattern,
        batch_size=256,
        select_columns=COLUMNS,
        label_name="fault",
        shuffle_buffer_size=20_000,
    )


def as_matrix(columns, fault):
    return tf.stack([columns[name] for name in COLUMNS[:-1]], axis=-1), fault


def training_data():
    both = table("factory_a/*.csv").concatenate(table("factory_b/*.csv"))
    return both.map(as_matrix, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((3,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
model.fit(training_data(), steps_per_epoch=1000, epochs=4)
