import tensorflow as tf


class InputPipeline:
    def __init__(self, pattern):
        self.pattern = pattern

    def records(self):
        ds = tf.data.Dataset.list_files(self.pattern)
        return ds.interleave(
            tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)

    def examples(self):
        return self.records().cache()

    def build(self):
        ds = self.examples().shuffle(10000).batch(256)
        return ds.prefetch(tf.data.AUTOTUNE)


class SpeechPipeline(InputPipeline):
    def parse(self, raw):
        ex = tf.io.parse_single_example(raw, {
            "wav": tf.io.FixedLenFeature([], tf.string),
            "word": tf.io.FixedLenFeature([], tf.int64),
        })
        audio, _ = tf.audio.decode_wav(ex["wav"], 1, 16000)
        return tf.abs(tf.signal.stft(audio[:, 0], 400, 160)), ex["word"]

    def examples(self):
        ds = self.records()
        ds = ds.map(self.parse, num_parallel_calls=tf.data.AUTOTUNE)
        return ds.cache("/scratch/speech_cache")


if __name__ == "__main__":
    model = tf.keras.Sequential([
        tf.keras.Input((98, 257)),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(35, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(SpeechPipeline("/data/speech/train-*.tfrecord").build(), epochs=40)
