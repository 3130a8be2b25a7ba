import tensorflow as tf

SIZE = 96
N_IMAGES = 40_000      # 40,000 x 96 x 96 x 3 bytes = 1.1 GB when decoded


def from_records(pattern):
    return tf.data.Dataset.list_files(pattern).interleave(
        tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE)


def decoded(ds):
    def fn(record):
        ex = tf.io.parse_single_example(record, {
            "img": tf.io.FixedLenFeature([], tf.string),
            "age": tf.io.FixedLenFeature([], tf.float32)})
        img = tf.io.decode_png(ex["img"], channels=3)
        img = tf.image.resize(img, (SIZE, SIZE), method="area")
        return tf.cast(img, tf.uint8), ex["age"]

    return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


def augmented(ds):
    def fn(img, age):
        img = tf.image.random_flip_left_right(img)
        return tf.cast(tf.image.random_brightness(img, 0.2), tf.float32) / 255.0, age

    return ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


def batched(ds, n=128):
    return ds.batch(n, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def age_pipeline():
    return (
        from_records("/archive/utk/*.tfrecord")
        .cache("/local_ssd/utk_cache")
        .shuffle(N_IMAGES)
        .apply(decoded)
        .apply(augmented)
        .apply(batched)
    )


class AgeNet(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.body = tf.keras.applications.MobileNetV2(
            include_top=False, weights=None, pooling="avg", input_shape=(SIZE, SIZE, 3))
        self.out = tf.keras.layers.Dense(1)

    def call(self, x, training=False):
        return self.out(self.body(x, training=training))


if __name__ == "__main__":
    net = AgeNet()
    net.compile(tf.keras.optimizers.Adam(1e-3), "mae")
    net.fit(age_pipeline(), epochs=120, verbose=2)
    net.save_weights("age.weights.h5")
