import tensorflow as tf
from scipy import ndimage


def elastic(image, label):
    angle = (hash(image.tobytes()) % 40) - 20
    out = ndimage.rotate(image, angle, reshape=False, order=1)
    return out.astype("float32"), label


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "raw": tf.io.FixedLenFeature([], tf.string),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    img = tf.reshape(tf.io.decode_raw(ex["raw"], tf.uint8), (28, 28))
    return tf.cast(img, tf.float32) / 255.0, ex["label"]


def warp(image, label):
    image, label = tf.compat.v1.py_func(elastic, [image, label], [tf.float32, tf.int64])
    return tf.reshape(image, (28, 28, 1)), tf.reshape(label, ())


train_files = tf.io.gfile.glob("/data/digits/train-*.tfrecord")
ds = tf.data.TFRecordDataset(train_files, num_parallel_reads=tf.data.AUTOTUNE)
ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.shuffle(10_000)
ds = ds.map(warp, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(128).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([
    tf.keras.layers.Conv2D(32, 3, activation="relu"),
    tf.keras.layers.Flatten(),
    tf.keras.layers.Dense(10, activation="softmax"),
])
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=12)
