"""Super-resolution pairs: the small image is resized and rounded to bytes before the conversion."""
import tensorflow as tf


class PairBuilder:
    def __init__(self, high=256, factor=4):
        self.high, self.low = high, high // factor

    def pair(self, path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        large = tf.image.random_crop(image, [self.high, self.high, 3])
        small = tf.image.resize(large, [self.low, self.low], method="bicubic", antialias=True)
        small = tf.saturate_cast(tf.round(small), tf.uint8)
        return self.to_unit(small), self.to_unit(large)

    @staticmethod
    def to_unit(image):
        return tf.image.convert_image_dtype(image, tf.float32)

    def dataset(self, pattern, batch=16):
        files = tf.io.gfile.glob(pattern)
        ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files)).repeat()
        ds = ds.map(self.pair, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Upscaler(tf.keras.Model):
    def __init__(self, factor=4, width=64, depth=8):
        super().__init__()
        self.factor = factor
        self.head = tf.keras.layers.Conv2D(width, 5, padding="same")
        self.body = [tf.keras.layers.Conv2D(width, 3, padding="same", activation="relu") for _ in range(depth)]
        self.tail = tf.keras.layers.Conv2D(3 * factor ** 2, 3, padding="same")

    def call(self, x):
        x = self.head(x)
        for conv in self.body:
            x = x + conv(x)
        return tf.nn.depth_to_space(self.tail(x), self.factor)


if __name__ == "__main__":
    model = Upscaler()
    model.compile(tf.keras.optimizers.Adam(2e-4), "mae")
    model.fit(PairBuilder().dataset("/data/div2k/HR/*.png"), steps_per_epoch=1000, epochs=100)
