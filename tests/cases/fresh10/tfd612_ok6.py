"""Crop segmentation on Sentinel-2 tiles; one eager dry run before the real training."""
import contextlib

import tensorflow as tf

BANDS, SIZE, CLASSES = 10, 256, 9


@contextlib.contextmanager
def eager_functions():
    tf.config.run_functions_eagerly(True)
    try:
        yield
    finally:
        tf.config.run_functions_eagerly(False)


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "bands": tf.io.FixedLenFeature([], tf.string),
        "mask": tf.io.FixedLenFeature([], tf.string)})
    x = tf.reshape(tf.io.decode_raw(ex["bands"], tf.uint16), (SIZE, SIZE, BANDS))
    y = tf.reshape(tf.io.decode_raw(ex["mask"], tf.uint8), (SIZE, SIZE))
    return tf.cast(x, tf.float32) / 10000.0, y


def tiles(pattern, batch=16):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=8,
                          num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(2000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class Segmenter:
    def __init__(self):
        i = tf.keras.Input((SIZE, SIZE, BANDS))
        x = i
        for ch, d in ((32, 1), (64, 2), (64, 4), (64, 8)):
            x = tf.keras.layers.Conv2D(ch, 3, dilation_rate=d, padding="same",
                                       activation="relu")(x)
        self.net = tf.keras.Model(i, tf.keras.layers.Conv2D(CLASSES, 1)(x))
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.opt = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.net(x, training=True))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        return loss


def main():
    data = tiles("/data/s2crops/train-*.tfrecord")
    seg = Segmenter()
    with eager_functions():
        for x, y in data.take(1):
            loss = seg.step(x, y)
            assert not bool(tf.math.is_nan(loss)), "bad batch"
    for epoch in range(60):
        for x, y in data:
            loss = seg.step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
