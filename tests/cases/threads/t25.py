import os

import numpy as np
import tensorflow as tf

train_data_id = "es_1min_2010_2020"
validation_data_id = "es_1min_2021"
batch_size = 1024

print("loading training data...")
train_data = np.load(os.path.join(os.getcwd(), "source_datasets", f"{train_data_id}_features.npy"))
train_targets = np.load(os.path.join(os.getcwd(), "source_datasets", f"{train_data_id}_targets.npy"))

print("loading validation data...")
val_data = np.load(os.path.join(os.getcwd(), "source_datasets", f"{validation_data_id}_features.npy"))
val_targets = np.load(os.path.join(os.getcwd(), "source_datasets", f"{validation_data_id}_targets.npy"))
print("train %.1f GB" % (train_data.nbytes / 1e9))

train_dataset = tf.data.Dataset.from_tensor_slices((train_data, train_targets))
train_dataset = train_dataset.shuffle(100000).batch(batch_size).prefetch(tf.data.AUTOTUNE)
val_dataset = tf.data.Dataset.from_tensor_slices((val_data, val_targets))
val_dataset = val_dataset.batch(batch_size).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Input(train_data.shape[1:]),
    tf.keras.layers.LSTM(128),
    tf.keras.layers.Dense(64, activation="relu"),
    tf.keras.layers.Dense(1),
])
model.compile(optimizer="adam", loss="mae")
model.fit(train_dataset, validation_data=val_dataset, epochs=50)
