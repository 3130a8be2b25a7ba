import tensorflow as tf

SIZE = 256


def parse(record):
    example = tf.io.parse_single_example(record, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "score": tf.io.FixedLenFeature([], tf.float32),
    })
    image = tf.io.decode_jpeg(example["jpeg"], channels=3)
    image = tf.image.resize(image, [SIZE, SIZE], preserve_aspect_ratio=True)
    image = tf.image.resize_with_crop_or_pad(image, SIZE, SIZE)
    return image / 255.0, example["score"]


def dataset(pattern, batch_size):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(1000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([
    tf.keras.Input((None, None, 3)),
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(1),
])
model.compile("adam", "mse")
model.fit(dataset("aesthetics/*.tfrecord", 16), epochs=6)
