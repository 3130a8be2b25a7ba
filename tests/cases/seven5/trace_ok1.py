"""Point-cloud classifier with a profile of ten steps."""
import tensorflow as tf
import keras


class Runner:
    def __init__(self, model, dataset, logdir):
        self.model = model
        self.iterator = iter(dataset)
        self.logdir = logdir
        self.optimizer = keras.optimizers.Adam(1e-3)
        self.loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, points, label):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(label, self.model(points, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply(grads, self.model.trainable_variables)
        return loss

    def run(self, steps, first=400, last=409):
        for step in range(steps):
            if step == first:
                tf.profiler.experimental.start(self.logdir)
            with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                points, label = next(self.iterator)
                loss = self.train_step(points, label)
            if step == last:
                tf.profiler.experimental.stop()
            if step % 1000 == 0:
                print(step, float(loss))


def parse(batch):
    ex = tf.io.parse_example(batch, {
        "points": tf.io.FixedLenFeature([2048, 3], tf.float32),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["points"], ex["label"]


def main():
    files = tf.data.Dataset.list_files("/data/modelnet/train-*.tfrecord")
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4000).repeat().batch(64, drop_remainder=True)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)
    net = keras.Sequential([
        keras.Input((2048, 3)),
        keras.layers.Conv1D(64, 1, activation="relu"),
        keras.layers.Conv1D(1024, 1, activation="relu"),
        keras.layers.GlobalMaxPooling1D(),
        keras.layers.Dense(40),
    ])
    Runner(net, ds, "/logs/pointnet").run(50_000)


if __name__ == "__main__":
    main()
