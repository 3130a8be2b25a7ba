"""Data module with its own tf.data.Options; training under MirroredStrategy."""
import tensorflow as tf


class TrafficSigns:
    def __init__(self, pattern, side=64, batch=512, reproducible=False):
        self.pattern, self.side, self.batch = pattern, side, batch
        self.reproducible = reproducible

    def options(self):
        opts = tf.data.Options()
        opts.deterministic = self.reproducible
        opts.autotune.enabled = False
        opts.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
        return opts

    def parse(self, raw):
        ex = tf.io.parse_single_example(raw, {"image": tf.io.FixedLenFeature([], tf.string),
                                              "sign": tf.io.FixedLenFeature([], tf.int64)})
        image = tf.io.decode_png(ex["image"], channels=3)
        return tf.image.resize(image, [self.side, self.side]) / 255.0, ex["sign"]

    def train(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
        return ds.with_options(self.options())


def network(side, classes=43):
    layers = tf.keras.layers
    return tf.keras.Sequential([
        layers.Input((side, side, 3)),
        layers.Conv2D(64, 5, activation="relu"), layers.MaxPooling2D(),
        layers.Conv2D(128, 3, activation="relu"), layers.MaxPooling2D(),
        layers.Flatten(), layers.Dense(256, activation="relu"), layers.Dense(classes, activation="softmax"),
    ])


if __name__ == "__main__":
    module = TrafficSigns("/data/gtsrb/train-*.tfrecord")
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        net = network(module.side)
        net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    net.fit(module.train(), epochs=25)
