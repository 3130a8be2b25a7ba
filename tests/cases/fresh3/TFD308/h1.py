import tensorflow as tf

SPEC = {"path": tf.io.FixedLenFeature([], tf.string), "label": tf.io.FixedLenFeature([], tf.int64)}


def parse(record):
    ex = tf.io.parse_single_example(record, SPEC)
    return tf.strings.join(["/data/images/", ex["path"]]), tf.cast(ex["label"], tf.int32)


def decode(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (224, 224)) / 255.0, label


ds = tf.data.TFRecordDataset("index.tfrecord")
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(100000)
ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(64).prefetch(tf.data.AUTOTUNE)
model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(16, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling2D(),
    tf.keras.layers.Dense(200, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=2)
