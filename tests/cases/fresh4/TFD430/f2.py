import tensorflow as tf


class SignParser:
    def __init__(self, size):
        self.resize = tf.keras.layers.Resizing(size, size)
        self.spec = {
            "png": tf.io.FixedLenFeature([], tf.string),
            "class": tf.io.FixedLenFeature([], tf.int64),
        }

    def __call__(self, record):
        example = tf.io.parse_single_example(record, self.spec)
        pixels = self.resize(tf.io.decode_png(example["png"], channels=3))
        return tf.image.convert_image_dtype(pixels, dtype="float32"), example["class"]


files = tf.data.Dataset.list_files("gtsrb/*.tfrecord")
signs = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
signs = signs.shuffle(20_000)
signs = signs.map(SignParser(size=48), num_parallel_calls=tf.data.AUTOTUNE)
signs = signs.batch(128).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.Input((48, 48, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(43, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(signs, epochs=10)
