import keras
import pandas as pd
import tensorflow as tf

df = pd.read_csv("petfinder.csv")
lookup = keras.layers.StringLookup(vocabulary=sorted(df["Breed1"].unique()))
ages = df["Age"].to_numpy("float32")
labels = (df["AdoptionSpeed"] < 4).to_numpy("float32")


def encode(breed, age, label):
    return {"breed": lookup(breed), "age": tf.math.log1p(age)}, label


ds = tf.data.Dataset.from_tensor_slices((df["Breed1"].to_numpy(), ages, labels))
ds = ds.shuffle(len(df), seed=2)
ds = ds.map(encode, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(256)
ds = ds.prefetch(tf.data.AUTOTUNE)

breed = keras.Input((1,), name="breed", dtype="int64")
age = keras.Input((1,), name="age")
vec = keras.layers.Flatten()(keras.layers.Embedding(lookup.vocabulary_size(), 8)(breed))
out = keras.layers.Dense(1, activation="sigmoid")(keras.layers.Concatenate()([vec, age]))
model = keras.Model({"breed": breed, "age": age}, out)
model.compile("adam", "binary_crossentropy")
model.fit(ds, epochs=10)
