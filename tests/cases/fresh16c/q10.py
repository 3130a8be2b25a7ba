import argparse
import contextlib

import tensorflow as tf

FEATURES = {
    "input_ids": tf.io.FixedLenFeature([128], tf.int64),
    "mask": tf.io.FixedLenFeature([128], tf.int64),
    "label": tf.io.FixedLenFeature([], tf.int64),
}


def parse(raw):
    ex = tf.io.parse_single_example(raw, FEATURES)
    label = ex.pop("label")
    return {k: tf.cast(v, tf.int32) for k, v in ex.items()}, label


def make_input_fn(pattern, global_batch_size):
    def input_fn(context):
        files = tf.data.Dataset.list_files(pattern, shuffle=True, seed=7)
        files = files.shard(context.num_input_pipelines, context.input_pipeline_id)
        ds = files.interleave(
            tf.data.TFRecordDataset, cycle_length=4, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.shuffle(20_000).repeat()
        ds = ds.map(parse, num_parallel_calls=tf.data.AUTOTUNE)
        ds = ds.batch(global_batch_size, drop_remainder=True)
        return ds.prefetch(tf.data.AUTOTUNE)

    return input_fn


@contextlib.contextmanager
def tpu(name):
    resolver = tf.distribute.cluster_resolver.TPUClusterResolver(tpu=name)
    tf.config.experimental_connect_to_cluster(resolver)
    tf.tpu.experimental.initialize_tpu_system(resolver)
    strategy = tf.distribute.TPUStrategy(resolver)
    with strategy.scope():
        yield strategy


def encoder():
    ids = tf.keras.Input((128,), dtype="int32", name="input_ids")
    mask = tf.keras.Input((128,), dtype="int32", name="mask")
    x = tf.keras.layers.Embedding(30_522, 256)(ids)
    att = tf.keras.layers.Reshape((1, 128))(mask)
    x = x + tf.keras.layers.MultiHeadAttention(8, 32)(x, x, attention_mask=att)
    x = tf.keras.layers.GlobalAveragePooling1D()(tf.keras.layers.LayerNormalization()(x))
    return tf.keras.Model({"input_ids": ids, "mask": mask}, tf.keras.layers.Dense(3)(x))


def main(args):
    with tpu(args.tpu) as strategy:
        global_batch = args.batch_per_core * strategy.num_replicas_in_sync
        train = strategy.distribute_datasets_from_function(make_input_fn(args.data, global_batch))
        model = encoder()
        model.compile(
            optimizer=tf.keras.optimizers.Adam(5e-5),
            loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
            steps_per_execution=50,
        )
        model.fit(train, steps_per_epoch=392_000 // global_batch, epochs=3)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--tpu", default="local")
    p.add_argument("--data", default="gs://nli/mnli/train-*.tfrecord")
    p.add_argument("--batch-per-core", type=int, default=32)
    main(p.parse_args())
