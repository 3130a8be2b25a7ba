import dataclasses

import tensorflow as tf


@dataclasses.dataclass
class Config:
    pattern: str = "/data/speech/train-*.tfrecord"
    cache: bool = True
    cache_file: str = "/scratch/cache/speech"
    batch: int = 128
    epochs: int = 60


def parse(raw):
    ex = tf.io.parse_single_example(raw, {
        "wav": tf.io.FixedLenFeature([], tf.string),
        "word": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["wav"], ex["word"]


def log_mel(wav, word):
    audio, _ = tf.audio.decode_wav(wav, 1, 16000)
    spec = tf.abs(tf.signal.stft(audio[:, 0], 400, 160, 512))
    mel = tf.signal.linear_to_mel_weight_matrix(80, 257, 16000)
    return tf.math.log(tf.matmul(spec, mel) + 1e-6), word


def create_dataset(cfg: Config):
    ds = tf.data.Dataset.list_files(cfg.pattern)
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    if cfg.cache:
        ds = ds.cache(cfg.cache_file)
    ds = ds.map(log_mel, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(20000).batch(cfg.batch)
    return ds.prefetch(tf.data.AUTOTUNE)


def main(cfg=Config()):
    model = tf.keras.Sequential([
        tf.keras.Input((98, 80)),
        tf.keras.layers.Conv1D(128, 5, activation="relu"),
        tf.keras.layers.GlobalAveragePooling1D(),
        tf.keras.layers.Dense(35, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(create_dataset(cfg), epochs=cfg.epochs)


if __name__ == "__main__":
    main()
