import tensorflow as tf


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


class Trainer:
    def __init__(self, dataset):
        self.batches = iter(dataset)
        self.model = tf.keras.Sequential([
            tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
            tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
        ])
        self.opt = tf.keras.optimizers.Adam()

    @tf.function
    def step(self, images):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(images, training=True) - images))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))

    def run(self, steps):
        for number in range(steps):
            if number == 0:
                tf.profiler.experimental.start("/logs/xray")
            with tf.profiler.experimental.Trace("step", step_num=number, _r=1):
                self.step(next(self.batches))
            if number == 7:
                tf.profiler.experimental.stop()


ds = tf.data.Dataset.list_files("/data/xray/*.png").repeat()
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16).prefetch(tf.data.AUTOTUNE)
Trainer(ds).run(10_000)
