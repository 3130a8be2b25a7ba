import functools

import pandas as pd
import tensorflow as tf

frame = pd.read_csv("titanic.csv")
columns = ["Age", "Fare", "Pclass", "SibSp"]
frame = frame.dropna(subset=columns).sample(frac=1.0, random_state=0)
holdout = frame.iloc[:150]
rest = frame.iloc[150:]

full_batches = functools.partial(tf.data.Dataset.batch, batch_size=32, drop_remainder=True)


def to_dataset(part):
    features = {name: part[name].to_numpy("float32") for name in columns}
    return tf.data.Dataset.from_tensor_slices((features, part["Survived"].to_numpy()))


train_ds = full_batches(to_dataset(rest).shuffle(len(rest))).prefetch(tf.data.AUTOTUNE)
valid_ds = full_batches(to_dataset(holdout)).prefetch(tf.data.AUTOTUNE)

inputs = {name: tf.keras.Input((1,), name=name) for name in columns}
hidden = tf.keras.layers.Dense(16, activation="relu")(
    tf.keras.layers.Concatenate()(list(inputs.values()))
)
model = tf.keras.Model(inputs, tf.keras.layers.Dense(1, activation="sigmoid")(hidden))
model.compile("adam", "binary_crossentropy", metrics=["accuracy"])
model.fit(train_ds, validation_data=valid_ds, epochs=25)
