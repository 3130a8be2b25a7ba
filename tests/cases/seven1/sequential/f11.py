import tensorflow as tf
import keras

NUM_READERS = 1
BUFFER = 8 * 1024 * 1024


def parse(batch):
    ex = tf.io.parse_example(batch, {
        "embedding": tf.io.FixedLenFeature([768], tf.float32),
        "topic": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["embedding"], ex["topic"]


def topics(split):
    file_names = tf.data.Dataset.list_files(f"/data/topics/{split}/*.tfrecord", shuffle=split == "train")
    ds = tf.data.TFRecordDataset(
        file_names, compression_type="GZIP", buffer_size=BUFFER, num_parallel_reads=NUM_READERS)
    if split == "train":
        ds = ds.shuffle(20_000)
    ds = ds.batch(1024)
    ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


clf = keras.Sequential([keras.layers.Dense(512, activation="gelu"), keras.layers.Dense(120)])
clf.compile("adamw", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
clf.fit(topics("train"), validation_data=topics("val"), epochs=10)
