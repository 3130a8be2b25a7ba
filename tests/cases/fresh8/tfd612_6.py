import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("data", "/data/wikitext/train-*.tfrecord", "tokenized text")
flags.DEFINE_integer("steps", 300_000, "training steps")


class Trainer(tf.Module):
    def __init__(self, vocab):
        super().__init__()
        self.model = tf.keras.Sequential([
            tf.keras.layers.Embedding(vocab, 256),
            tf.keras.layers.LSTM(512, return_sequences=True),
            tf.keras.layers.Dense(vocab),
        ])
        self.optimizer = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(self, tokens):
        with tf.GradientTape() as tape:
            logits = self.model(tokens[:, :-1], training=True)
            loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(
                labels=tokens[:, 1:], logits=logits))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss


def batches(pattern):
    spec = {"tokens": tf.io.FixedLenFeature([257], tf.int64)}
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.experimental.AUTOTUNE)
    ds = ds.shuffle(50_000).repeat().batch(64, drop_remainder=True)
    ds = ds.map(lambda r: tf.io.parse_example(r, spec)["tokens"],
                num_parallel_calls=tf.data.experimental.AUTOTUNE)
    return ds.prefetch(tf.data.experimental.AUTOTUNE)


def main(_):
    tf.config.experimental_run_functions_eagerly(True)
    trainer = Trainer(vocab=30_000)
    for n, tokens in enumerate(batches(FLAGS.data).take(FLAGS.steps)):
        loss = trainer.step(tokens)
        if n % 500 == 0:
            print(n, float(loss))


if __name__ == "__main__":
    app.run(main)
