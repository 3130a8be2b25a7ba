"""Two-tower retrieval on 90M interactions, single GPU."""
import json
import sys

import tensorflow as tf

DEFAULTS = {
    "shards": "/data/interactions/part-*.tfrecord.gz",
    "batch": 4096,
    "users": 6_000_000,
    "items": 800_000,
    "dim": 64,
    "epochs": 5,
}


class Interactions:
    spec = {"user": tf.io.FixedLenFeature([], tf.int64), "item": tf.io.FixedLenFeature([], tf.int64)}

    def __init__(self, conf):
        self.conf = conf

    def dataset(self):
        files = tf.data.Dataset.list_files(self.conf["shards"])
        ds = files.interleave(
            lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"),
            cycle_length=24, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(1_000_000)
        ds = ds.batch(self.conf["batch"], drop_remainder=True)
        ds = ds.map(lambda b: tf.io.parse_example(b, self.spec),
                    num_parallel_calls=tf.data.AUTOTUNE)
        return ds


class TwoTower(tf.keras.Model):
    def __init__(self, conf):
        super().__init__()
        self.user = tf.keras.layers.Embedding(conf["users"], conf["dim"])
        self.item = tf.keras.layers.Embedding(conf["items"], conf["dim"])

    def call(self, batch):
        return tf.matmul(self.user(batch["user"]), self.item(batch["item"]), transpose_b=True)


class Trainer:
    def __init__(self, conf, device="/gpu:0"):
        self.conf = conf
        self.device = device
        self.model = TwoTower(conf)
        self.opt = tf.keras.optimizers.Adagrad(0.05)

    def to_device(self, ds):
        # Must stay the last transformation: batches land in GPU memory ahead of the step.
        return ds.apply(tf.data.experimental.prefetch_to_device(self.device, buffer_size=2))

    @tf.function
    def step(self, batch):
        with tf.GradientTape() as tape:
            logits = self.model(batch)
            labels = tf.range(tf.shape(logits)[0])
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        tv = self.model.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, tv), tv))
        return loss

    def fit(self):
        feed = self.to_device(Interactions(self.conf).dataset())
        for epoch in range(self.conf["epochs"]):
            for i, batch in enumerate(feed):
                loss = self.step(batch)
                if i % 1000 == 0:
                    print(epoch, i, float(loss))


if __name__ == "__main__":
    conf = dict(DEFAULTS)
    if len(sys.argv) > 1:
        with open(sys.argv[1]) as fh:
            conf.update(json.load(fh))
    Trainer(conf).fit()
