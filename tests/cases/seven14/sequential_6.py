"""Training on a weighted mixture of real and rendered drone pictures."""
import tensorflow as tf

SOURCES = {
    "real": {"glob": "/data/drones/real-*.tfrec", "weight": 0.7},
    "rendered": {"glob": "/data/drones/synth-*.tfrec", "weight": 0.3},
}
SIZE = 384


def example(raw):
    ex = tf.io.parse_single_example(raw, {
        "image": tf.io.FixedLenFeature([], tf.string),
        "box": tf.io.FixedLenFeature([4], tf.float32)})
    img = tf.io.decode_image(ex["image"], channels=3, expand_animations=False)
    img.set_shape([None, None, 3])
    img = tf.image.resize(img, [SIZE, SIZE])
    img = tf.image.random_contrast(img, 0.7, 1.3)
    img = tf.image.random_hue(img / 255.0, 0.05)
    return img, ex["box"]


def stream(spec):
    shards = tf.io.gfile.glob(spec["glob"])
    ds = tf.data.TFRecordDataset(shards, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(2048).repeat()
    return ds.map(example, deterministic=False)


def mixture(batch):
    names = sorted(SOURCES)
    ds = tf.data.Dataset.sample_from_datasets(
        [stream(SOURCES[n]) for n in names],
        weights=[SOURCES[n]["weight"] for n in names], seed=5)
    return ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


class BoxNet(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.body = tf.keras.applications.MobileNetV3Large(
            include_top=False, input_shape=(SIZE, SIZE, 3), pooling="avg", include_preprocessing=False)
        self.head = tf.keras.layers.Dense(4, activation="sigmoid")

    def call(self, x, training=False):
        return self.head(self.body(x, training=training))


net = BoxNet()
net.compile(tf.keras.optimizers.SGD(0.02, momentum=0.9), tf.keras.losses.Huber())
net.fit(mixture(64), steps_per_epoch=3000, epochs=30)
