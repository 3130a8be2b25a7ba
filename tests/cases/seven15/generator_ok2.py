import numpy as np
import tensorflow as tf
from scipy import stats

GEN = tf.random.Generator.from_seed(12)


def spearman(y_true, y_pred):
    def rank(a, b):
        return np.float32(stats.spearmanr(a.ravel(), b.ravel()).statistic)
    return tf.ensure_shape(tf.numpy_function(rank, [y_true, y_pred], tf.float32), ())


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "jpg": tf.io.FixedLenFeature([], tf.string), "score": tf.io.FixedLenFeature([], tf.float32)})
    img = tf.image.resize(tf.io.decode_jpeg(ex["jpg"], channels=3), [256, 256])
    return img, ex["score"]


def crop(img, score):
    seed = GEN.make_seeds(1)[:, 0]
    return tf.image.stateless_random_crop(img, [224, 224, 3], tf.cast(seed, tf.int32)), score


def dataset(pattern):
    files = tf.data.Dataset.list_files(pattern, shuffle=True)
    return (
        files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
        .shuffle(5000)
        .map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        .map(crop, num_parallel_calls=tf.data.AUTOTUNE)
        .batch(32)
        .prefetch(tf.data.AUTOTUNE)
    )


base = tf.keras.applications.EfficientNetB0(include_top=False, pooling="avg")
model = tf.keras.Sequential([base, tf.keras.layers.Dense(1)])
model.compile("adam", "mse", metrics=[spearman], jit_compile=False)
model.fit(dataset("/aesthetic/train-*.tfrecord"), epochs=5)
