from dataclasses import dataclass

import tensorflow as tf


@dataclass
class Source:
    pattern: str
    repeat: bool = True


SOURCES = [Source("/data/asr/clean-*.tfrecord"), Source("/data/asr/noisy-*.tfrecord")]


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "mel": tf.io.FixedLenFeature([200, 80], tf.float32), "spk": tf.io.FixedLenFeature([], tf.int64)})
    return ex["mel"], ex["spk"]


def read(source):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(source.pattern), num_parallel_reads=tf.data.AUTOTUNE)
    ds = ds.shuffle(10_000)
    if source.repeat:
        ds = ds.repeat()
    return ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)


def mixture(sources):
    combined = read(sources[0])
    for source in sources[1:]:
        combined = combined.concatenate(read(source))
    return combined.batch(64).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.Input((200, 80)), tf.keras.layers.GRU(256), tf.keras.layers.Dense(1200)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(mixture(SOURCES), epochs=10, steps_per_epoch=2000)


if __name__ == "__main__":
    main()
