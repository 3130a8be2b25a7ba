import tensorflow as tf


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


def network():
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
        tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
    ])


class Ensemble:
    def __init__(self, count):
        self.models = [network() for _ in range(count)]
        self.optimizers = [tf.keras.optimizers.Adam() for _ in range(count)]
        self.steps = [tf.function(self.make_step(i)) for i in range(count)]

    def make_step(self, i):
        def step(images):
            model = self.models[i]
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(images, training=True) - images))
            grads = tape.gradient(loss, model.trainable_variables)
            self.optimizers[i].apply_gradients(zip(grads, model.trainable_variables))
        return step

    def run(self, dataset):
        for images in dataset:
            for i, step in enumerate(self.steps):
                with tf.device(f"/GPU:{i}"):
                    step(images)


ds = tf.data.Dataset.list_files("/data/xray/*.png").repeat(10)
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE).batch(16).prefetch(tf.data.AUTOTUNE)
Ensemble(4).run(ds)
