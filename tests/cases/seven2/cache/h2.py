import tensorflow as tf
import keras

augment = keras.Sequential([
    keras.layers.RandomFlip("horizontal_and_vertical"),
    keras.layers.RandomRotation(0.25),
    keras.layers.RandomContrast(0.2),
])


def decode(rec):
    ex = tf.io.parse_single_example(rec, {"png": tf.io.FixedLenFeature([], tf.string),
                                          "y": tf.io.FixedLenFeature([], tf.int64)})
    img = tf.image.resize(tf.io.decode_png(ex["png"], channels=3), (96, 96))
    return img / 255.0, ex["y"]


files = tf.io.gfile.glob("/data/pcam/train-*.tfrecord")
decoded = tf.data.TFRecordDataset(files, num_parallel_reads=tf.data.AUTOTUNE)
decoded = decoded.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
stored = decoded.cache("/scratch/pcam")
train = stored.shuffle(10_000).batch(128).map(
    lambda x, y: (augment(x, training=True), y), num_parallel_calls=tf.data.AUTOTUNE)
train = train.prefetch(tf.data.AUTOTUNE)

model = keras.applications.DenseNet121(weights=None, classes=2, input_shape=(96, 96, 3))
model.compile("adam", "sparse_categorical_crossentropy")
model.fit(train, epochs=25)
