import tensorflow as tf
from tensorflow import keras


def resize_batches(ds, size):
    return ds.rebatch(size, drop_remainder=True)


train = keras.utils.image_dataset_from_directory("pets/train", image_size=(160, 160), seed=1)
train = resize_batches(train, 64)
train = train.map(lambda x, y: (x / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(tf.data.AUTOTUNE)

model = keras.Sequential([
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(37, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=8)
