import functools

import keras
import tensorflow as tf


def parallel(method, calls=tf.data.AUTOTUNE):
    return functools.partial(method, num_parallel_calls=calls)


def clip(record):
    ex = tf.io.parse_single_example(record, {"frames": tf.io.FixedLenSequenceFeature([], tf.string),
                                             "action": tf.io.FixedLenFeature([], tf.int64)})
    picks = tf.random.uniform((8,), 0, tf.shape(ex["frames"])[0], tf.int32)
    frames = tf.map_fn(lambda b: tf.io.decode_jpeg(b, channels=3), tf.gather(ex["frames"], tf.sort(picks)),
                       fn_output_signature=tf.uint8)
    return tf.image.resize(frames, (128, 128)) / 255.0, ex["action"]


def actions(pattern, batch):
    ds = tf.data.Dataset.list_files(pattern)
    ds = parallel(ds.interleave)(tf.data.TFRecordDataset, cycle_length=16)
    ds = ds.shuffle(2048)
    ds = parallel(ds.map)(clip)
    ds = ds.batch(batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


backbone = keras.applications.MobileNetV2(include_top=False, weights=None, input_shape=(128, 128, 3), pooling="avg")
model = keras.Sequential([
    keras.Input((8, 128, 128, 3)),
    keras.layers.TimeDistributed(backbone),
    keras.layers.GRU(256),
    keras.layers.Dense(400, activation="softmax"),
])
model.compile(keras.optimizers.Adam(1e-4), "sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(actions("/data/kinetics/train-*.tfrecord", 32), epochs=25)
