import glob

import tensorflow as tf

IMAGE_BYTES = 96 * 96 * 3
RECORD_BYTES = 1 + IMAGE_BYTES


def unpack_record(record):
    raw = tf.io.decode_raw(record, tf.uint8)
    label = tf.cast(raw[0], tf.int32)
    image = tf.reshape(raw[1:], (96, 96, 3))
    return tf.cast(image, tf.float32) / 255.0, label


def input_fn(global_batch):
    files = sorted(glob.glob("/data/stl/*.bin"))
    ds = tf.data.FixedLengthRecordDataset(files, RECORD_BYTES, num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(40_000)
    ds = ds.map(unpack_record, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.batch(global_batch, drop_remainder=True)
    return ds.prefetch(tf.data.AUTOTUNE)


strategy = tf.distribute.MirroredStrategy()
GLOBAL_BATCH = 128 * strategy.num_replicas_in_sync

with strategy.scope():
    model = tf.keras.applications.MobileNetV2(input_shape=(96, 96, 3), weights=None, classes=10)
    model.compile(
        optimizer=tf.keras.optimizers.AdamW(1e-3),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )

model.fit(input_fn(GLOBAL_BATCH), epochs=60)
