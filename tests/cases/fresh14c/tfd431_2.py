import abc

import tensorflow as tf


class Backbone(abc.ABC):
    def __init__(self, side, outputs):
        self.side = side
        self.outputs = outputs

    def stem(self, inputs):
        return tf.keras.layers.Rescaling(scale=1.0 / 255)(inputs)

    @abc.abstractmethod
    def body(self, x):
        ...

    def build(self):
        inputs = tf.keras.Input([self.side, self.side, 3])
        x = self.body(self.stem(inputs))
        x = tf.keras.layers.GlobalAveragePooling2D()(x)
        return tf.keras.Model(inputs, tf.keras.layers.Dense(self.outputs)(x))


class SmallNet(Backbone):
    def body(self, x):
        for width in (32, 64, 128):
            x = tf.keras.layers.SeparableConv2D(width, 3, padding="same", activation="relu")(x)
            x = tf.keras.layers.MaxPool2D()(x)
        return x


class TileRecords:
    spec = {
        "tile": tf.io.FixedLenFeature([], tf.string),
        "crop": tf.io.FixedLenFeature([], tf.int64),
    }

    def __init__(self, side, batch_size):
        self.side = side
        self.batch_size = batch_size

    def decode(self, record):
        ex = tf.io.parse_single_example(record, self.spec)
        tile = tf.io.decode_png(ex["tile"], channels=3)
        return tf.ensure_shape(tile, [self.side, self.side, 3]), ex["crop"]

    def to_unit(self, tiles, crops):
        return tf.cast(tiles, tf.float32) / 255.0, crops

    def load(self, pattern, training):
        files = tf.data.Dataset.list_files(pattern, shuffle=training)
        ds = files.interleave(
            tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=not training
        )
        if training:
            ds = ds.shuffle(8192)
        ds = ds.map(self.decode, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch_size, drop_remainder=training)
        ds = ds.map(self.to_unit, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


def main():
    records = TileRecords(side=64, batch_size=256)
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        model = SmallNet(records.side, outputs=17).build()
        model.compile(
            optimizer=tf.keras.optimizers.Adam(3e-4),
            loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            metrics=["accuracy"],
        )
    model.fit(
        records.load("gs://crops/train-*.tfrecord", True),
        validation_data=records.load("gs://crops/valid-*.tfrecord", False),
        epochs=40,
    )


if __name__ == "__main__":
    main()
