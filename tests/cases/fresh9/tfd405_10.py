import numpy as np
import tensorflow as tf


class PatchSampler:
    """Draws random patches out of large microscopy images for ever."""

    def __init__(self, images, masks, size=256, seed=0):
        self.images, self.masks, self.size = images, masks, size
        self.rng = np.random.default_rng(seed)

    def __call__(self):
        while True:
            i = self.rng.integers(len(self.images))
            image, mask = self.images[i], self.masks[i]
            y = self.rng.integers(image.shape[0] - self.size)
            x = self.rng.integers(image.shape[1] - self.size)
            window = np.s_[y:y + self.size, x:x + self.size]
            yield image[window][..., None], mask[window][..., None]

    def dataset(self, batch_size):
        spec = tf.TensorSpec([self.size, self.size, 1], tf.float32)
        ds = tf.data.Dataset.from_generator(self, output_signature=(spec, spec))
        return ds.batch(batch_size).prefetch(4)


def load(folder):
    names = sorted(tf.io.gfile.glob(folder + "/*.npz"))
    pairs = [np.load(n) for n in names]
    return ([p["image"].astype(np.float32) for p in pairs],
            [p["mask"].astype(np.float32) for p in pairs])


def unet():
    inputs = x = tf.keras.Input((256, 256, 1))
    skips = []
    for filters in (32, 64, 128):
        x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    for filters, skip in zip((128, 64, 32), reversed(skips)):
        x = tf.keras.layers.UpSampling2D()(x)
        x = tf.keras.layers.Concatenate()([x, skip])
        x = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inputs, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


if __name__ == "__main__":
    train = PatchSampler(*load("/data/nuclei/train")).dataset(16)
    model = unet()
    model.compile("adam", "binary_crossentropy")
    model.fit(train, epochs=100, callbacks=[tf.keras.callbacks.ModelCheckpoint("unet.keras")])
