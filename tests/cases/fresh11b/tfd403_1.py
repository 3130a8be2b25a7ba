import tensorflow as tf


class Loader:
    def __init__(self, files, batch_size):
        ds = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000).repeat().map(self._parse, num_parallel_calls=tf.data.AUTOTUNE)
        self._ds = ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    @staticmethod
    def _parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "png": tf.io.FixedLenFeature([], tf.string),
            "y": tf.io.FixedLenFeature([], tf.int64)})
        img = tf.io.decode_png(ex["png"], channels=3)
        img.set_shape([64, 64, 3])
        return tf.cast(img, tf.float32) / 255.0, ex["y"]

    def get_batch(self):
        return next(iter(self._ds))


class Trainer:
    def __init__(self, model, loader, steps):
        self.model, self.loader, self.steps = model, loader, steps
        self.opt = tf.keras.optimizers.Adam(1e-3)
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def update(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def run(self):
        for step in range(self.steps):
            x, y = self.loader.get_batch()
            loss = self.update(x, y)
            if step % 100 == 0:
                tf.print(step, loss)


if __name__ == "__main__":
    net = tf.keras.Sequential([tf.keras.Input((64, 64, 3)), tf.keras.layers.Conv2D(32, 3), tf.keras.layers.Flatten(),
                               tf.keras.layers.Dense(200)])
    Trainer(net, Loader(tf.io.gfile.glob("/data/tiny/train-*"), 128), 50_000).run()
