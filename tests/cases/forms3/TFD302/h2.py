import keras
import tensorflow as tf
from keras import layers

augmentation = keras.Sequential([layers.RandomFlip("horizontal"), layers.RandomRotation(0.1)])


def prepare(folder, training):
    ds = keras.utils.image_dataset_from_directory(
        folder, image_size=(128, 128), batch_size=None, shuffle=False)
    ds = ds.map(lambda x, y: (tf.image.flip_up_down(x) / 255.0, y), num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.cache()
    if training:
        ds = ds.shuffle(5000)
    ds = ds.batch(32)
    if training:
        ds = ds.map(lambda x, y: (augmentation(x, training=True), y), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


model = keras.Sequential([
    layers.Conv2D(32, 3, activation="relu"),
    layers.GlobalAveragePooling2D(),
    layers.Dense(4, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(prepare("satellite/train", True), validation_data=prepare("satellite/val", False), epochs=25)
