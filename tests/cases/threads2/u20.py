import random

import h5py
import tensorflow as tf

PATCH = 64
BATCH = 128
STEPS_PER_EPOCH = 400


class PatchSampler:
    def __init__(self, path, seed=0):
        self.path = path
        self.rng = random.Random(seed)

    def __call__(self):
        with h5py.File(self.path, "r") as volume:
            images, masks = volume["image"], volume["mask"]
            depth, height, width = images.shape
            while True:
                z = self.rng.randrange(depth)
                y = self.rng.randrange(height - PATCH)
                x = self.rng.randrange(width - PATCH)
                window = (z, slice(y, y + PATCH), slice(x, x + PATCH))
                yield images[window][..., None], masks[window][..., None]


def patches(path):
    ds = tf.data.Dataset.from_generator(
        PatchSampler(path),
        output_signature=(
            tf.TensorSpec((PATCH, PATCH, 1), tf.float32),
            tf.TensorSpec((PATCH, PATCH, 1), tf.float32),
        ),
    )
    ds = ds.batch(BATCH, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


def unet_small():
    layers = tf.keras.layers
    inputs = tf.keras.Input((PATCH, PATCH, 1))
    a = layers.Conv2D(32, 3, padding="same", activation="relu")(inputs)
    b = layers.Conv2D(64, 3, padding="same", activation="relu")(layers.MaxPooling2D()(a))
    c = layers.Concatenate()([a, layers.UpSampling2D()(b)])
    return tf.keras.Model(inputs, layers.Conv2D(1, 1)(c))


def main():
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu="seg-v3-8")
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)

    with strategy.scope():
        model = unet_small()
        model.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True))
    model.fit(patches("em_volume.h5"), epochs=30, steps_per_epoch=STEPS_PER_EPOCH)


if __name__ == "__main__":
    main()
