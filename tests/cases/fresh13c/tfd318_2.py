"""Two-tower recommender with a custom train_step."""
import tensorflow as tf


class ClickLog:
    spec = {
        "user_id": tf.io.FixedLenFeature([], tf.int64),
        "item_id": tf.io.FixedLenFeature([], tf.int64),
        "clicked": tf.io.FixedLenFeature([], tf.float32),
        "title_embedding": tf.io.FixedLenFeature([768], tf.float32),
        "title": tf.io.FixedLenFeature([], tf.string),
        "session": tf.io.VarLenFeature(tf.int64),
    }

    def __init__(self, pattern, batch=4096):
        self.pattern, self.batch = pattern, batch

    def __call__(self):
        files = tf.data.Dataset.list_files(self.pattern)
        logs = files.interleave(lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"), cycle_length=16,
                                num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        logs = logs.shuffle(100_000).batch(self.batch, drop_remainder=True)
        logs = logs.map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        return logs.prefetch(tf.data.AUTOTUNE)

    def _parse(self, batch):
        row = tf.io.parse_example(batch, self.spec)
        return (row["user_id"], row["item_id"]), row["clicked"]


class TwoTower(tf.keras.Model):
    def __init__(self, users, items, dim=64):
        super().__init__()
        self.user = tf.keras.Sequential([tf.keras.layers.Embedding(users, dim), tf.keras.layers.Dense(dim)])
        self.item = tf.keras.Sequential([tf.keras.layers.Embedding(items, dim), tf.keras.layers.Dense(dim)])
        self.loss_tracker = tf.keras.metrics.Mean(name="loss")

    def call(self, inputs):
        user, item = inputs
        return tf.reduce_sum(self.user(user) * self.item(item), axis=-1)

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            logits = self(x, training=True)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(y, logits))
        self.optimizer.apply_gradients(zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}

    @property
    def metrics(self):
        return [self.loss_tracker]


if __name__ == "__main__":
    model = TwoTower(5_000_000, 300_000)
    model.compile(optimizer=tf.keras.optimizers.Adagrad(0.05))
    model.fit(ClickLog("/logs/2024-05-*/part-*.gz")(), epochs=2)
