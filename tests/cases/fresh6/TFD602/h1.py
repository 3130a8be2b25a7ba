import tensorflow as tf
from tensorflow.keras import layers

train = tf.keras.utils.image_dataset_from_directory(
    "/data/food/train", image_size=(224, 224), batch_size=64)
classes = len(train.class_names)
train = train.prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    layers.Rescaling(1.0 / 255),
    layers.Conv2D(32, 3, strides=2, activation="relu"),
    layers.BatchNormalization(),
    layers.Conv2D(64, 3, strides=2, use_bias=False),
    layers.BatchNormalization(),
    layers.ReLU(),
    layers.GlobalAveragePooling2D(),
    layers.Dense(classes),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, epochs=10)
