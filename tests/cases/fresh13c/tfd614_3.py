"""Pose estimation; runtime set up for a shared 64-core host."""
import multiprocessing

import tensorflow as tf

CORES = multiprocessing.cpu_count()


def configure():
    tf.config.threading.set_inter_op_parallelism_threads(0)
    tf.config.threading.set_intra_op_parallelism_threads(CORES)
    options = tf.data.Options()
    options.threading.private_threadpool_size = CORES
    options.autotune.enabled = True
    options.deterministic = False
    return options


class Keypoints:
    def __init__(self, pattern, options, batch=128):
        self.pattern, self.options, self.batch = pattern, options, batch

    def parse(self, raw):
        ex = tf.io.parse_single_example(raw, {"jpeg": tf.io.FixedLenFeature([], tf.string),
                                              "xy": tf.io.FixedLenFeature([17, 2], tf.float32)})
        image = tf.image.resize(tf.io.decode_jpeg(ex["jpeg"], channels=3), [192, 192])
        return image / 127.5 - 1.0, ex["xy"]

    def __call__(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(10_000).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(self.batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
        return ds.with_options(self.options)


def regressor():
    trunk = tf.keras.applications.MobileNetV2((192, 192, 3), include_top=False, weights=None, pooling="avg")
    x = tf.keras.layers.Dense(34)(trunk.output)
    model = tf.keras.Model(trunk.input, tf.keras.layers.Reshape((17, 2))(x))
    model.compile(tf.keras.optimizers.Adam(1e-3), "mae")
    return model


if __name__ == "__main__":
    regressor().fit(Keypoints("/data/coco-pose/train-*.tfrecord", configure())(), epochs=80)
