import tensorflow as tf
from absl import app, flags

FLAGS = flags.FLAGS
flags.DEFINE_string("train", "/data/taxi/train.csv", "rides sorted by zone")
flags.DEFINE_integer("batch_size", 512, "batch size")
flags.DEFINE_integer("epochs", 10, "epochs")


class CsvInput:
    def __init__(self, path, columns=18):
        self.path = path
        self.defaults = [0.0] * columns

    def _parse(self, lines):
        fields = tf.io.decode_csv(lines, self.defaults)
        return tf.stack(fields[:-1], axis=-1), fields[-1]

    def batches(self, n):
        lines = tf.data.TextLineDataset(self.path).skip(1)
        return lines.batch(n).map(self._parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(2)


def main(_):
    model = tf.keras.Sequential([
        tf.keras.layers.Input((17,)),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(1),
    ])
    optimizer = tf.keras.optimizers.Adam()

    @tf.function
    def step(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(model(x, training=True)[:, 0] - y))
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    train = CsvInput(FLAGS.train).batches(FLAGS.batch_size)
    for epoch in range(FLAGS.epochs):
        for x, y in train:
            loss = step(x, y)
        print(epoch, float(loss))


if __name__ == "__main__":
    app.run(main)
