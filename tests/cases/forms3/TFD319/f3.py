import tensorflow as tf


class Balanced:
    def __init__(self, pattern):
        self.files = sorted(tf.io.gfile.glob(pattern))

    def parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "wave": tf.io.FixedLenFeature([], tf.string), "event": tf.io.FixedLenFeature([], tf.int64)})
        wave, _ = tf.audio.decode_wav(ex["wave"], desired_channels=1, desired_samples=16000)
        return tf.abs(tf.signal.stft(wave[:, 0], 512, 256)), ex["event"]

    def dataset(self, batch):
        ds = tf.data.TFRecordDataset(self.files)
        ds = ds.shuffle(10000).map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        positive = ds.filter(lambda x, y: y == 1).repeat()
        negative = ds.filter(lambda x, y: y == 0).repeat()
        mixed = tf.data.Dataset.sample_from_datasets([positive, negative], weights=[0.5, 0.5])
        return mixed.batch(batch).prefetch(tf.data.AUTOTUNE)


model = tf.keras.Sequential([tf.keras.layers.LSTM(32), tf.keras.layers.Dense(1, activation="sigmoid")])
model.compile("adam", "binary_crossentropy")
model.fit(Balanced("events-*.rec").dataset(64), steps_per_epoch=500, epochs=10)
