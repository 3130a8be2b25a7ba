import tensorflow as tf

AUTO = tf.data.AUTOTUNE
SPEC = {"png": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(record):
    f = tf.io.parse_single_example(record, SPEC)
    image = tf.io.decode_png(f["png"], channels=3)
    image.set_shape([32, 32, 3])
    return tf.image.convert_image_dtype(image, tf.float32), f["label"]


def jitter(image, label):
    image = tf.image.pad_to_bounding_box(image, 4, 4, 40, 40)
    image = tf.image.random_crop(image, (32, 32, 3))
    return image, label


def train(pattern):
    ds = tf.data.Dataset.list_files(pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTO)
    ds = ds.shuffle(10_000)
    ds = ds.map(parse, num_parallel_calls=AUTO)
    ds = ds.map(jitter, num_parallel_calls=AUTO)
    return ds.batch(128).prefetch(AUTO)


model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(10),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
model.fit(train("/data/cifar/train-*.tfrecord"), epochs=60)
