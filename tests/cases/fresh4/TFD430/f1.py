import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


def decode(path):
    return tf.io.decode_png(tf.io.read_file(path), channels=3)


def letterbox(image):
    return tf.image.resize_with_pad(image, 320, 320)


def unit(image):
    return tf.image.convert_image_dtype(image, tf.float32)


images = tf.data.Dataset.list_files("comics/*.png")
for function in (decode, letterbox, unit):
    images = images.map(function, num_parallel_calls=AUTOTUNE)
pairs = images.map(lambda image: (image, image), num_parallel_calls=AUTOTUNE)
pairs = pairs.batch(8).prefetch(AUTOTUNE)

autoencoder = tf.keras.Sequential([
    tf.keras.Input((320, 320, 3)),
    tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
    tf.keras.layers.Conv2DTranspose(3, 3, strides=2, padding="same", activation="sigmoid"),
])
autoencoder.compile("adam", "binary_crossentropy")
autoencoder.fit(pairs, epochs=20)
