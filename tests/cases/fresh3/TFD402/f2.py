import tensorflow as tf


class Pipeline:
    def __init__(self, files):
        self.files = files
        self.configure()

    def configure(self):
        self.options = None

    def parse(self, records):
        d = tf.io.parse_example(records, {
            "ids": tf.io.FixedLenFeature([50], tf.int64), "label": tf.io.FixedLenFeature([], tf.float32)})
        return d["ids"], d["label"]

    def build(self, batch):
        ds = tf.data.TFRecordDataset(self.files)
        ds = ds.shuffle(20000).batch(batch)
        return ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


class ShardedPipeline(Pipeline):
    def configure(self):
        self.options = tf.data.Options()
        self.options.experimental_distribute.auto_shard_policy = (
            tf.data.experimental.AutoShardPolicy.FILE)


strategy = tf.distribute.MirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(10000, 32),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(1, activation="sigmoid"),
    ])
    model.compile("adam", "binary_crossentropy")
pipeline = ShardedPipeline(sorted(tf.io.gfile.glob("tweets-*.rec")))
model.fit(pipeline.build(256), epochs=5)
