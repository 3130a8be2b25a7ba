import keras
import tensorflow as tf

keras.config.set_image_data_format("channels_first")

AUTOTUNE = tf.data.AUTOTUNE


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (128, 128))
    label = tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)
    return tf.transpose(image / 255.0, (2, 0, 1)), label


ds = tf.data.Dataset.list_files("/data/plants/*/*.jpg")
ds = ds.map(load, num_parallel_calls=AUTOTUNE).batch(64, drop_remainder=True).prefetch(AUTOTUNE)

model = keras.Sequential([
    keras.Input((3, 128, 128)),
    keras.layers.Conv2D(32, 3, activation="relu"),
    keras.layers.MaxPooling2D(),
    keras.layers.Conv2D(64, 3, activation="relu"),
    keras.layers.GlobalAveragePooling2D(),
    keras.layers.Dense(38, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(ds, epochs=10)
