import tensorflow as tf
from tensorflow.keras import layers

scale = layers.Rescaling(scale=1.0 / 255)


def build_model(classes):
    inputs = tf.keras.Input((180, 180, 3))
    x = layers.Rescaling(1.0 / 255)(inputs)
    x = layers.Conv2D(32, 3, activation="relu")(x)
    x = layers.MaxPooling2D()(x)
    x = layers.Conv2D(64, 3, activation="relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    return tf.keras.Model(inputs, layers.Dense(classes)(x))


def load(subset):
    return tf.keras.utils.image_dataset_from_directory(
        "/data/flowers", validation_split=0.2, subset=subset, seed=123, image_size=(180, 180))


train, val = load("training"), load("validation")
model = build_model(len(train.class_names))
train = train.map(lambda x, y: (scale(x), y), num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
val = val.map(lambda x, y: (scale(x), y), num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
model.fit(train, validation_data=val, epochs=15)
