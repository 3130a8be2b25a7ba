import tensorflow as tf


def load(path):
    image = tf.io.decode_png(tf.io.read_file(path), channels=1)
    return tf.image.resize(image, (256, 256)) / 255.0


class Trainer:
    def __init__(self):
        self.net = tf.keras.Sequential([
            tf.keras.layers.Conv2D(16, 3, strides=2, padding="same", activation="relu"),
            tf.keras.layers.Conv2DTranspose(1, 3, strides=2, padding="same"),
        ])
        self.opt = tf.keras.optimizers.Adam()

    @tf.function(jit_compile=True)
    def update(self, images):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(images, training=True) - images))
        grads = tape.gradient(loss, self.net.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.net.trainable_variables))

    def run(self, dataset, epochs):
        for _ in range(epochs):
            for images in dataset:
                self.update(images)


ds = tf.data.Dataset.list_files("/data/xray/*.png")
ds = ds.map(load, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(16)
Trainer().run(ds.prefetch(tf.data.AUTOTUNE), epochs=20)
