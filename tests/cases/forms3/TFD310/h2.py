import tensorflow as tf

SHUFFLE_SEED = 20240


def make_files(num_shards, shard_index):
    files = tf.data.Dataset.list_files("mels/*.tfrecord", seed=SHUFFLE_SEED)
    return files.shard(num_shards=num_shards, index=shard_index)


def make_dataset(num_shards, shard_index, batch_size=128):
    records = make_files(num_shards, shard_index).interleave(
        tf.data.TFRecordDataset, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    records = records.shuffle(5000).batch(batch_size)
    spec = {"mel": tf.io.FixedLenFeature([80], tf.float32), "id": tf.io.FixedLenFeature([], tf.int64)}
    parsed = records.map(lambda r: tf.io.parse_example(r, spec), num_parallel_calls=tf.data.AUTOTUNE)
    pairs = parsed.map(lambda d: (d["mel"], d["id"]), num_parallel_calls=tf.data.AUTOTUNE)
    return pairs.prefetch(tf.data.AUTOTUNE)


def run(worker, workers):
    model = tf.keras.Sequential([tf.keras.layers.Dense(32, activation="relu"), tf.keras.layers.Dense(20, activation="softmax")])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(make_dataset(workers, worker), epochs=10)


if __name__ == "__main__":
    import sys
    run(int(sys.argv[1]), int(sys.argv[2]))
