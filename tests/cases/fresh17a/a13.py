"""U-Net style road extraction with per-epoch validation reports."""
import pathlib

import tensorflow as tf


class Roads:
    def __init__(self, root, side=256, batch=16):
        self.root, self.side, self.batch = pathlib.Path(root), side, batch

    def _read(self, image_path, mask_path):
        image = tf.io.decode_jpeg(tf.io.read_file(image_path), channels=3)
        mask = tf.io.decode_png(tf.io.read_file(mask_path), channels=1)
        image = tf.image.resize(image, (self.side, self.side)) / 255.0
        mask = tf.image.resize(mask, (self.side, self.side), method="nearest")
        return image, tf.cast(mask > 0, tf.float32)

    def get(self, split):
        images = sorted(str(p) for p in (self.root / split).glob("*.jpg"))
        masks = [p.replace(".jpg", ".png") for p in images]
        ds = tf.data.Dataset.from_tensor_slices((images, masks))
        if split == "train":
            ds = ds.shuffle(len(images))
        ds = ds.map(self._read, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch).prefetch(tf.data.AUTOTUNE)


def tiny_unet(side):
    inp = tf.keras.Input((side, side, 3))
    d1 = tf.keras.layers.Conv2D(32, 3, padding="same", activation="relu")(inp)
    d2 = tf.keras.layers.Conv2D(64, 3, strides=2, padding="same", activation="relu")(d1)
    d3 = tf.keras.layers.Conv2D(128, 3, strides=2, padding="same", activation="relu")(d2)
    u2 = tf.keras.layers.Conv2DTranspose(64, 3, 2, padding="same", activation="relu")(d3) + d2
    u1 = tf.keras.layers.Conv2DTranspose(32, 3, 2, padding="same", activation="relu")(u2) + d1
    return tf.keras.Model(inp, tf.keras.layers.Conv2D(1, 1, activation="sigmoid")(u1))


def run(epochs=60):
    roads = Roads("/data/roads")
    model = tiny_unet(roads.side)
    model.compile("adam", "binary_crossentropy", metrics=[tf.keras.metrics.BinaryIoU()])
    best = 0.0
    done = 0
    while done < epochs:
        model.fit(roads.get("train"), initial_epoch=done, epochs=done + 1, verbose=2)
        _, iou = model.evaluate(roads.get("val"), verbose=0)
        if iou > best:
            best = iou
            model.save("/models/roads.keras")
        done += 1
    print("best", best)


if __name__ == "__main__":
    run()
