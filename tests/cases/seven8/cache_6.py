"""Pose estimation trainer whose input pipeline is a list of stages."""
import logging

import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
JOINTS = 17


def read_shards(pattern):
    def stage(_):
        return tf.data.TFRecordDataset(sorted(tf.io.gfile.glob(pattern)),
                                       num_parallel_reads=AUTOTUNE)
    return stage


def in_memory(ds):
    return ds.cache()


def decode_and_crop(size):
    def fn(rec):
        ex = tf.io.parse_single_example(rec, {
            "image": tf.io.FixedLenFeature([], tf.string),
            "bbox": tf.io.FixedLenFeature([4], tf.float32),
            "joints": tf.io.FixedLenFeature([JOINTS, 2], tf.float32)})
        img = tf.io.decode_jpeg(ex["image"], channels=3)
        crop = tf.image.crop_and_resize(tf.cast(img, tf.float32)[None], ex["bbox"][None],
                                        [0], [size, size])[0]
        y, x = tf.meshgrid(tf.range(size // 4), tf.range(size // 4), indexing="ij")
        yx = tf.cast(tf.stack([y, x], -1), tf.float32)[:, :, None, :]
        dist = tf.reduce_sum(tf.square(yx - ex["joints"] * (size / 4)), -1)
        return tf.cast(crop, tf.uint8), tf.exp(-dist / (2 * 2.0 ** 2))

    return lambda ds: ds.map(fn, num_parallel_calls=AUTOTUNE)


def shuffled(n):
    return lambda ds: ds.shuffle(n)


def batched(n):
    return lambda ds: ds.batch(n, drop_remainder=True).prefetch(AUTOTUNE)


STAGES = [
    read_shards("/data/coco_pose/train-*.tfrecord"),
    in_memory,
    decode_and_crop(256),
    shuffled(1024),
    batched(64),
]


class Trainer:
    def __init__(self, stages, epochs=80):
        ds = None
        for stage in stages:
            ds = stage(ds)
        self.ds = ds
        self.epochs = epochs
        base = tf.keras.applications.ResNet50(include_top=False, input_shape=(256, 256, 3))
        x = base.output
        for _ in range(3):
            x = tf.keras.layers.Conv2DTranspose(256, 4, 2, "same", activation="relu")(x)
        self.model = tf.keras.Model(base.input, tf.keras.layers.Conv2D(JOINTS, 1)(x))
        self.opt = tf.keras.optimizers.Adam(1e-3)

    @tf.function
    def step(self, img, heat):
        img = tf.keras.applications.resnet50.preprocess_input(tf.cast(img, tf.float32))
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(img, training=True) - heat))
        v = self.model.trainable_variables
        self.opt.apply_gradients(zip(tape.gradient(loss, v), v))
        return loss

    def run(self):
        for epoch in range(self.epochs):
            for img, heat in self.ds:
                loss = self.step(img, heat)
            logging.info("epoch %d loss %.5f", epoch, float(loss))


if __name__ == "__main__":
    logging.basicConfig(level=logging.INFO)
    Trainer(STAGES).run()
