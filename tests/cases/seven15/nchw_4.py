import functools
import pathlib

import tensorflow as tf

MODALITIES = ("t1", "t1ce", "t2", "flair")
Conv = functools.partial(
    tf.keras.layers.Conv2D, kernel_size=3, padding="same", activation="relu",
    data_format="channels_first")
Down = functools.partial(tf.keras.layers.MaxPool2D, data_format="channels_first")
Up = functools.partial(tf.keras.layers.UpSampling2D, data_format="channels_first")


class SliceReader:
    def __init__(self, root):
        self.root = pathlib.Path(root)
        self.keys = sorted(str(p) for p in self.root.iterdir())

    @staticmethod
    def png(path):
        img = tf.io.decode_png(tf.io.read_file(path), channels=1, dtype=tf.uint16)
        img = tf.image.resize(img, [192, 192])
        return tf.ensure_shape(img[..., 0], [192, 192])

    def example(self, key):
        planes = [self.png(key + "/" + m + ".png") / 65535.0 for m in MODALITIES]
        mask = self.png(key + "/seg.png")
        return tf.stack(planes, axis=0), tf.cast(mask > 0, tf.float32)[tf.newaxis]

    def dataset(self, batch):
        return (
            tf.data.Dataset.from_tensor_slices(self.keys)
            .shuffle(len(self.keys), seed=33)
            .map(self.example, num_parallel_calls=tf.data.AUTOTUNE)
            .batch(batch)
            .prefetch(tf.data.AUTOTUNE)
        )


def unet():
    inp = tf.keras.Input((len(MODALITIES), 192, 192))
    skips, h = [], inp
    for f in (32, 64):
        h = Conv(f)(h)
        skips.append(h)
        h = Down()(h)
    h = Conv(128)(h)
    for f, s in zip((64, 32), reversed(skips)):
        h = tf.keras.layers.Concatenate(axis=1)([Up()(h), s])
        h = Conv(f)(h)
    out = tf.keras.layers.Conv2D(1, 1, activation="sigmoid", data_format="channels_first")(h)
    return tf.keras.Model(inp, out)


if __name__ == "__main__":
    net = unet()
    net.compile("adam", "binary_crossentropy")
    net.fit(SliceReader("/brats/slices").dataset(12), epochs=40)
