"""Object attribute classifier: custom loop with tqdm."""
import tensorflow as tf
from tqdm import tqdm


class Attributes:
    def __init__(self, pattern, n_attr=40, batch=128):
        self.pattern, self.batch = pattern, batch
        base = tf.keras.applications.MobileNetV2(include_top=False, weights=None, pooling="avg",
                                                 input_shape=(192, 160, 3))
        self.net = tf.keras.Model(base.input, tf.keras.layers.Dense(n_attr)(base.output))
        self.opt = tf.keras.optimizers.Adam(1e-3)
        self.bce = tf.keras.losses.BinaryCrossentropy(from_logits=True)
        self.mean = tf.keras.metrics.Mean()

    def parse(self, rec):
        ex = tf.io.parse_single_example(rec, {
            "jpg": tf.io.FixedLenFeature([], tf.string),
            "attr": tf.io.FixedLenFeature([40], tf.float32),
        })
        img = tf.image.resize(tf.io.decode_jpeg(ex["jpg"], channels=3), (192, 160))
        return img / 127.5 - 1.0, ex["attr"]

    def data(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
        ds = ds.shuffle(4096).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.bce(y, self.net(x, training=True))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))
        self.mean.update_state(loss)

    def show(self, bar):
        bar.set_postfix(loss=f"{self.mean.result().numpy():.4f}")

    def fit(self, epochs):
        ds = self.data()
        for epoch in range(epochs):
            self.mean.reset_state()
            bar = tqdm(ds, desc=f"epoch {epoch}")
            for x, y in bar:
                self.train_step(x, y)
                self.show(bar)
            self.net.save(f"/ckpt/attr_{epoch:03d}.keras")


if __name__ == "__main__":
    Attributes("/data/celeba/train-*.tfrecord").fit(20)
