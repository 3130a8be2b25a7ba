import os

import tensorflow as tf

AUTO = tf.data.AUTOTUNE


def images(root, batch, size=224):
    paths = tf.io.gfile.glob(os.path.join(root, "*", "*.jpg"))
    names = tf.constant(sorted({p.split(os.sep)[-2] for p in paths}))

    def load(path):
        img = tf.image.resize(tf.io.decode_jpeg(tf.io.read_file(path), channels=3), (size, size))
        return img, tf.argmax(tf.cast(names == tf.strings.split(path, os.sep)[-2], tf.int32))

    ds = tf.data.Dataset.from_tensor_slices(paths).shuffle(len(paths))
    return ds.map(load, num_parallel_calls=AUTO).batch(batch, drop_remainder=True).prefetch(AUTO)


class Trainer:
    def __init__(self, model, optimizer, logdir, profile_range=(100, 120)):
        self.model = model
        self.optimizer = optimizer
        self.logdir = logdir
        self.profile_range = profile_range
        self.loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def fit(self, ds, epochs):
        step = 0
        for epoch in range(epochs):
            for x, y in ds:
                if step == self.profile_range[0]:
                    tf.profiler.experimental.start(self.logdir)
                with tf.profiler.experimental.Trace("train", step_num=step, _r=1):
                    loss = self.train_step(x, y)
                if step == self.profile_range[1]:
                    tf.profiler.experimental.stop()
                step += 1
            print(f"epoch {epoch} loss {float(loss):.4f}")


def main():
    ds = images("/data/food101/train", 64)
    model = tf.keras.applications.EfficientNetB0(weights=None, classes=101, classifier_activation=None)
    Trainer(model, tf.keras.optimizers.Adam(1e-3), "/tmp/tb/food101").fit(ds, epochs=10)


if __name__ == "__main__":
    main()
