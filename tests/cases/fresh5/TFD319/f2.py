import tensorflow as tf

SPEC = {"jpeg": tf.io.FixedLenFeature([], tf.string)}


class PairedViews:
    def __init__(self, pattern, side=96):
        self.side = side
        files = tf.data.Dataset.list_files(pattern, shuffle=False)
        self.records = files.interleave(
            tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=True)
        self.images = self.records.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)

    def decode(self, record):
        jpeg = tf.io.parse_single_example(record, SPEC)["jpeg"]
        image = tf.io.decode_jpeg(jpeg, channels=3)
        return tf.image.resize(image, (self.side, self.side)) / 255.0

    def blurred(self, image):
        small = tf.image.resize(image, (self.side // 4, self.side // 4))
        return tf.image.resize(small, (self.side, self.side))

    def pairs(self):
        inputs = self.images.map(self.blurred, num_parallel_calls=tf.data.AUTOTUNE)
        return tf.data.Dataset.zip((inputs, self.images))


views = PairedViews("/data/photos/*.tfrecord")
train = views.pairs().shuffle(512).batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(64, 9, padding="same", activation="relu"),
    tf.keras.layers.Conv2D(3, 5, padding="same"),
])
model.compile("adam", "mae")
model.fit(train, epochs=10)
