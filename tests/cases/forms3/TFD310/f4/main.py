import tensorflow as tf

from files import shuffled_files


def dataset_fn(ctx):
    files = tf.data.Dataset.from_tensor_slices(shuffled_files("corpus/*.txt"))
    files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id)
    lines = files.interleave(
        tf.data.TextLineDataset, cycle_length=8, num_parallel_calls=tf.data.AUTOTUNE, deterministic=False)
    lines = lines.shuffle(10000).repeat()
    lines = lines.batch(ctx.get_per_replica_batch_size(256))
    return lines.map(split, num_parallel_calls=tf.data.AUTOTUNE).prefetch(tf.data.AUTOTUNE)


def split(lines):
    parts = tf.strings.split(lines, "\t").to_tensor(shape=[None, 2])
    return parts[:, 0], tf.strings.to_number(parts[:, 1])


strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Hashing(5000),
        tf.keras.layers.Embedding(5000, 16),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(1),
    ])
    model.compile("adam", "mse")
model.fit(strategy.distribute_datasets_from_function(dataset_fn), steps_per_epoch=500, epochs=4)
