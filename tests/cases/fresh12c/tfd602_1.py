"""Fundus vessel segmentation with subclassed blocks."""
import tensorflow as tf
from tensorflow.keras import layers


class Down(layers.Layer):
    def __init__(self, width, **kw):
        super().__init__(**kw)
        self.norm = layers.BatchNormalization()
        self.conv = layers.Conv2D(width, 3, padding="same")
        self.pool = layers.MaxPooling2D()

    def call(self, x, training=None):
        skip = tf.nn.relu(self.norm(self.conv(x), training=training))
        return self.pool(skip), skip


class Up(layers.Layer):
    def __init__(self, width, **kw):
        super().__init__(**kw)
        self.up = layers.UpSampling2D(interpolation="bilinear")
        self.conv = layers.Conv2D(width, 3, padding="same", activation="relu")

    def call(self, x, skip):
        return self.conv(tf.concat([self.up(x), skip], -1))


class VesselNet(tf.keras.Model):
    def __init__(self, widths=(32, 64, 128)):
        super().__init__()
        self.downs = [Down(w) for w in widths]
        self.ups = [Up(w) for w in reversed(widths)]
        self.head = layers.Conv2D(1, 1)

    def call(self, x, training=None):
        skips = []
        for d in self.downs:
            x, s = d(x, training=training)
            skips.append(s)
        for u, s in zip(self.ups, reversed(skips)):
            x = u(x, s)
        return self.head(x)


def patches(pattern):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {k: tf.io.FixedLenFeature([], tf.string) for k in ("img", "mask")})
        img = tf.ensure_shape(tf.io.decode_png(ex["img"], 3), (256, 256, 3))
        mask = tf.ensure_shape(tf.io.decode_png(ex["mask"], 1), (256, 256, 1))
        return tf.cast(img, tf.float32) / 255.0, tf.cast(mask > 0, tf.float32)

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(2000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(16, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


net = VesselNet()
net.compile("adam", tf.keras.losses.BinaryFocalCrossentropy(from_logits=True))
net.fit(patches("/data/fundus/train-*.tfrecord"), epochs=50)
