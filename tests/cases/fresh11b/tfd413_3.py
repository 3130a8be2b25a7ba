import tensorflow as tf

PATTERNS = {"clean": "/data/asr/clean-*.tfrecord", "noisy": "/data/asr/noisy-*.tfrecord"}
WEIGHTS = [0.7, 0.3]


def parse(rec):
    ex = tf.io.parse_single_example(rec, {
        "mel": tf.io.FixedLenFeature([200, 80], tf.float32), "spk": tf.io.FixedLenFeature([], tf.int64)})
    return ex["mel"], ex["spk"]


def read(pattern):
    ds = tf.data.TFRecordDataset(tf.io.gfile.glob(pattern), num_parallel_reads=tf.data.AUTOTUNE)
    return ds.shuffle(10_000).repeat().map(parse, num_parallel_calls=tf.data.AUTOTUNE)


def mixture(patterns):
    parts = [read(p) for p in patterns.values()]
    combined = tf.data.Dataset.sample_from_datasets(parts, weights=WEIGHTS)
    return combined.batch(64).prefetch(tf.data.AUTOTUNE)


def warmup(patterns):
    # some examples of each source before the mixture
    first = [read(p).take(5000) for p in patterns.values()]
    return first[0].concatenate(first[1]).batch(64).prefetch(tf.data.AUTOTUNE)


def main():
    model = tf.keras.Sequential([
        tf.keras.Input((200, 80)), tf.keras.layers.GRU(256), tf.keras.layers.Dense(1200)])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    model.fit(warmup(PATTERNS), epochs=1)
    model.fit(mixture(PATTERNS), epochs=10, steps_per_epoch=2000)


if __name__ == "__main__":
    main()
