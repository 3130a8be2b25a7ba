import tensorflow as tf
from tensorflow import data as tfd


def sharded(make_reader, cycle=16):
    def apply_fn(files):
        return files.interleave(make_reader, cycle, 1)
    return apply_fn


def reader(path):
    return tfd.TFRecordDataset(path, buffer_size=4 << 20)


def decode(raw):
    ex = tf.io.parse_example(raw, {
        "clicks": tf.io.FixedLenFeature([200], tf.int64),
        "target": tf.io.FixedLenFeature([], tf.int64),
    })
    return ex["clicks"], ex["target"]


def dataset_fn(ctx):
    batch = ctx.get_per_replica_batch_size(2048)
    files = tfd.Dataset.list_files("/data/sessions/part-*.tfrecord", seed=1)
    files = files.shard(ctx.num_input_pipelines, ctx.input_pipeline_id).repeat()
    ds = files.apply(sharded(reader))
    ds = ds.shuffle(100_000).batch(batch, drop_remainder=True)
    ds = ds.map(decode, num_parallel_calls=tfd.AUTOTUNE)
    return ds.prefetch(tfd.AUTOTUNE)


def main():
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    dist = strategy.distribute_datasets_from_function(dataset_fn)
    with strategy.scope():
        model = tf.keras.Sequential([
            tf.keras.layers.Embedding(100_000, 64),
            tf.keras.layers.GlobalAveragePooling1D(),
            tf.keras.layers.Dense(100_000),
        ])
        loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        model.compile("adam", loss)
    model.fit(dist, steps_per_epoch=5000, epochs=10)


if __name__ == "__main__":
    main()
