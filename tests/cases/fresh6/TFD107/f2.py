import tensorflow as tf


class InputConfig:
    pattern = "/data/openimages/*.tfrecord"
    side = 300
    batch = 128
    buffered = 1000


SPEC = {"jpeg": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def make(config):
    def parse(record):
        f = tf.io.parse_single_example(record, SPEC)
        image = tf.io.decode_jpeg(f["jpeg"], channels=3)
        return tf.image.resize(image, (config.side, config.side)) / 255.0, f["label"]

    files = tf.data.Dataset.list_files(config.pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(5000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(config.batch).prefetch(buffer_size=config.buffered)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(600),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(make(InputConfig), epochs=5)
