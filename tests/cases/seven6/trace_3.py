import logging

import tensorflow as tf

log = logging.getLogger(__name__)


class ProfilingTrainer:
    """Trains the denoiser and profiles steps [first, last)."""

    def __init__(self, model, optimizer, logdir, profile_steps=(100, 106)):
        self.model = model
        self.optimizer = optimizer
        self.logdir = logdir
        self.first, self.last = profile_steps
        self.step = 0

    @tf.function
    def _update(self, noisy, clean):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(noisy, training=True) - clean))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def train_on(self, batch):
        with tf.profiler.experimental.Trace("denoise", step_num=self.step, _r=1):
            return self._update(*batch)

    def run(self, dataset, epochs):
        for epoch in range(epochs):
            for batch in dataset:
                if self.step == self.first:
                    tf.profiler.experimental.start(self.logdir)
                loss = self.train_on(batch)
                self.step += 1
                if self.step == self.last:
                    tf.profiler.experimental.stop()
            log.info("epoch %d, loss %.5f", epoch, loss.numpy())


def patches(pattern, batch_size):
    def corrupt(path):
        img = tf.io.decode_png(tf.io.read_file(path), channels=1)
        img = tf.image.random_crop(tf.image.convert_image_dtype(img, tf.float32), (64, 64, 1))
        return img + tf.random.normal((64, 64, 1), stddev=0.1), img

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.shuffle(5000).map(corrupt, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def dncnn(depth=17):
    inp = x = tf.keras.Input((None, None, 1))
    for _ in range(depth - 1):
        x = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, inp - tf.keras.layers.Conv2D(1, 3, padding="same")(x))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    trainer = ProfilingTrainer(dncnn(), tf.keras.optimizers.Adam(1e-3), "logs/dncnn")
    trainer.run(patches("/data/bsd/train/*.png", 128), epochs=50)
