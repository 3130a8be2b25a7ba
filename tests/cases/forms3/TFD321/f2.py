import tensorflow as tf

COPIES = tf.constant([1, 1, 8, 20])
paths = sorted(tf.io.gfile.glob("lesions/*/*.jpg"))
labels = [int(p.split("/")[-2]) for p in paths]


def oversample(path, label):
    one = tf.data.Dataset.from_tensors((path, label))
    return one.repeat(tf.cast(COPIES[label], tf.int64))


def read(path, label):
    image = tf.io.decode_jpeg(tf.io.read_file(path), channels=3)
    return tf.image.resize(image, (299, 299), method="lanczos5"), label


def jitter(image, label):
    image = tf.image.random_flip_left_right(image / 255.0)
    return tf.image.random_hue(image, 0.05), label


ds = tf.data.Dataset.from_tensor_slices((paths, labels))
ds = ds.flat_map(oversample)
ds = ds.shuffle(20 * len(paths))
ds = ds.map(read, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.map(jitter, num_parallel_calls=tf.data.AUTOTUNE)
ds = ds.batch(32).prefetch(tf.data.AUTOTUNE)
model = tf.keras.applications.Xception(weights=None, classes=4)
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(ds, epochs=2)
