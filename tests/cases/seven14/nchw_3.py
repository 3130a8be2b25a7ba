"""Defect detection with a fluent builder; GPU with mixed precision."""
import functools

import tensorflow as tf

tf.keras.mixed_precision.set_global_policy("mixed_float16")


class Defects:
    def __init__(self, pattern):
        self.ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)

    def _map(self, fn):
        self.ds = self.ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def decode(self):
        def fn(raw):
            ex = tf.io.parse_single_example(raw, {
                "img": tf.io.FixedLenFeature([], tf.string), "bad": tf.io.FixedLenFeature([], tf.float32)})
            img = tf.image.resize(tf.io.decode_png(ex["img"], channels=3), [320, 320])
            return img, ex["bad"]
        return self._map(fn)

    def cache(self, where):
        self.ds = self.ds.cache(where)
        return self

    def batch(self, n):
        self.ds = self.ds.shuffle(2000).batch(n, drop_remainder=True)
        return self

    def channels_to_front(self):
        return self._map(lambda x, y: (tf.transpose(x / 255.0, perm=(0, 3, 1, 2)), y))

    def done(self):
        return self.ds.prefetch(tf.data.AUTOTUNE)


Sep = functools.partial(tf.keras.layers.SeparableConv2D, padding="same", activation="relu",
                        data_format="channels_first")
Pool = functools.partial(tf.keras.layers.MaxPooling2D, data_format="channels_first")


def network():
    inp = tf.keras.Input((3, 320, 320))
    x = tf.keras.layers.Conv2D(32, 7, 2, data_format="channels_first", activation="relu")(inp)
    for w in (64, 128, 256):
        x = Pool(2)(Sep(w, 3)(x))
    x = tf.keras.layers.GlobalAveragePooling2D(data_format="channels_first")(x)
    return tf.keras.Model(inp, tf.keras.layers.Dense(1, dtype="float32")(x))


train = (Defects("/data/fab/train-*.tfrecord")
         .decode().cache("/nvme/fab")
         .batch(48)
         .channels_to_front()
         .done())
model = network()
model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True), [tf.keras.metrics.AUC(from_logits=True)])
model.fit(train, epochs=50)
