"""Two-tower retrieval on click logs."""
from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("logs", "gs://clicks/2024/part-*.tfrecord.gz", "records")
flags.DEFINE_integer("batch", 4096, "batch size")


def log_schema():
    schema = {name: tf.io.FixedLenFeature([], tf.int64)
              for name in ("user_id", "item_id", "hour", "weekday")}
    schema["history"] = tf.io.FixedLenFeature([50], tf.int64)
    schema["title_embedding"] = tf.io.FixedLenFeature([768], tf.float32)
    schema["image_embedding"] = tf.io.FixedLenFeature([2048], tf.float32)
    schema["price"] = tf.io.FixedLenFeature([], tf.float32)
    return schema


def clicks():
    schema = log_schema()
    files = tf.data.Dataset.list_files(FLAGS.logs)
    ds = files.interleave(lambda f: tf.data.TFRecordDataset(f, compression_type="GZIP"),
                          cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(500_000).batch(FLAGS.batch, drop_remainder=True)
    ds = ds.map(lambda rows: tf.io.parse_example(rows, schema), num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


class TwoTower(tf.keras.Model):
    def __init__(self):
        super().__init__()
        self.users = tf.keras.layers.Embedding(2_000_000, 64)
        self.items = tf.keras.layers.Embedding(400_000, 64)
        self.mix = tf.keras.layers.Dense(64)

    def call(self, row):
        seen = tf.reduce_mean(self.items(row["history"]), axis=1)
        query = self.mix(tf.concat([self.users(row["user_id"]), seen], -1))
        return tf.matmul(query, self.items(row["item_id"]), transpose_b=True)

    def train_step(self, row):
        with tf.GradientTape() as tape:
            logits = self(row, training=True)
            labels = tf.range(tf.shape(logits)[0])
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits))
        self.optimizer.apply_gradients(
            zip(tape.gradient(loss, self.trainable_variables), self.trainable_variables))
        return {"loss": loss}


def main(_):
    model = TwoTower()
    model.compile(optimizer=tf.keras.optimizers.Adagrad(0.05))
    model.fit(clicks(), epochs=3)


if __name__ == "__main__":
    app.run(main)
