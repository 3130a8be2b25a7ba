import tensorflow as tf


def input_fn(params):
    def read(path):
        return tf.data.TextLineDataset(path).skip(1)

    ds = tf.data.Dataset.list_files(params["pattern"], shuffle=True, seed=params["seed"])
    ds = ds.interleave(read, cycle_length=params["readers"], deterministic=True,
                       num_parallel_calls=tf.data.AUTOTUNE)
    if params.get("num_workers", 1) > 1:
        ds = ds.shard(params["num_workers"], params["worker"])
    ds = ds.cache(f"/tmp/cache-{params['worker']}")
    ds = ds.shuffle(params["buffer"])
    ds = ds.batch(params["batch_size"], drop_remainder=True)
    ds = ds.map(decode, num_parallel_calls=tf.data.AUTOTUNE)
    return ds.prefetch(tf.data.AUTOTUNE)


def decode(lines):
    columns = tf.io.decode_csv(lines, [[0.0]] * 30)
    return tf.stack(columns[1:], axis=1), columns[0]


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    resolver = strategy.cluster_resolver
    params = {
        "pattern": "s3://fraud/2024/*/transactions-*.csv",
        "seed": 99,
        "readers": 12,
        "buffer": 200_000,
        "batch_size": 2048,
        "num_workers": len(resolver.cluster_spec().job_tasks("worker")),
        "worker": resolver.task_id,
    }
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Input((29,)),
            tf.keras.layers.Dense(256, activation="relu"),
            tf.keras.layers.Dense(1, activation="sigmoid"),
        ])
        model.compile("adam", "binary_crossentropy", metrics=["AUC"])
    train = strategy.distribute_datasets_from_function(lambda ctx: input_fn(params))
    model.fit(train, epochs=6)


if __name__ == "__main__":
    main()
