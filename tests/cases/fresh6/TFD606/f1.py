import os

import tensorflow as tf

train = tf.keras.utils.image_dataset_from_directory(
    "/data/food/train", image_size=(224, 224), batch_size=64)
classes = len(train.class_names)
train = train.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.Input((224, 224, 3)),
    tf.keras.layers.Rescaling(1.0 / 255),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(classes),
])
os.environ["TF_GPU_THREAD_MODE"] = "gpu_private"
os.environ["TF_GPU_THREAD_COUNT"] = "2"
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=10)
