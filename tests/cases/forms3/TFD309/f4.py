import tensorflow as tf


class ShardedImages:
    def __init__(self, pattern, hosts, host_id):
        self.pattern = pattern
        self.hosts = hosts
        self.host_id = host_id

    def _decode(self, record):
        ex = tf.io.parse_single_example(record, {
            "png": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64),
        })
        image = tf.io.decode_png(ex["png"], channels=3)
        return tf.image.resize(image, (128, 128)) / 255.0, ex["label"]

    def build(self, batch):
        files = tf.io.gfile.glob(self.pattern)
        ds = tf.data.TFRecordDataset(sorted(files), num_parallel_reads=8)
        if self.hosts > 1:
            ds = ds.shard(self.hosts, self.host_id)
        ds = ds.shuffle(5000).map(self._decode, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(batch).prefetch(tf.data.AUTOTUNE)


images = ShardedImages("imagenet/train-*", hosts=16, host_id=3)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1000, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(images.build(256), epochs=2)
