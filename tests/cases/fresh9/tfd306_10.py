"""Denoising autoencoder, data options in a table of method calls."""
import tensorflow as tf
import tensorflow_datasets as tfds

BATCH = 128
OPS = [
    ("shuffle", (100,), {}),
    ("map", (lambda b: tf.cast(b["image"], tf.float32) / 255.0,),
     {"num_parallel_calls": tf.data.AUTOTUNE}),
    ("prefetch", (tf.data.AUTOTUNE,), {}),
]


def load(name, split):
    return tfds.load(name, split=split, batch_size=BATCH)


def apply_ops(ds, ops):
    for method, args, kwargs in ops:
        ds = getattr(ds, method)(*args, **kwargs)
    return ds


class Autoencoder(tf.keras.Model):
    def __init__(self, noise=0.2):
        super().__init__()
        self.noise = noise
        self.encoder = tf.keras.Sequential([
            tf.keras.layers.Conv2D(32, 3, 2, padding="same", activation="relu"),
            tf.keras.layers.Conv2D(64, 3, 2, padding="same", activation="relu"),
        ])
        self.decoder = tf.keras.Sequential([
            tf.keras.layers.Conv2DTranspose(32, 3, 2, padding="same", activation="relu"),
            tf.keras.layers.Conv2DTranspose(3, 3, 2, padding="same", activation="sigmoid"),
        ])

    def call(self, x):
        return self.decoder(self.encoder(x))


def main():
    ds = apply_ops(load("svhn_cropped", "train"), OPS)
    model = Autoencoder()
    optimizer = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(x):
        with tf.GradientTape() as tape:
            noisy = x + model.noise * tf.random.normal(tf.shape(x))
            loss = tf.reduce_mean(tf.square(model(noisy) - x))
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    for epoch in range(30):
        for x in ds:
            loss = step(x)
        print(epoch, float(loss))


if __name__ == "__main__":
    main()
