"""Trainer class that profiles steps 100 to 120."""
import tensorflow as tf


class Trainer:
    first, last, steps = 100, 120, 40_000

    def __init__(self, model, dataset, logdir):
        self.model = model
        self.dataset = dataset
        self.logdir = logdir
        self.optimizer = tf.keras.optimizers.Adam()
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def fit(self):
        iterator = iter(self.dataset)
        for step in range(self.steps):
            if step == self.first:
                tf.profiler.experimental.start(self.logdir)
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                x, y = next(iterator)
                loss = self.train_step(x, y)
            if step == self.last:
                tf.profiler.experimental.stop()
            if step % 500 == 0:
                tf.print(step, loss)


def flowers(pattern, batch_size):
    spec = {"image": tf.io.FixedLenFeature([], tf.string),
            "label": tf.io.FixedLenFeature([], tf.int64)}

    def decode(record):
        row = tf.io.parse_single_example(record, spec)
        image = tf.io.decode_jpeg(row["image"], channels=3)
        return tf.image.resize(image, (224, 224)) / 255.0, row["label"]

    ds = tf.data.Dataset.list_files(pattern, shuffle=True).interleave(
        tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    ds = ds.shuffle(5_000).repeat().map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


if __name__ == "__main__":
    net = tf.keras.applications.ResNet50(weights=None, classes=104, classifier_activation=None)
    Trainer(net, flowers("/data/flowers/*.tfrecord", 64), "/logs/flowers").fit()
