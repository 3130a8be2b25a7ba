"""CT slice classification with a fluent dataset builder."""
import tensorflow as tf


class SliceSet:
    """Chainable description of an input pipeline."""

    def __init__(self, ds, training=True):
        self.ds = ds
        self.training = training

    @classmethod
    def from_shards(cls, pattern, training=True):
        files = tf.data.Dataset.list_files(pattern, shuffle=training)
        ds = files.interleave(
            lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"),
            cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE)
        return cls(ds, training)

    def decoded(self):
        def parse(raw):
            ex = tf.io.parse_single_example(raw, {
                "png": tf.io.FixedLenFeature([], tf.string),
                "y": tf.io.FixedLenFeature([], tf.float32)})
            img = tf.io.decode_png(ex["png"], channels=1, dtype=tf.uint16)
            return tf.image.resize(img, [256, 256]), ex["y"]
        self.ds = self.ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def cached(self, path):
        self.ds = self.ds.cache(path)
        return self

    def shuffled(self, n):
        if self.training:
            self.ds = self.ds.shuffle(n)
        return self

    def batched(self, n):
        self.ds = self.ds.batch(n, drop_remainder=self.training)
        return self

    def prefetched(self, n=tf.data.AUTOTUNE):
        self.ds = self.ds.prefetch(n)
        return self

    def build(self):
        return self.ds


def train(model, epochs=30):
    train_ds = (SliceSet.from_shards("/mnt/ct/train-*.gz")
                .decoded()
                .cached("/scratch/ct_train")
                .shuffled(4096)
                .batched(32)
                .build())
    model.fit(train_ds, epochs=epochs)


if __name__ == "__main__":
    net = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 5, strides=2, activation="relu", input_shape=(256, 256, 1)),
        tf.keras.layers.Conv2D(64, 3, strides=2, activation="relu"),
        tf.keras.layers.GlobalMaxPooling2D(),
        tf.keras.layers.Dense(1)])
    net.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    train(net)
