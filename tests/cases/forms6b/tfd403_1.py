import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE


class PairSource:
    """Unpaired images of two domains for a CycleGAN."""

    def __init__(self, root, size=256, batch_size=4):
        self.size = size
        self.batch_size = batch_size
        self.domain_a = self._build(f"{root}/trainA/*.jpg")
        self.domain_b = self._build(f"{root}/trainB/*.jpg")

    def _decode(self, path):
        image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
        image = tf.image.resize(image, [self.size, self.size])
        return image / 127.5 - 1.0

    def _build(self, pattern):
        ds = tf.data.Dataset.list_files(pattern)
        ds = ds.map(self._decode, num_parallel_calls=AUTOTUNE)
        ds = ds.shuffle(512).repeat().batch(self.batch_size, drop_remainder=True)
        return ds.prefetch(AUTOTUNE)

    def sample(self):
        a = next(iter(self.domain_a))
        b = next(iter(self.domain_b))
        return a, b


def make_generator():
    return tf.keras.Sequential([
        tf.keras.layers.Conv2D(64, 7, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu"),
        tf.keras.layers.Conv2D(3, 7, padding="same", activation="tanh"),
    ])


def main(steps=100_000):
    source = PairSource("/data/horse2zebra")
    g, f = make_generator(), make_generator()
    optimizer = tf.keras.optimizers.Adam(2e-4, beta_1=0.5)

    @tf.function
    def train_step(a, b):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(f(g(a)) - a)) + tf.reduce_mean(tf.abs(g(f(b)) - b))
        variables = g.trainable_variables + f.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    for step in range(steps):
        loss = train_step(*source.sample())
        if step % 500 == 0:
            print(step, float(loss))


if __name__ == "__main__":
    main()
