"""Two-tower retrieval; interactions are in 512 shards on Cloud Storage."""
import tensorflow as tf
import keras


class InteractionReader:
    SPEC = {
        "user_id": tf.io.FixedLenFeature([], tf.int64),
        "item_id": tf.io.FixedLenFeature([], tf.int64),
        "history": tf.io.FixedLenFeature([50], tf.int64),
    }

    def __init__(self, bucket, batch_size=4096):
        self.bucket = bucket
        self.batch_size = batch_size

    def _shard(self, name):
        return tf.data.TFRecordDataset(name, compression_type="GZIP", buffer_size=8 << 20)

    def _parse(self, batch):
        return tf.io.parse_example(batch, self.SPEC)

    def read(self, split):
        shards = tf.data.Dataset.list_files(f"gs://{self.bucket}/{split}/part-*.gz")
        ds = shards.interleave(self._shard, cycle_length=16, block_length=64)
        ds = ds.shuffle(500_000).batch(self.batch_size, drop_remainder=True)
        ds = ds.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.prefetch(tf.data.AUTOTUNE)


class TwoTower(keras.Model):
    def __init__(self, users, items, dim=64):
        super().__init__()
        self.users = keras.layers.Embedding(users, dim)
        self.items = keras.layers.Embedding(items, dim)
        self.mix = keras.layers.Dense(dim)

    def call(self, batch):
        past = tf.reduce_mean(self.items(batch["history"]), axis=1)
        query = self.mix(tf.concat([self.users(batch["user_id"]), past], -1))
        return tf.matmul(query, self.items(batch["item_id"]), transpose_b=True)

    def train_step(self, batch):
        with tf.GradientTape() as tape:
            logits = self(batch)
            labels = tf.range(tf.shape(logits)[0])
            loss = tf.reduce_mean(
                tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits))
        grads = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(grads, self.trainable_variables)
        return {"loss": loss}


if __name__ == "__main__":
    model = TwoTower(3_000_000, 400_000)
    model.compile(optimizer=keras.optimizers.Adagrad(0.05))
    model.fit(InteractionReader("acme-interactions").read("train"), epochs=3)
