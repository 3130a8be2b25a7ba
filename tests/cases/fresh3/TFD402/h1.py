import tensorflow as tf


class Pipeline:
    def __init__(self, files):
        self.files = files
        self.options = tf.data.Options()
        self.configure()

    def configure(self):
        pass

    def parse(self, records):
        d = tf.io.parse_example(records, {
            "ids": tf.io.FixedLenFeature([50], tf.int64), "label": tf.io.FixedLenFeature([], tf.float32)})
        return d["ids"], d["label"]

    def build(self, batch):
        ds = tf.data.TFRecordDataset(self.files)
        ds = ds.shuffle(20000).batch(batch)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
        return ds.with_options(self.options)


class ShardedPipeline(Pipeline):
    def configure(self):
        self.options.experimental_distribute.auto_shard_policy = (
            tf.data.experimental.AutoShardPolicy.DATA)


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
