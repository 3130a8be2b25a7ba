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

    def profile(self, first, count):
        for _ in range(first):
            self.step(next(self.batches))
        with tf.profiler.experimental.Profile("/logs/xray"):
            for number in range(first, first + count):
                images = next(self.batches)
                with tf.profiler.experimental.Trace("step", step_num=number, _r=1):
                    self.step(images)


ds = tf.data.Dataset.list_files("/data/xray/*.png").repeat()
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16).prefetch(tf.data.AUTOTUNE)
Trainer(ds).profile(first=50, count=8)
