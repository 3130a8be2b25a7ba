"""Indoor scene recognition on RGB-D records."""
import tensorflow as tf

AUTO = tf.data.AUTOTUNE
SCHEMA = {
    "rgb": tf.io.FixedLenFeature([], tf.string),
    "depth": tf.io.FixedLenFeature([], tf.string),
    "scene": tf.io.FixedLenFeature([], tf.int64),
}


def decode(record):
    ex = tf.io.parse_single_example(record, SCHEMA)
    rgb = tf.ensure_shape(tf.io.decode_jpeg(ex["rgb"], channels=3), (480, 640, 3))
    depth = tf.io.decode_png(ex["depth"], channels=1, dtype=tf.uint16)
    return {"rgb": rgb, "depth": depth, "scene": ex["scene"]}


def to_example(sample):
    image = tf.image.random_crop(sample["rgb"], (448, 448, 3))
    image = tf.image.random_flip_left_right(image)
    return tf.image.convert_image_dtype(image, tf.float32), sample["scene"]


def build_input(pattern, batch):
    shards = tf.data.Dataset.list_files(pattern)
    ds = shards.interleave(tf.data.TFRecordDataset, cycle_length=8, num_parallel_calls=AUTO,
                           deterministic=False)
    ds = ds.shuffle(2048)
    ds = ds.map(decode, num_parallel_calls=AUTO)
    ds = ds.map(to_example, num_parallel_calls=AUTO)
    return ds.batch(batch, drop_remainder=True).prefetch(AUTO)


class SceneNet(tf.keras.Model):
    def __init__(self, n):
        super().__init__()
        self.backbone = tf.keras.applications.ResNet50(include_top=False, weights=None, pooling="avg")
        self.head = tf.keras.layers.Dense(n)

    def call(self, x, training=False):
        return self.head(self.backbone(x, training=training))


net = SceneNet(40)
net.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
            tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
net.fit(build_input("/data/sunrgbd/train-*.tfrecord", 64), epochs=90)
