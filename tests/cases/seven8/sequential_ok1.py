"""Face embedding training (MS1M TFRecords, ArcFace)."""
import functools
import math

import tensorflow as tf

AUTOTUNE = tf.data.experimental.AUTOTUNE
MAP_KWARGS = dict(num_parallel_calls=AUTOTUNE, deterministic=False)
pmap = functools.partial(tf.data.Dataset.map, **MAP_KWARGS)


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "image_raw": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64)})
    return tf.io.decode_jpeg(ex["image_raw"], channels=3), ex["label"]


def distort(img, label):
    img = tf.image.random_crop(tf.image.resize(img, [120, 120]), [112, 112, 3])
    img = tf.image.random_flip_left_right(img)
    img = tf.image.random_brightness(img, 0.1)
    return (img - 127.5) / 128.0, label


def load_train(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, cycle_length=16, **MAP_KWARGS)
    ds = ds.repeat().shuffle(50_000)
    ds = ds.map(parse, **MAP_KWARGS)
    ds = pmap(ds, distort)
    ds = ds.map(lambda x, y: ((x, y), y), **MAP_KWARGS)
    return ds.batch(batch_size).prefetch(AUTOTUNE)


class ArcMargin(tf.keras.layers.Layer):
    def __init__(self, n, s=64.0, m=0.5):
        super().__init__()
        self.n, self.s, self.m = n, s, m

    def build(self, shape):
        self.w = self.add_weight("w", [shape[0][-1], self.n])

    def call(self, inputs):
        emb, y = inputs
        cos = tf.matmul(tf.nn.l2_normalize(emb, 1), tf.nn.l2_normalize(self.w, 0))
        sin = tf.sqrt(tf.maximum(1.0 - cos ** 2, 1e-7))
        phi = cos * math.cos(self.m) - sin * math.sin(self.m)
        hot = tf.one_hot(tf.cast(tf.reshape(y, [-1]), tf.int32), self.n)
        return self.s * (hot * phi + (1.0 - hot) * cos)


def main():
    img = tf.keras.Input((112, 112, 3))
    lab = tf.keras.Input((), dtype=tf.int64)
    base = tf.keras.applications.ResNet50(include_top=False, weights=None,
                                          input_tensor=img, pooling="avg")
    emb = tf.keras.layers.Dense(512)(base.output)
    model = tf.keras.Model([img, lab], ArcMargin(85742)([emb, lab]))
    model.compile(tf.keras.optimizers.SGD(0.05, 0.9),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(load_train("/data/ms1m/*.tfrecord", 256), steps_per_epoch=22000, epochs=16)


if __name__ == "__main__":
    main()
