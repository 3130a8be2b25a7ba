import tensorflow as tf

SPEC = {"x": tf.io.FixedLenFeature([100], tf.float32), "y": tf.io.FixedLenFeature([], tf.int64)}


class Mlp(tf.keras.Model):
    def __init__(self, width, classes):
        super().__init__()
        self.hidden = tf.keras.layers.Dense(width)
        self.norm = tf.keras.layers.BatchNormalization()
        self.out = tf.keras.layers.Dense(classes)

    def call(self, x, training=False):
        h = self.hidden(x)
        h = self.norm(h, training=training)
        return self.out(tf.nn.relu(h))


def parse(batch):
    f = tf.io.parse_example(batch, SPEC)
    return f["x"], f["y"]


files = tf.data.Dataset.list_files("/data/ads/*.tfrecord")
ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(50_000).batch(512)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
model = Mlp(256, 40)
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=3)
