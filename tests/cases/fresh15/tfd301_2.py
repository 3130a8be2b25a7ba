from dataclasses import dataclass, field

import tensorflow as tf


@dataclass
class Mel:
    rate: int = 16_000
    frame: int = 1024
    hop: int = 256
    bins: int = 80

    def matrix(self):
        return tf.signal.linear_to_mel_weight_matrix(
            self.bins, self.frame // 2 + 1, self.rate, 40.0, 7800.0
        )


@dataclass
class Job:
    records: str = "/data/esc50/train.tfrecord"
    cache_file: str = "/scratch/esc50.cache"
    batch: int = 32
    epochs: int = 50
    mel: Mel = field(default_factory=Mel)


class Pipeline:
    def __init__(self, job):
        self.job = job
        self.ds = tf.data.TFRecordDataset(job.records)

    def keep(self):
        self.ds = self.ds.cache(self.job.cache_file)
        return self

    def mix(self):
        self.ds = self.ds.shuffle(1600)
        return self

    def featurize(self):
        m = self.job.mel

        def fn(record):
            ex = tf.io.parse_single_example(
                record,
                {
                    "wav": tf.io.FixedLenFeature([], tf.string),
                    "target": tf.io.FixedLenFeature([], tf.int64),
                },
            )
            wave, _ = tf.audio.decode_wav(ex["wav"], desired_channels=1, desired_samples=5 * m.rate)
            spec = tf.abs(tf.signal.stft(tf.squeeze(wave, -1), m.frame, m.hop))
            mel = tf.math.log(tf.matmul(spec, m.matrix()) + 1e-5)
            mfcc = tf.signal.mfccs_from_log_mel_spectrograms(mel)
            return mfcc[..., tf.newaxis], ex["target"]

        self.ds = self.ds.map(fn, num_parallel_calls=tf.data.AUTOTUNE)
        return self

    def finish(self):
        return self.ds.batch(self.job.batch).prefetch(tf.data.AUTOTUNE)


def main():
    job = Job()
    train = Pipeline(job).keep().mix().featurize().finish()
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Conv2D(32, 5, activation="relu"),
            tf.keras.layers.MaxPooling2D(),
            tf.keras.layers.Conv2D(64, 5, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(50, activation="softmax"),
        ]
    )
    model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(train, epochs=job.epochs)


if __name__ == "__main__":
    main()
