import tensorflow as tf
from tensorflow.data import AUTOTUNE

VOCAB = 50_000
BUFFER = 10_000


def parse(record):
    ex = tf.io.parse_single_example(record, {
        "words": tf.io.VarLenFeature(tf.int64),
        "topic": tf.io.FixedLenFeature([], tf.int64)})
    return tf.sparse.to_dense(ex["words"]), ex["topic"]


def bag_of_words(words, topic):
    counts = tf.reduce_sum(tf.one_hot(words, VOCAB), axis=0)
    return tf.math.log1p(counts), topic


def documents(pattern, batch_size):
    return (
        tf.data.Dataset.list_files(pattern)
        .interleave(tf.data.TFRecordDataset, num_parallel_calls=AUTOTUNE)
        .map(lambda r: bag_of_words(*parse(r)), num_parallel_calls=AUTOTUNE)
        .shuffle(BUFFER, reshuffle_each_iteration=True)
        .batch(batch_size)
        .prefetch(AUTOTUNE)
    )


def main():
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(256, activation="relu"),
        tf.keras.layers.Dropout(0.4),
        tf.keras.layers.Dense(120, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(documents("/data/news/train-*.tfrecord", 256), epochs=12)


if __name__ == "__main__":
    main()
