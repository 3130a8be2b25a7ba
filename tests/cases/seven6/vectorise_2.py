"""Click prediction on Criteo-like TFRecords with a custom loop."""
import tensorflow as tf
from absl import app, flags

flags.DEFINE_string("train", "/data/criteo/train-*.tfrecord", "")
flags.DEFINE_integer("batch_size", 8192, "")
flags.DEFINE_integer("steps", 400000, "")
FLAGS = flags.FLAGS
AUTO = tf.data.AUTOTUNE

SCHEMA = {"click": tf.io.FixedLenFeature([], tf.int64)}
SCHEMA.update({f"i{n}": tf.io.FixedLenFeature([], tf.float32, 0.0) for n in range(1, 14)})
SCHEMA.update({f"c{n}": tf.io.FixedLenFeature([], tf.int64, 0) for n in range(1, 27)})


def parse_one(serialized):
    features = tf.io.parse_single_example(serialized, SCHEMA)
    click = tf.cast(features.pop("click"), tf.float32)
    for n in range(1, 14):
        features[f"i{n}"] = tf.math.log1p(tf.nn.relu(features[f"i{n}"]))
    return features, click


def input_fn():
    files = tf.data.Dataset.list_files(FLAGS.train)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=32,
                          num_parallel_calls=AUTO, deterministic=False)
    ds = ds.repeat().shuffle(100_000)
    ds = ds.map(parse_one, num_parallel_calls=AUTO)
    return ds.batch(FLAGS.batch_size, drop_remainder=True).prefetch(AUTO)


class DLRM(tf.keras.Model):
    def __init__(self, vocab=2_000_000, dim=16):
        super().__init__()
        self.tables = [tf.keras.layers.Embedding(vocab, dim) for _ in range(26)]
        self.top = tf.keras.Sequential([tf.keras.layers.Dense(256, "relu"),
                                        tf.keras.layers.Dense(64, "relu"),
                                        tf.keras.layers.Dense(1)])

    def call(self, f):
        dense = tf.stack([f[f"i{n}"] for n in range(1, 14)], axis=1)
        embs = [t(f[f"c{n}"]) for n, t in enumerate(self.tables, 1)]
        return tf.squeeze(self.top(tf.concat([dense] + embs, axis=1)), -1)


def main(_):
    model, opt = DLRM(), tf.keras.optimizers.Adagrad(0.01)

    @tf.function
    def train_step(features, click):
        with tf.GradientTape() as tape:
            logits = model(features)
            loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(click, logits))
        opt.apply_gradients(zip(tape.gradient(loss, model.trainable_variables), model.trainable_variables))
        return loss

    for step, (features, click) in enumerate(input_fn().take(FLAGS.steps)):
        loss = train_step(features, click)
        if step % 1000 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    app.run(main)
