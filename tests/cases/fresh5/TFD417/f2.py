import tensorflow as tf


class Split:
    def __init__(self, pattern, share=0.9):
        self.paths = sorted(tf.io.gfile.glob(pattern))
        self.share = share

    def load(self, path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=1)
        image = tf.image.resize(image, (64, 64)) / 255.0
        return image, tf.strings.to_number(tf.strings.split(path, "/")[-2], tf.int32)

    def finish(self, ds):
        ds = ds.map(self.load, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(64).prefetch(tf.data.AUTOTUNE)

    def both(self):
        n = len(self.paths)
        ds = tf.data.Dataset.from_tensor_slices(self.paths)
        ds = ds.shuffle(n, seed=5, reshuffle_each_iteration=False)
        train = ds.take(n * self.share)
        val = ds.skip(n * self.share)
        return self.finish(train.shuffle(n)), self.finish(val)


train, val = Split("/data/glyphs/*/*.png").both()
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(62),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train, validation_data=val, epochs=10)
