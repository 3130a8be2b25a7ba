import keras
import tensorflow as tf
from keras import layers

augmentation = keras.Sequential([layers.RandomFlip("horizontal"), layers.RandomRotation(0.1)])


def prepare(ds, training):
    ds = ds.map(lambda x, y: (tf.image.flip_up_down(x) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    if training:
        ds = ds.map(lambda x, y: (augmentation(x, training=True), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


train, val = keras.utils.image_dataset_from_directory(
    "satellite", image_size=(128, 128), seed=5, validation_split=0.2, subset="both", shuffle=False)
train = prepare(train, True)
val = prepare(val, False)
model = keras.Sequential([
    layers.Conv2D(32, 3, activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(4, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, validation_data=val, epochs=25)
