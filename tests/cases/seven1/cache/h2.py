import tensorflow as tf


def parse(rec):
    ex = tf.io.parse_single_example(rec, {"img": tf.io.FixedLenFeature([], tf.string),
                                          "y": tf.io.FixedLenFeature([], tf.int64)})
    return tf.io.decode_jpeg(ex["img"], channels=3), ex["y"]


def shrink(img, y):
    return tf.cast(tf.image.resize(img, (128, 128)), tf.uint8), y


def to_float(img, y):
    return tf.cast(img, tf.float32), y


ds = tf.data.TFRecordDataset(tf.io.gfile.glob("/data/cars/*.tfrecord"), num_parallel_reads=tf.data.AUTOTUNE)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(shrink, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.cache()
ds = ds.shuffle(8000).batch(64)
ds = ds.map(to_float, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.layers.Rescaling(1 / 255.0),
                             tf.keras.layers.Conv2D(32, 3, activation="relu"),
                             tf.keras.layers.GlobalAveragePooling2D(),
                             tf.keras.layers.Dense(196, activation="softmax")])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=30)
