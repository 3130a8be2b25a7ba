import tensorflow as tf
from tensorflow import keras

train = keras.utils.image_dataset_from_directory("pets/train", image_size=(160, 160), seed=1)
train = train.unbatch()
train = train.filter(lambda x, y: tf.math.reduce_std(x) > 5.0)
train = train.batch(64)
train = train.map(lambda x, y: (x / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(tf.data.AUTOTUNE)

model = keras.Sequential([
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(37, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=8)
