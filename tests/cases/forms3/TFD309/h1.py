import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
GLOBAL_BATCH = 512


def parse(line):
    fields = tf.io.decode_csv(line, [[0.0]] * 20 + [[0]])
    return tf.stack(fields[:-1]), fields[-1]


def dataset_fn(ctx: tf.distribute.InputContext):
    batch = ctx.get_per_replica_batch_size(GLOBAL_BATCH)
    files = tf.data.Dataset.list_files("clicks/*.csv", shuffle=False)
    files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    lines = files.interleave(
        lambda f: tf.data.TextLineDataset(f).skip(1),
        cycle_length=4,
        num_parallel_calls=tf.data.AUTOTUNE,
        deterministic=False,
    )
    rows = lines.shuffle(50000).map(parse, num_parallel_calls=tf.data.AUTOTUNE)
    return rows.repeat().batch(batch).prefetch(tf.data.AUTOTUNE)


with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(64, activation="relu"), tf.keras.layers.Dense(1, activation="sigmoid")])
    model.compile("adam", "binary_crossentropy")
model.fit(strategy.distribute_datasets_from_function(dataset_fn), epochs=3, steps_per_epoch=1000)
