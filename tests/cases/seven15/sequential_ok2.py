import tensorflow as tf


class Flow:
    def __init__(self, ds):
        self.ds = ds

    @classmethod
    def from_shards(cls, pattern):
        shards = tf.data.Dataset.list_files(pattern, shuffle=True)
        return cls(shards.interleave(tf.data.TFRecordDataset, cycle_length=4,
                                     num_parallel_calls=tf.data.AUTOTUNE))

    def each(self, fn, workers=tf.data.AUTOTUNE):
        return Flow(self.ds.map(fn, num_parallel_calls=workers))

    def mixed(self, n):
        return Flow(self.ds.shuffle(n))

    def ready(self, batch):
        return self.ds.batch(batch).prefetch(tf.data.AUTOTUNE)


def spectrogram(rec):
    ex = tf.io.parse_single_example(rec, {
        "wav": tf.io.FixedLenFeature([], tf.string),
        "speaker": tf.io.FixedLenFeature([], tf.int64)})
    wave, _ = tf.audio.decode_wav(ex["wav"], 1, 48000)
    return tf.math.log(tf.abs(tf.signal.stft(wave[:, 0], 512, 256)) + 1e-5), ex["speaker"]


train = Flow.from_shards("/voices/train-*.tfrecord").mixed(5000).each(spectrogram).ready(64)
model = tf.keras.Sequential([
    tf.keras.layers.Conv1D(128, 7, activation="relu"),
    tf.keras.layers.GlobalAveragePooling1D(),
    tf.keras.layers.Dense(1211),
])
model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
model.fit(train, epochs=20)
