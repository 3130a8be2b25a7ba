import tensorflow as tf

frames = sorted(tf.io.gfile.glob("street/*.png"))


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (192, 320)) / 255.0


video = tf.data.Dataset.from_tensor_slices(frames)
video = video.map(load, num_parallel_calls=tf.data.AUTOTUNE)
pairs = tf.data.Dataset.zip((video, video.skip(1)))
pairs = pairs.shuffle(100, seed=3)
pairs = pairs.batch(4).prefetch(tf.data.AUTOTUNE)

predictor = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 3, padding="same", activation="sigmoid"),
])
predictor.compile("adam", "mae")
predictor.fit(pairs, epochs=10)
