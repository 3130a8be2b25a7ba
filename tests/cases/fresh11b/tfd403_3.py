import tensorflow as tf


class Loader:
    def __init__(self, files, batch_size):
        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000).map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        self._ds = ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)
        self._it = iter(self._ds)

    @staticmethod
    def _parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "x": tf.io.FixedLenFeature([128], tf.float32),
            "y": tf.io.FixedLenFeature([], tf.float32)})
        return ex["x"], ex["y"]

    def get_batch(self):
        try:
            return next(self._it)
        except StopIteration:
            self._it = iter(self._ds)
            return next(self._it)


def train(model, loader, steps):
    opt = tf.keras.optimizers.SGD(0.01)

    @tf.function
    def update(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(y - model(x, training=True)[:, 0]))
        grads = tape.gradient(loss, model.trainable_variables)
        opt.apply_gradients(zip(grads, model.trainable_variables))
        return loss

    for step in range(steps):
        loss = update(*loader.get_batch())
        if step % 200 == 0:
            tf.print(step, loss)


if __name__ == "__main__":
    net = tf.keras.Sequential([tf.keras.Input((128,)), tf.keras.layers.Dense(64, "relu"), tf.keras.layers.Dense(1)])
    train(net, Loader(tf.io.gfile.glob("/data/reg/train-*"), 256), 30_000)
