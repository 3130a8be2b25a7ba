from functools import partial

import tensorflow as tf

Conv = partial(tf.keras.layers.Conv2D, padding="same", data_format="channels_first")
Norm = partial(tf.keras.layers.BatchNormalization, axis=1)


class Residual(tf.keras.layers.Layer):
    def __init__(self, filters, **kw):
        super().__init__(**kw)
        self.c1, self.n1 = Conv(filters, 3), Norm()
        self.c2, self.n2 = Conv(filters, 3), Norm()

    def call(self, x, training=False):
        h = tf.nn.relu(self.n1(self.c1(x), training=training))
        return tf.nn.relu(x + self.n2(self.c2(h), training=training))


class Segmenter(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.stem = Conv(64, 7)
        self.blocks = [Residual(64) for _ in range(6)]
        self.head = Conv(classes, 1, dtype="float32")

    def call(self, x, training=False):
        x = self.stem(x)
        for b in self.blocks:
            x = b(x, training=training)
        return self.head(x)


class Tiles:
    def __init__(self, root, batch):
        self.root, self.batch = root, batch

    @staticmethod
    def to_chw(image):
        return tf.experimental.numpy.moveaxis(image, -1, 0)

    def read(self, path):
        image = tf.io.decode_png(tf.io.read_file(path), channels=3)
        mask = tf.io.decode_png(tf.io.read_file(tf.strings.regex_replace(path, "/img/", "/mask/")))
        image = tf.image.convert_image_dtype(tf.ensure_shape(image, [256, 256, 3]), tf.float32)
        mask = tf.ensure_shape(mask, [256, 256, 1])
        return self.to_chw(image), mask[..., 0]

    def build(self):
        ds = tf.data.Dataset.list_files(f"{self.root}/img/*.png", shuffle=True)
        ds = ds.map(self.read, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.shuffle(1000).batch(self.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def loss(y, logits):
    logits = tf.transpose(logits, [0, 2, 3, 1])
    return tf.keras.losses.sparse_categorical_crossentropy(y, logits, from_logits=True)


if __name__ == "__main__":
    tf.keras.mixed_precision.set_global_policy("mixed_float16")
    with tf.distribute.MirroredStrategy().scope():
        model = Segmenter(21)
        model.compile("adam", loss)
    model.fit(Tiles("/data/landcover", 64).build(), epochs=40)
