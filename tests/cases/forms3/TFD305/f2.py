import numpy as np
import tensorflow as tf


def engineer(row):
    bmi = row["weight"] / tf.square(row["height"])
    age = (row["age"] - 40.0) / 15.0
    return {"bmi": tf.math.log1p(bmi), "age": age}, tf.cast(row["sick"], tf.float32)


def build(table, batch_size):
    return (
        tf.data.Dataset.from_tensor_slices(table)
        .shuffle(len(table["age"]))
        .map(engineer, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch_size)
        .prefetch(tf.data.AUTOTUNE)
    )


raw = np.genfromtxt("patients.csv", delimiter=",", names=True, dtype=np.float32)
table = {k: np.ascontiguousarray(raw[k]) for k in ("weight", "height", "age", "sick")}
bmi = tf.keras.Input((1,), name="bmi")
age = tf.keras.Input((1,), name="age")
out = tf.keras.layers.Dense(1, activation="sigmoid")(tf.keras.layers.Concatenate()([bmi, age]))
model = tf.keras.Model({"bmi": bmi, "age": age}, out)
model.compile("adam", "binary_crossentropy")
model.fit(build(table, 512), epochs=20)
