from absl import app, flags
import tensorflow as tf

FLAGS = flags.FLAGS
flags.DEFINE_string("files", "/data/gestures/*.tfrecord", "Records.")
flags.DEFINE_integer("epochs", 20, "Passes over the data.")
flags.DEFINE_integer("batch_size", 64, "Examples in a step.")


class Trainer:
    def __init__(self, model, dataset):
        self.model = model
        self.batches = iter(dataset)
        self.optimizer = tf.keras.optimizers.Adam()
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.loss = tf.keras.metrics.Mean()

    @tf.function
    def _step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.loss.update_state(loss)

    def run_epoch(self):
        self.loss.reset_state()
        for x, y in self.batches:
            self._step(x, y)
        return float(self.loss.result())

    def run(self, epochs):
        for epoch in range(epochs):
            print(f"epoch {epoch}: {self.run_epoch():.4f}")


def parse(rows):
    row = tf.io.parse_example(
        rows,
        {"xyz": tf.io.FixedLenFeature([128, 3], tf.float32), "kind": tf.io.FixedLenFeature([], tf.int64)},
    )
    return row["xyz"], row["kind"]


def make_dataset():
    ds = tf.data.Dataset.list_files(FLAGS.files)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000).batch(FLAGS.batch_size)
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def main(_):
    model = tf.keras.Sequential([
        tf.keras.layers.GRU(64), tf.keras.layers.Dense(8),
    ])
    Trainer(model, make_dataset()).run(FLAGS.epochs)


if __name__ == "__main__":
    app.run(main)
