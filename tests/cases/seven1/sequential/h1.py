import tensorflow as tf

PARALLEL = dict(num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)


def parse(rec):
    f = tf.io.parse_single_example(rec, {"img": tf.io.FixedLenFeature([], tf.string),
                                         "y": tf.io.FixedLenFeature([], tf.int64)})
    return tf.image.resize(tf.io.decode_jpeg(f["img"], channels=3), (96, 96)), f["y"]


ds = tf.data.Dataset.list_files("/data/plants/train-*.tfrecord")
ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=8, **PARALLEL)
ds = ds.shuffle(4096)
ds = ds.map(parse, **PARALLEL)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)

model = tf.keras.applications.MobileNetV2(weights=None, input_shape=(96, 96, 3), classes=30)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=10)
