import enum

import tensorflow as tf


class Mode(enum.Enum):
    TRAIN = "train"
    EVAL = "eval"


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "tokens": tf.io.FixedLenFeature([512], tf.int64),
        "label": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["tokens"], ex["label"]


def records(mode):
    files = tf.io.gfile.glob(f"/data/arxiv/{mode.value}-*.tfrecord")
    return tf.data.TFRecordDataset(sorted(files), num_parallel_reads=8)


def ordered(ds, mode):
    match mode:
        case Mode.TRAIN:
            return ds.shuffle(50_000, reshuffle_each_iteration=True)
        case Mode.EVAL:
            return ds


def dataset(mode, batch_size=32):
    ds = ordered(records(mode), mode)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Embedding(32_000, 256),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(256)),
        tf.keras.layers.Dense(20, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy", ["accuracy"])
    model.fit(dataset(Mode.TRAIN), epochs=8)
    print(model.evaluate(dataset(Mode.EVAL)))


if __name__ == "__main__":
    main()
