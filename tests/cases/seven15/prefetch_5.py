import json
from functools import partial

import tensorflow as tf

OPTIONS = dict(size=320, batch=16, boxes=100, buffer=2048, lr=1e-2, epochs=40)


def spec():
    return {
        "image/encoded": tf.io.FixedLenFeature([], tf.string),
        "image/object/bbox/xmin": tf.io.VarLenFeature(tf.float32),
        "image/object/bbox/ymin": tf.io.VarLenFeature(tf.float32),
        "image/object/bbox/xmax": tf.io.VarLenFeature(tf.float32),
        "image/object/bbox/ymax": tf.io.VarLenFeature(tf.float32),
    }


def parse(record, size, boxes):
    ex = tf.io.parse_single_example(record, spec())
    image = tf.image.decode_jpeg(ex["image/encoded"], channels=3)
    image = tf.image.resize(image, [size, size]) / 255.0
    sides = [tf.sparse.to_dense(ex["image/object/bbox/" + k]) for k in ("ymin", "xmin", "ymax", "xmax")]
    box = tf.stack(sides, axis=-1)[:boxes]
    n = tf.shape(box)[0]
    box = tf.pad(box, [[0, boxes - n], [0, 0]])
    box.set_shape([boxes, 4])
    return image, box


def training_set(files, size, batch, boxes, buffer, **_):
    return (
        tf.data.Dataset.from_tensor_slices(files)
        .shuffle(len(files))
        .interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
        .shuffle(buffer)
        .prefetch(tf.data.AUTOTUNE)
        .map(partial(parse, size=size, boxes=boxes), num_parallel_calls=tf.data.AUTOTUNE)
        .batch(batch, drop_remainder=True)
    )


class Detector(tf.keras.Model):
    def __init__(self, boxes):
        super().__init__()
        self.body = tf.keras.applications.ResNet50(include_top=False, weights=None, pooling="avg")
        self.head = tf.keras.layers.Dense(boxes * 4)
        self.boxes = boxes

    def call(self, x, training=False):
        return tf.reshape(self.head(self.body(x, training=training)), [-1, self.boxes, 4])


def run(manifest):
    with open(manifest) as f:
        files = json.load(f)["train"]
    ds = training_set(files, **OPTIONS)
    net = Detector(OPTIONS["boxes"])
    net.compile(tf.keras.optimizers.SGD(OPTIONS["lr"], momentum=0.9), loss=tf.keras.losses.Huber())
    net.fit(ds, epochs=OPTIONS["epochs"])


if __name__ == "__main__":
    run("coco_manifest.json")
