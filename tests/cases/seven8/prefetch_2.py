"""Super-resolution (EDSR) trainer on DIV2K crops stored as PNG pairs."""
import argparse
import time

import tensorflow as tf

AUTOTUNE = tf.data.experimental.AUTOTUNE


class SRPairs:
    def __init__(self, hr_glob, lr_glob, scale, crop):
        self.hr = sorted(tf.io.gfile.glob(hr_glob))
        self.lr = sorted(tf.io.gfile.glob(lr_glob))
        self.scale = scale
        self.crop = crop

    def _read(self, hr_path, lr_path):
        hr = tf.io.decode_png(tf.io.read_file(hr_path), channels=3)
        lr = tf.io.decode_png(tf.io.read_file(lr_path), channels=3)
        return hr, lr

    def _random_crop(self, hr, lr):
        size = self.crop // self.scale
        shape = tf.shape(lr)[:2]
        y = tf.random.uniform([], maxval=shape[0] - size + 1, dtype=tf.int32)
        x = tf.random.uniform([], maxval=shape[1] - size + 1, dtype=tf.int32)
        lr = lr[y:y + size, x:x + size]
        y, x = y * self.scale, x * self.scale
        hr = hr[y:y + self.crop, x:x + self.crop]
        return tf.cast(hr, tf.float32), tf.cast(lr, tf.float32)

    def build(self, batch_size):
        ds = tf.data.Dataset.from_tensor_slices((self.hr, self.lr))
        ds = ds.shuffle(len(self.hr)).repeat()
        ds = ds.prefetch(AUTOTUNE)
        ds = ds.map(self._read, num_parallel_calls=AUTOTUNE)
        ds = ds.map(self._random_crop, num_parallel_calls=AUTOTUNE)
        ds = ds.batch(batch_size)
        return ds


class Trainer:
    def __init__(self, model, lr):
        self.model = model
        self.opt = tf.keras.optimizers.Adam(lr)
        self.loss = tf.keras.losses.MeanAbsoluteError()

    @tf.function
    def train_step(self, hr, lr):
        with tf.GradientTape() as tape:
            sr = self.model(lr, training=True)
            loss = self.loss(hr, sr)
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.opt.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss

    def train(self, dataset, steps):
        start = time.perf_counter()
        for step, (hr, lr) in enumerate(dataset.take(steps)):
            loss = self.train_step(hr, lr)
            if step % 1000 == 0:
                print(f"{step}/{steps} loss={loss:.4f} {time.perf_counter() - start:.1f}s")
                self.model.save_weights("weights/edsr.h5")


def edsr(scale, filters=64, blocks=16):
    inp = tf.keras.Input((None, None, 3))
    x = b = tf.keras.layers.Conv2D(filters, 3, padding="same")(inp / 255.0)
    for _ in range(blocks):
        y = tf.keras.layers.Conv2D(filters, 3, padding="same", activation="relu")(b)
        b = tf.keras.layers.Add()([b, tf.keras.layers.Conv2D(filters, 3, padding="same")(y)])
    x = tf.keras.layers.Add()([x, b])
    x = tf.keras.layers.Conv2D(3 * scale ** 2, 3, padding="same")(x)
    return tf.keras.Model(inp, tf.nn.depth_to_space(x, scale) * 255.0)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--hr", default="/data/DIV2K/DIV2K_train_HR/*.png")
    p.add_argument("--lr", default="/data/DIV2K/DIV2K_train_LR_bicubic/X4/*.png")
    p.add_argument("--batch_size", type=int, default=16)
    p.add_argument("--steps", type=int, default=300000)
    args = p.parse_args()
    pairs = SRPairs(args.hr, args.lr, scale=4, crop=96)
    Trainer(edsr(4), 1e-4).train(pairs.build(args.batch_size), args.steps)
