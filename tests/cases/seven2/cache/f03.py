import tensorflow as tf
import keras

AUTO = tf.data.AUTOTUNE


def byte_strings(pattern):
    names = tf.data.Dataset.list_files(pattern, shuffle=False)
    return names.map(tf.io.read_file, num_parallel_calls=AUTO).cache()


def decode_both(photo, sketch):
    photo = tf.image.resize(tf.io.decode_jpeg(photo, channels=3), (256, 256))
    sketch = tf.image.resize(tf.io.decode_png(sketch, channels=1), (256, 256))
    return sketch / 127.5 - 1.0, photo / 127.5 - 1.0


photos = byte_strings("/data/faces/photo/*.jpg")
sketches = byte_strings("/data/faces/sketch/*.png")

pairs = tf.data.Dataset.zip((photos, sketches))
pairs = pairs.shuffle(2000)
pairs = pairs.map(decode_both, num_parallel_calls=AUTO)
pairs = pairs.batch(8, drop_remainder=True).prefetch(AUTO)

generator = keras.Sequential([
    keras.layers.Conv2D(64, 4, strides=2, padding="same", activation="leaky_relu"),
    keras.layers.Conv2D(128, 4, strides=2, padding="same", activation="leaky_relu"),
    keras.layers.Conv2DTranspose(64, 4, strides=2, padding="same", activation="relu"),
    keras.layers.Conv2DTranspose(3, 4, strides=2, padding="same", activation="tanh"),
])
generator.compile(keras.optimizers.Adam(2e-4, beta_1=0.5), "mae")
generator.fit(pairs, epochs=150)
