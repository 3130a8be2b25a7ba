"""Road extraction from aerial tiles."""
import tensorflow as tf


class TileSplit:
    pattern = None
    scratch = "/scratch/roads/decoded"
    batch_size = 24

    def read(self):
        names = tf.data.Dataset.list_files(self.pattern, shuffle=False)
        ds = names.map(self.tile, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.cache(self.scratch)

    @staticmethod
    def tile(name):
        image = tf.io.decode_jpeg(tf.io.read_file(name), channels=3)
        label = tf.strings.regex_replace(name, r"_sat\.jpg$", "_mask.png")
        mask = tf.io.decode_png(tf.io.read_file(label), channels=1)
        image = tf.image.resize(image, (256, 256))
        mask = tf.image.resize(mask, (256, 256), method="nearest")
        return tf.cast(image, tf.uint8), tf.cast(mask > 127, tf.uint8)

    @staticmethod
    def scale(image, mask):
        return tf.cast(image, tf.float32) / 255.0, tf.cast(mask, tf.float32)

    def batches(self):
        ds = self.read().batch(self.batch_size)
        ds = ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


class TrainTiles(TileSplit):
    pattern = "roads/train/*_sat.jpg"

    def batches(self):
        ds = self.read().shuffle(400).batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self.scale, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


class ValTiles(TileSplit):
    pattern = "roads/valid/*_sat.jpg"
    batch_size = 48


def linknet():
    inp = tf.keras.Input((256, 256, 3))
    x = tf.keras.layers.Conv2D(32, 5, 2, padding="same", activation="relu")(inp)
    x = tf.keras.layers.Conv2D(64, 3, 2, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2DTranspose(32, 4, 2, padding="same", activation="relu")(x)
    x = tf.keras.layers.Conv2DTranspose(16, 4, 2, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


if __name__ == "__main__":
    net = linknet()
    net.compile("adam", "binary_crossentropy", [tf.keras.metrics.BinaryIoU([1])])
    net.fit(TrainTiles().batches(), validation_data=ValTiles().batches(), epochs=40)
