import tensorflow as tf


def wave(rec):
    ex = tf.io.parse_single_example(rec, {
        "wav": tf.io.FixedLenFeature([], tf.string), "y": tf.io.FixedLenFeature([], tf.int64)})
    return tf.audio.decode_wav(ex["wav"], 1, 32000)[0][:, 0], ex["y"]


def stft(w, y):
    return tf.abs(tf.signal.stft(w, 1024, 256)), y


def scale(x, y):
    return x * (1.0 / 32.0), y


class Recipe:
    def __init__(self, *steps):
        self.steps = steps

    def __call__(self, ds):
        for s in self.steps:
            ds = s(ds)
        return ds


def mapped(fn):
    return lambda ds: ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)


RECIPE = Recipe(
    mapped(wave),
    mapped(stft),
    lambda ds: ds.cache(),
    lambda ds: ds.shuffle(4000),
    lambda ds: ds.batch(32),
    mapped(scale),
    lambda ds: ds.prefetch(tf.data.AUTOTUNE),
)

files = tf.data.Dataset.list_files("/insects/train-*.tfrecord", shuffle=True)
records = files.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
net = tf.keras.Sequential([
    tf.keras.layers.Conv1D(64, 3, activation="relu"),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(20),
])
net.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
net.fit(RECIPE(records), epochs=40)
