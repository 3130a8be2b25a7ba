import os

import tensorflow as tf


class RecordInput:
    """Base of the inputs of all tasks."""

    extension = ".tfrecord"
    reader_options = {"buffer_size": 16 << 20}

    def __init__(self, folder, batch_size):
        self.folder = folder
        self.batch_size = batch_size

    def paths(self):
        return sorted(os.path.join(self.folder, n) for n in os.listdir(self.folder)
                      if n.endswith(self.extension))

    def source(self):
        return tf.data.TFRecordDataset(self.paths(), **self.reader_options)

    def parse(self, record):
        raise NotImplementedError

    def __call__(self, training):
        ds = self.source()
        if training:
            ds = ds.shuffle(50000)
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.batch(self.batch_size).prefetch(tf.data.AUTOTUNE)


class SpeechInput(RecordInput):
    extension = ".tfrecord.gz"
    reader_options = {"compression_type": "GZIP"}

    def parse(self, record):
        ex = tf.io.parse_single_example(record, {
            "wav": tf.io.FixedLenFeature([], tf.string),
            "word": tf.io.FixedLenFeature([], tf.int64)})
        audio, _ = tf.audio.decode_wav(ex["wav"], 1, 16000)
        spec = tf.abs(tf.signal.stft(audio[:, 0], 400, 160))
        return spec[..., tf.newaxis], ex["word"]


if __name__ == "__main__":
    train = SpeechInput("/data/speech/train", 128)(training=True)
    valid = SpeechInput("/data/speech/valid", 128)(training=False)
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu"),
        tf.keras.layers.GlobalAveragePooling2D(),
        tf.keras.layers.Dense(35, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(train, validation_data=valid, epochs=30)
