import tensorflow as tf


def load(path):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    image = tf.image.resize(image, (128, 128)) / 255.0
    return image, tf.cast(tf.strings.split(path, "/")[-2] == "left", tf.float32)


class Recordings:
    def __init__(self, drives):
        self.drives = drives

    def frames(self, drive):
        paths = tf.io.matching_files(tf.strings.join([drive, "/*/*.jpg"]))
        ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(5000)
        return ds.repeat()

    def dataset(self, batch_size):
        ds = tf.data.Dataset.from_tensor_slices(self.drives)
        ds = ds.flat_map(self.frames)
        ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


drives = [f"/data/drives/{i:02d}" for i in range(24)]
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1, activation="sigmoid"),
])
model.compile("adam", "binary_crossentropy")
model.fit(Recordings(drives).dataset(32), steps_per_epoch=1000, epochs=10)
