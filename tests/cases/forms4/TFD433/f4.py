import numpy as np
import tensorflow as tf

config = {
    "classes": 6,
    "batch_size": 64,
    "compile": {
        "optimizer": "adam",
        "loss": "sparse_categorical_crossentropy",
    },
}

archive = np.load("har.npz")
targets = tf.keras.utils.to_categorical(archive["activity"], config["classes"])
train = tf.data.Dataset.from_tensor_slices((archive["signals"], targets))
train = train.shuffle(len(targets))
train = train.batch(config["batch_size"]).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(32, 5, activation="relu"),
    tf.keras.layers.GlobalMaxPooling1D(),
    tf.keras.layers.Dense(config["classes"], activation="softmax"),
])
model.compile(**config["compile"])
model.fit(train, epochs=20)
