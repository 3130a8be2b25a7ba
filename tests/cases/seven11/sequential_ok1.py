import os

import tensorflow as tf

SIZE = 320
WORKERS = 16


def read_pair(low_path, high_path):
    low = tf.io.decode_png(tf.io.read_file(low_path), channels=3)
    high = tf.io.decode_png(tf.io.read_file(high_path), channels=3)
    return low, high


def crop_pair(low, high):
    both = tf.image.random_crop(tf.concat([low, high], -1), (SIZE, SIZE, 6))
    both = tf.cast(both, tf.float32) / 255.0
    return both[..., :3], both[..., 3:]


def apply_transforms(fns, parallel=WORKERS):
    def _apply(ds):
        for fn in fns:
            ds = ds.map(fn, parallel)
        return ds

    return _apply


def dataset(root, batch_size=16):
    names = sorted(os.listdir(os.path.join(root, "low")))
    low = [os.path.join(root, "low", n) for n in names]
    high = [os.path.join(root, "high", n) for n in names]
    ds = tf.data.Dataset.from_tensor_slices((low, high)).shuffle(len(names))
    ds = ds.apply(apply_transforms([read_pair, crop_pair]))
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def denoiser():
    inp = tf.keras.Input((SIZE, SIZE, 3))
    x = inp
    for _ in range(6):
        x = tf.keras.layers.Conv2D(64, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, inp + tf.keras.layers.Conv2D(3, 3, padding="same")(x))


if __name__ == "__main__":
    model = denoiser()
    model.compile("adam", "mae")
    model.fit(dataset("/data/lol/train"), epochs=50)
