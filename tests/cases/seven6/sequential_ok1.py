import tensorflow as tf

PARALLEL = dict(num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
SPEC = {
    "jpeg": tf.io.FixedLenFeature([], tf.string),
    "lat": tf.io.FixedLenFeature([], tf.float32),
    "lon": tf.io.FixedLenFeature([], tf.float32),
}


def parse(raw):
    ex = tf.io.parse_single_example(raw, SPEC)
    image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
    image = tf.image.resize(image, (256, 256))
    image = tf.image.random_crop(image, (224, 224, 3))
    return image, tf.stack([ex["lat"] / 90.0, ex["lon"] / 180.0])


def geo_dataset(split, batch_size):
    shards = tf.io.gfile.glob(f"gs://geoguess/v3/{split}-?????-of-01024")
    ds = tf.data.Dataset.from_tensor_slices(shards).shuffle(len(shards))
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=32, **PARALLEL)
    ds = ds.shuffle(20_000)
    ds = ds.map(parse, **PARALLEL)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class GeoModel(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.backbone = tf.keras.applications.ConvNeXtTiny(
            include_top=False, weights=None, pooling="avg", input_shape=(224, 224, 3))
        self.head = tf.keras.layers.Dense(2, activation="tanh")

    def call(self, x, training=False):
        return self.head(self.backbone(x, training=training))


if __name__ == "__main__":
    model = GeoModel()
    model.compile(tf.keras.optimizers.AdamW(4e-4), "mse")
    model.fit(geo_dataset("train", 256), epochs=30,
              callbacks=[tf.keras.callbacks.BackupAndRestore("/ckpt/geo")])
    model.save_weights("geo.weights.h5")
