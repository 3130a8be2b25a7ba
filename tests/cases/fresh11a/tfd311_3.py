import tensorflow as tf

AUTOTUNE = tf.data.AUTOTUNE
NUM_SHARDS = 48


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "jpeg": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64)})
    image = tf.io.decode_jpeg(ex["jpeg"], channels=3)
    return tf.image.resize(image, [224, 224]) / 255.0, ex["label"]


def train_dataset(root, batch_size):
    names = [f"{root}/train-{i:05d}-of-{NUM_SHARDS:05d}" for i in range(NUM_SHARDS)]
    ds = tf.data.Dataset.from_tensor_slices(names)
    ds = ds.shuffle(NUM_SHARDS)
    ds = ds.interleave(tf.data.TFRecordDataset, cycle_length=16,
                       num_parallel_calls=AUTOTUNE)
    ds = ds.shuffle(32 * 1024)
    ds = ds.map(parse, num_parallel_calls=AUTOTUNE)
    return ds.batch(batch_size, drop_remainder=True).prefetch(AUTOTUNE)


if __name__ == "__main__":
    model = tf.keras.applications.ResNet50(weights=None, classes=1000)
    model.compile("sgd", "sparse_categorical_crossentropy")
    model.fit(train_dataset("/data/imagenet", 64), epochs=20)
