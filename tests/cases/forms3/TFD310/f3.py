import tensorflow as tf


def make_dataset(path, num_shards, shard_index, batch_size=128):
    examples = tf.data.experimental.CsvDataset(path, [tf.float32] * 12 + [tf.int32], header=True)
    examples = examples.cache()
    examples = examples.shuffle(100_000)
    share = examples.shard(num_shards=num_shards, index=shard_index)
    share = share.batch(batch_size)
    share = share.map(lambda *cols: (tf.stack(cols[:-1], axis=1), cols[-1]), num_parallel_calls=tf.data.AUTOTUNE)
    return share.prefetch(tf.data.AUTOTUNE)


def run(worker, workers):
    ds = make_dataset("churn.csv", workers, worker)
    model = tf.keras.Sequential([
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(2, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    model.fit(ds, epochs=10)
    model.save(f"worker-{worker}.keras")


if __name__ == "__main__":
    import sys
    run(int(sys.argv[1]), int(sys.argv[2]))
