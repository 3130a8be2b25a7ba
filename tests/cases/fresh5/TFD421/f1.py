import tensorflow as tf

SPEC = {"jpeg": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(record):
    f = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_jpeg(f["jpeg"], channels=3)
    image = tf.image.random_flip_left_right(image)
    return tf.cast(image, tf.float32) / 255.0, f["label"]


ds = tf.data.Dataset.list_files("/data/openimages/*.tfrecord")
ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(4000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32)
ds = ds.prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(600),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(ds, epochs=5)
