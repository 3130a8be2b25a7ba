import tensorflow as tf
import tensorflow_datasets as tfds

AUTOTUNE = tf.data.AUTOTUNE
LOGDIR = "logs/digits"


def scale(images, labels):
    return tf.cast(images, tf.float32) / 255.0, labels


def digits(batch_size):
    ds = tfds.load("svhn_cropped", split="train", as_supervised=True, shuffle_files=True)
    ds = ds.shuffle(20_000).repeat().batch(batch_size, drop_remainder=True)
    return ds.map(scale, num_parallel_calls=AUTOTUNE).prefetch(AUTOTUNE)


def build():
    return tf.keras.Sequential(
        [
            tf.keras.Input([32, 32, 3]),
            tf.keras.layers.Conv2D(32, 3, activation="relu"),
            tf.keras.layers.MaxPool2D(),
            tf.keras.layers.Conv2D(64, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(10),
        ]
    )


class Loop:
    def __init__(self, model, batches):
        self.model = model
        self.batches = batches
        self.step = 0
        self.optimizer = tf.keras.optimizers.Adam()
        self.loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)

    @tf.function
    def update(self, images, labels):
        with tf.GradientTape() as tape:
            loss = self.loss(labels, self.model(images, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))

    def advance(self, count):
        for _ in range(count):
            with tf.profiler.experimental.Trace("train", step_num=self.step, _r=1):
                self.update(*next(self.batches))
            self.step += 1

    def profile(self, count=5):
        tf.profiler.experimental.start(LOGDIR)
        try:
            self.advance(count)
        finally:
            tf.profiler.experimental.stop()


if __name__ == "__main__":
    loop = Loop(build(), iter(digits(256)))
    loop.advance(50)
    loop.profile()
    loop.advance(5000)
    loop.model.save("digits.keras")
