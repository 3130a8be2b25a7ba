import tensorflow as tf

frames = sorted(tf.io.gfile.glob("street/*.png"))


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (192, 320)) / 255.0


names = tf.data.Dataset.from_tensor_slices(frames)
pairs = tf.data.Dataset.zip((names, names.skip(1)))
pairs = pairs.shuffle(len(frames), seed=3)
pairs = pairs.map(lambda a, b: (load(a), load(b)), num_parallel_calls=tf.data.AUTOTUNE)
pairs = pairs.batch(4).prefetch(tf.data.AUTOTUNE)

predictor = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 3, padding="same", activation="sigmoid"),
])
predictor.compile("adam", "mae")
predictor.fit(pairs, epochs=10)
