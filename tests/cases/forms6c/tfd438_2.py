import pathlib
import tempfile
import zipfile

import tensorflow as tf
from tensorflow.data import AUTOTUNE, TFRecordDataset

SPEC = {
    "tokens": tf.io.FixedLenFeature([256], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse_batch(serialized):
    parsed = tf.io.parse_example(serialized, SPEC)
    return parsed["tokens"], parsed["label"]


def dataset_from_archive(archive, batch_size):
    with tempfile.TemporaryDirectory() as folder:
        with zipfile.ZipFile(archive) as bundle:
            bundle.extractall(folder)
        files = sorted(str(p) for p in pathlib.Path(folder).glob("*.tfrecord"))
        ds = TFRecordDataset(files, num_parallel_reads=AUTOTUNE)
        ds = ds.shuffle(50_000)
        ds = ds.batch(batch_size, drop_remainder=True)
        ds = ds.map(parse_batch, num_parallel_calls=AUTOTUNE)
    return ds.prefetch(AUTOTUNE)


def build_model(vocabulary=32_000):
    return tf.keras.Sequential([
        tf.keras.layers.Embedding(vocabulary, 128),
        tf.keras.layers.Bidirectional(tf.keras.layers.LSTM(128)),
        tf.keras.layers.Dense(2),
    ])


def main():
    train = dataset_from_archive("/data/reviews/train.zip", batch_size=256)
    model = build_model()
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=4)


if __name__ == "__main__":
    main()
