"""Street-number recognition: decoding per image (sizes differ), the rest per batch."""
import json

import tensorflow as tf

AUTO = tf.data.AUTOTUNE
MEAN = [0.4377, 0.4438, 0.4728]
STD = [0.1980, 0.2010, 0.1970]


class SvhnFull:
    def __init__(self, root):
        self.root = root
        with open(f"{root}/digitStruct.json") as f:
            self.records = json.load(f)

    def _crop(self, path, box, digits):
        img = tf.io.decode_png(tf.io.read_file(path), channels=3)
        bounds = tf.shape(img)[:2]
        top, left = tf.maximum(box[0], 0), tf.maximum(box[1], 0)
        bottom, right = tf.minimum(box[2], bounds[0]), tf.minimum(box[3], bounds[1])
        img = tf.image.resize(img[top:bottom, left:right], [64, 64])
        return tf.cast(img, tf.uint8), digits

    @staticmethod
    def _normalise(images, digits):
        x = tf.cast(images, tf.float32) / 255.0
        return (x - MEAN) / STD, digits

    def train(self, batch):
        paths = [f"{self.root}/{r['name']}" for r in self.records]
        boxes = [r["box"] for r in self.records]
        digits = [(r["digits"] + [10] * 5)[:5] for r in self.records]
        ds = tf.data.Dataset.from_tensor_slices((paths, boxes, digits))
        ds = ds.map(self._crop, AUTO).cache().shuffle(30_000)
        return ds.batch(batch).map(self._normalise, AUTO).prefetch(AUTO)


def network():
    inp = tf.keras.Input([64, 64, 3])
    x = inp
    for f in (48, 64, 128, 160):
        x = tf.keras.layers.Conv2D(f, 5, padding="same", activation="relu")(x)
        x = tf.keras.layers.MaxPooling2D()(x)
    x = tf.keras.layers.Dense(1024, activation="relu")(tf.keras.layers.Flatten()(x))
    return tf.keras.Model(inp, tf.keras.layers.Reshape([5, 11])(tf.keras.layers.Dense(55)(x)))


model = network()
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(SvhnFull("/data/svhn/train").train(256), epochs=60)
