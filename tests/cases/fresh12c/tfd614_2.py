"""Face recognition input pipeline with shared dataset options."""
import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def pipeline_options(training):
    opts = tf.data.Options()
    opts.deterministic = not training
    opts.experimental_optimization.map_parallelization = True
    opts.autotune.enabled = False
    return opts


class FaceData:
    def __init__(self, pattern, side=112, batch=512):
        self.pattern, self.side, self.batch = pattern, side, batch

    def _parse(self, rec):
        ex = tf.io.parse_single_example(rec, {
            "jpeg": tf.io.FixedLenFeature([], tf.string),
            "person": tf.io.FixedLenFeature([], tf.int64),
        })
        img = tf.io.decode_jpeg(ex["jpeg"], channels=3)
        img = tf.image.random_flip_left_right(tf.ensure_shape(img, (self.side, self.side, 3)))
        return (tf.cast(img, tf.float32) - 127.5) / 128.0, ex["person"]

    def __call__(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
        ds = ds.shuffle(50_000).map(self._parse, num_parallel_calls=AUTO)
        ds = ds.batch(self.batch, drop_remainder=True).prefetch(AUTO)
        return ds.with_options(pipeline_options(training=True))


def embedder(n_people, dim=256):
    trunk = tf.keras.applications.ResNet50V2(include_top=False, weights=None, pooling="avg",
                                             input_shape=(112, 112, 3))
    emb = tf.keras.layers.UnitNormalization()(tf.keras.layers.Dense(dim)(trunk.output))
    return tf.keras.Model(trunk.input, tf.keras.layers.Dense(n_people, use_bias=False)(emb * 32.0))


def main():
    strategy = tf.distribute.MirroredStrategy()
    with strategy.scope():
        net = embedder(85_742)
        net.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
                    tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    net.fit(FaceData("/data/ms1m/train-*.tfrecord")(), epochs=16)


if __name__ == "__main__":
    main()
