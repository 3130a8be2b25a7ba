import functools

import tensorflow as tf

RECORD = {
    "jpeg": tf.io.FixedLenFeature([], tf.string),
    "box": tf.io.FixedLenFeature([4], tf.int64),
    "identity": tf.io.FixedLenFeature([], tf.int64),
}


def face_example(size, training, raw):
    ex = tf.io.parse_single_example(raw, RECORD)
    y, x, h, w = tf.unstack(tf.cast(ex["box"], tf.int32))
    if training:
        y = tf.maximum(y - tf.random.uniform([], 0, 8, tf.int32), 0)
        x = tf.maximum(x - tf.random.uniform([], 0, 8, tf.int32), 0)
    face = tf.image.decode_and_crop_jpeg(ex["jpeg"], [y, x, h, w], channels=3)
    face = tf.image.resize(face, (size, size))
    return tf.ensure_shape(face, (size, size, 3)), ex["identity"]


def faces(pattern, size, batch, training):
    ds = tf.data.Dataset.list_files(pattern, shuffle=training)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    if training:
        ds = ds.shuffle(30_000)
    ds = ds.map(functools.partial(face_example, size, training),
                num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch)
    return ds.prefetch(tf.data.AUTOTUNE)


class ArcHead(tf.keras.layers.Layer):
    def __init__(self, classes, scale=64.0):
        super().__init__()
        self.classes, self.scale = classes, scale

    def build(self, shape):
        self.w = self.add_weight(shape=(shape[-1], self.classes), name="w")

    def call(self, x):
        return self.scale * tf.matmul(tf.math.l2_normalize(x, 1), tf.math.l2_normalize(self.w, 0))


def main():
    size = 112
    base = tf.keras.applications.ResNet50V2(
        include_top=False, weights=None, pooling="avg", input_shape=(size, size, 3))
    inputs = tf.keras.Input((size, size, 3))
    x = tf.keras.layers.Rescaling(1 / 127.5, offset=-1)(inputs)
    x = tf.keras.layers.Dense(512)(base(x))
    model = tf.keras.Model(inputs, ArcHead(10_572)(x))
    model.compile(tf.keras.optimizers.SGD(0.1, momentum=0.9),
                  tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), ["accuracy"])
    model.fit(faces("/data/casia/train-*", size, 256, True),
              validation_data=faces("/data/casia/val-*", size, 256, False), epochs=30)
    model.save("arcface.keras")


if __name__ == "__main__":
    main()
