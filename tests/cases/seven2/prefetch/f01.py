# %%
import tensorflow as tf
from tensorflow import keras

# %%
train = tf.data.Dataset.load("/content/drive/features/train", compression="GZIP")
valid = tf.data.Dataset.load("/content/drive/features/valid", compression="GZIP")
train.element_spec

# %%
batch_size = 64
train = train.shuffle(4096).batch(batch_size)
valid = valid.batch(batch_size)

# %%
inputs = keras.Input((512,))
x = keras.layers.Dense(256, activation="relu")(inputs)
x = keras.layers.Dropout(0.3)(x)
model = keras.Model(inputs, keras.layers.Dense(18, activation="softmax")(x))
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])

# %%
history = model.fit(train, validation_data=valid, epochs=35)
