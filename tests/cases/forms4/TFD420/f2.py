import tensorflow as tf

FEATURES = {
    "image/encoded": tf.io.FixedLenFeature([], tf.string),
    "image/label": tf.io.FixedLenFeature([], tf.int64),
}


def decode(encoded):
    image = tf.image.decode_image(encoded, channels=3, dtype=tf.float32)
    image = tf.image.central_crop(image, 0.875)
    return tf.image.resize(image, (192, 192))


def parse(record):
    example = tf.io.parse_single_example(record, FEATURES)
    return decode(example["image/encoded"]), example["image/label"]


def read(pattern, batch_size=64):
    files = tf.data.Dataset.list_files(pattern)
    ds = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


model = tf.keras.applications.MobileNet(weights=None, input_shape=(192, 192, 3), classes=20)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(read("food/train-*"), epochs=30)
