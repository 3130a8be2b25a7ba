import tensorflow as tf

SPEC = {
    "image": tf.io.FixedLenFeature([], tf.string),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_png(ex["image"], channels=3)
    image = tf.image.resize_with_pad(image, 224, 224)
    return image / 255.0, ex["label"]


def load_training(pattern, cache_file, batch):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(
        tf.data.TFRecordDataset,
        cycle_length=8,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=False,
    )
    ds = ds.cache(cache_file)
    ds = ds.shuffle(20000)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch).prefetch(tf.data.AUTOTUNE)
