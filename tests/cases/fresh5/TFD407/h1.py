import numpy as np
import tensorflow as tf

train, val = tf.keras.utils.image_dataset_from_directory(
    "/data/wood", validation_split=0.2, subset="both", seed=4, image_size=(96, 96))
train = train.prefetch(tf.data.AUTOTUNE)
val = val.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Rescaling(1.0 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(7),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, validation_data=val, epochs=10)

extra = np.load("/data/wood/extra.npz")
model.fit(extra["images"], extra["labels"], batch_size=32, validation_split=0.1, epochs=2)
