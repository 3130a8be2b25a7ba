from functools import partial

import tensorflow as tf


def with_settings(dataset, options):
    return dataset.with_options(options)


def make_options(threads, deterministic=False):
    opts = tf.data.Options()
    opts.threading.private_threadpool_size = threads
    opts.deterministic = deterministic
    return opts


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "audio": tf.io.FixedLenFeature([16000], tf.float32),
        "label": tf.io.FixedLenFeature([], tf.int64)})
    return tf.abs(tf.signal.stft(ex["audio"], 512, 256)), ex["label"]


def pipeline(files, finish):
    ds = tf.data.Dataset.from_tensor_slices(files).shuffle(len(files))
    ds = ds.interleave(tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE)
    ds = ds.shuffle(4096).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.batch(64).prefetch(tf.data.AUTOTUNE).apply(finish)


def main():
    files = tf.io.gfile.glob("/data/speech/train-*")
    finish = partial(with_settings, options=make_options(threads=16))
    train = pipeline(files, finish)
    model = tf.keras.Sequential([
        tf.keras.Input((61, 257)), tf.keras.layers.Conv1D(64, 5, activation="relu"),
        tf.keras.layers.GlobalMaxPooling1D(), tf.keras.layers.Dense(12)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(train, epochs=10)


if __name__ == "__main__":
    main()
