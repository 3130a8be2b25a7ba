"""Cell nuclei segmentation with elastic deformation (Ronneberger et al.)."""
import json
import pathlib

import tensorflow as tf

CFG = json.loads("""
{"root": "/data/dsb2018/stage1", "size": 256, "batch": 16, "epochs": 120,
 "elastic": {"grid": 6, "sigma": 12.0}}
""")


class Nuclei:
    def __init__(self, cfg):
        self.cfg = cfg
        self.size = cfg["size"]

    def read(self, img_path, msk_path):
        img = tf.io.decode_png(tf.io.read_file(img_path), channels=3)
        msk = tf.io.decode_png(tf.io.read_file(msk_path), channels=1)
        img = tf.image.resize(img, [self.size, self.size]) / 255.0
        msk = tf.image.resize(msk, [self.size, self.size], method="nearest")
        return tf.concat([img, tf.cast(msk > 0, tf.float32)], -1)

    def elastic(self, both):
        """Heavy, but drawn anew for each image and each epoch: it cannot be cached."""
        e, s = self.cfg["elastic"], self.size
        field = tf.random.normal([1, e["grid"], e["grid"], 2], stddev=e["sigma"])
        field = tf.image.resize(field, [s, s], method="bicubic")[0]
        yy, xx = tf.meshgrid(tf.range(s), tf.range(s), indexing="ij")
        at = tf.cast(tf.stack([yy, xx], -1), tf.float32) + field
        lo = tf.clip_by_value(tf.cast(tf.floor(at), tf.int32), 0, s - 2)
        w = tf.clip_by_value(at - tf.cast(lo, tf.float32), 0.0, 1.0)
        out = 0.0
        for dy in (0, 1):
            for dx in (0, 1):
                wy = w[..., 0:1] if dy else 1.0 - w[..., 0:1]
                wx = w[..., 1:2] if dx else 1.0 - w[..., 1:2]
                out += wy * wx * tf.gather_nd(both, lo + tf.constant([dy, dx]))
        return out[..., :3], tf.round(out[..., 3:])

    def train(self):
        root = pathlib.Path(self.cfg["root"])
        imgs = sorted(str(p) for p in root.glob("images/*.png"))
        msks = sorted(str(p) for p in root.glob("masks/*.png"))
        ds = tf.data.Dataset.from_tensor_slices((imgs, msks))
        ds = ds.map(self.read, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.cache()
        ds = ds.shuffle(len(imgs))
        ds = ds.map(self.elastic, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.cfg["batch"], drop_remainder=True).prefetch(tf.data.AUTOTUNE)


def unet(size):
    inp = x = tf.keras.Input([size, size, 3])
    skips = []
    for f in (32, 64, 128):
        x = tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu")(x)
        skips.append(x)
        x = tf.keras.layers.MaxPool2D()(x)
    for f, s in zip((128, 64, 32), skips[::-1]):
        x = tf.keras.layers.Conv2DTranspose(f, 2, 2)(x)
        x = tf.keras.layers.Concatenate()([x, s])
        x = tf.keras.layers.Conv2D(f, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(x))


if __name__ == "__main__":
    model = unet(CFG["size"])
    model.compile("adam", "binary_crossentropy")
    model.fit(Nuclei(CFG).train(), epochs=CFG["epochs"])
