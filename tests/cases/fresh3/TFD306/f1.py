import tensorflow as tf

COLUMNS = ["age", "fare", "parch", "sibsp", "survived"]

batches = tf.data.experimental.make_csv_dataset(
    "titanic.csv",
    batch_size=32,
    select_columns=COLUMNS,
    label_name="survived",
    num_epochs=1,
    shuffle=False,
)


def pack(features, label):
    return tf.stack([tf.cast(v, tf.float32) for v in features.values()], axis=-1), label


train = batches.map(pack, num_parallel_calls=tf.data.AUTOTUNE)
train = train.cache()
train = train.shuffle(500)
train = train.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.BatchNormalization(),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=20)
