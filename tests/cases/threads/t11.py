import numpy as np
import pandas as pd
import tensorflow as tf

frame = pd.read_csv("sessions.csv")
dict_of_list = frame.to_dict(orient="list")
keys = list(dict_of_list.keys())

dataset = tf.data.Dataset.zip(
    tuple([tf.data.Dataset.from_tensor_slices(dict_of_list[key]) for key in keys])
)
dataset = dataset.map(lambda *x: {key: x[i] for i, key in enumerate(keys)})


def mask_position(x, f="position", low=1, high=100):
    x = dict(x)
    x[f] = np.random.randint(low, high)
    return x


def to_pair(x):
    feats = tf.stack([tf.cast(x["position"], tf.float32),
                      tf.cast(x["price"], tf.float32),
                      tf.cast(x["age_days"], tf.float32)])
    return feats, tf.cast(x["clicked"], tf.float32)


dataset = dataset.shuffle(len(frame))
dataset = dataset.map(mask_position, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.map(to_pair, num_parallel_calls=tf.data.AUTOTUNE)
dataset = dataset.batch(256).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Input((3,)),
    tf.keras.layers.Dense(32, activation="relu"),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy", metrics=["AUC"])
model.fit(dataset, epochs=10)
