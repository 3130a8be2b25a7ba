"""X-ray contrast task: explicit runtime settings that keep all cores busy."""
import os

import tensorflow as tf

tf.config.threading.set_inter_op_parallelism_threads(0)
tf.config.threading.set_intra_op_parallelism_threads(0)


def runtime_options():
    opts = tf.data.Options()
    opts.threading.private_threadpool_size = os.cpu_count()
    opts.autotune.enabled = True
    opts.deterministic = False
    return opts


def volume_slices(pattern, batch):
    def parse(rec):
        ex = tf.io.parse_single_example(rec, {
            "slice": tf.io.FixedLenFeature([], tf.string),
            "contrast": tf.io.FixedLenFeature([], tf.int64),
        })
        img = tf.io.decode_png(ex["slice"], channels=1, dtype=tf.uint16)
        img = tf.image.resize(tf.cast(img, tf.float32), (256, 256))
        return tf.clip_by_value(img / 4096.0, 0.0, 1.0), ex["contrast"]

    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(3000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(batch, drop_remainder=True).prefetch(tf.data.AUTOTUNE)
    return ds.with_options(runtime_options())


def classifier():
    m = tf.keras.Sequential([tf.keras.Input((256, 256, 1))])
    for f in (32, 64, 128, 256):
        m.add(tf.keras.layers.Conv2D(f, 3, strides=2, padding="same", activation="relu"))
    m.add(tf.keras.layers.GlobalMaxPooling2D())
    m.add(tf.keras.layers.Dense(1))
    return m


net = classifier()
net.compile("adam", tf.keras.losses.BinaryCrossentropy(from_logits=True), metrics=["accuracy"])
net.fit(volume_slices("/data/ct/train-*.tfrecord", 64), epochs=20)
net.save("contrast.keras")
